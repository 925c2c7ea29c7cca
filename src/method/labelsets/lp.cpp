// SPDX-License-Identifier: MIT
#include "method/common/common_options.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/training_memory.h"
#include "method/labelsets/labelset_training.h"

#include <mugrad/method/lp.h>

namespace mugrad {

void list_options(LpOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list_labelset_score(options.score, list);
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
}

MemoryNeed memory_need(const DataShape& shape, const LpOptions& options) {
  const Index classes = shape.y == nullptr ? 2 : distinct_rows(*shape.y);
  return labelsets_memory(shape, {.sets = 1, .most_classes = classes, .all_classes = classes},
                          options.threads);
}

Model fit(const Dataset& data, const LpOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  check_fully_labelled(data, "lp");
  check_unweighted(data, "lp");
  require_memory(memory_need(shape_of(data), options), training_on(data), kFewerCombinations);
  auto contents = new_model(
      data, "lp", options_text(options),
      checked_representation(data, options.representation, options.text_weight), options.threshold);
  train_labelsets(
      data, {every_label(data.labels())},
      {.rho = options.rho,
       .score = options.score,
       .stopping = {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
       .threads = options.threads},
      progress, contents);
  return Model(std::move(contents));
}

const Method& lp_method() {
  static const MethodOf<LpOptions> method(
      "lp", "label powerset: every combination of labels is a class",
      {.usual_search = {{.space = {{"rho", {"0.003", "0.01", "0.03", "0.1"}}}}}});
  return method;
}

}  // namespace mugrad
