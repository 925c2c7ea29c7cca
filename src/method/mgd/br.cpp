// SPDX-License-Identifier: MIT
#include "method/common/common_options.h"
#include "method/common/method_of.h"
#include "method/mgd/mgd_options.h"

namespace mugrad {

void list_options(BrOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list_weka_ridge(options.weka_ridge, list);
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
  list_precision(options.precision, list);
}

MemoryNeed memory_need(const DataShape& shape, const BrOptions& options) {
  return memory_need(shape, as_mgd(options, static_cast<double>(shape.rows)));
}

MgdOptions as_mgd(const BrOptions& options, double examples) {
  check_options(options);
  MgdOptions mgd{.rho = options.weka_ridge ? weka_rho(examples) : options.rho, .sigma = 0};
  mgd.representation = options.representation;
  mgd.gaussian = options.gaussian;
  mgd.text_weight = options.text_weight;
  mgd.threshold = options.threshold;
  mgd.tolerance = options.tolerance;
  mgd.max_iterations = options.max_iterations;
  mgd.initial = options.initial;
  mgd.seed = options.seed;
  mgd.precision = options.precision;
  mgd.threads = options.threads;
  return mgd;
}

Model as_br(const Model& model, const BrOptions& options) {
  ModelContents contents = model.contents();
  contents.options.clear();
  for (const auto& [name, text] : options_text(options)) contents.options[name] = text;
  contents.report.method = "br";
  return Model(std::move(contents));
}

Model fit(const Dataset& data, const BrOptions& options, Progress* progress) {
  return as_br(fit(data, as_mgd(options, data.total_weight()), progress), options);
}

}  // namespace mugrad
