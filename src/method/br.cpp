// SPDX-License-Identifier: MIT
#include "method/br.h"

#include "method/common_options.h"
#include "method/method_of.h"

#include <mugrad/method/mgd.h>

namespace mugrad {

void list_options(BrOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list_weka_ridge(options.weka_ridge, list);
  list_scaling(options.scaling, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
}

Model fit(const Dataset& data, const BrOptions& options, Observer* observer) {
  check_options(options);
  MgdOptions mgd{.rho = options.rho, .sigma = 0};
  if (options.weka_ridge) mgd.rho = weka_rho(data.rows());
  mgd.scaling = options.scaling;
  mgd.threshold = options.threshold;
  mgd.tolerance = options.tolerance;
  mgd.max_iterations = options.max_iterations;
  mgd.threads = options.threads;
  ModelContents contents = fit(data, mgd, observer).contents();
  contents.options.clear();
  for (const auto& [name, text] : options_text(options)) contents.options[name] = text;
  contents.report.method = "br";
  return Model(std::move(contents));
}

}  // namespace mugrad
