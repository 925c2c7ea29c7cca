// SPDX-License-Identifier: MIT
#include "method/lp.h"

#include "method/common_options.h"
#include "method/feature_checks.h"
#include "method/labelset_training.h"
#include "method/method_of.h"
#include "method/new_model.h"

#include <numeric>

namespace mugrad {

void list_options(LpOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list_labelset_score(options.score, list);
  list_scaling(options.scaling, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
}

Model fit(const Dataset& data, const LpOptions& options, Observer* observer) {
  check_options(options);
  check_fully_labelled(data, "lp");
  check_unweighted(data, "lp");
  Labelset all(static_cast<std::size_t>(data.labels()));
  std::iota(all.begin(), all.end(), 0);
  auto contents = new_model(data, "lp", options_text(options),
                            checked_scaling(data, options.scaling), options.threshold);
  train_labelsets(
      data, {all},
      {.rho = options.rho,
       .score = options.score,
       .stopping = {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
       .threads = options.threads},
      observer, contents);
  return Model(std::move(contents));
}

}  // namespace mugrad
