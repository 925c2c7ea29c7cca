// SPDX-License-Identifier: MIT
#include "method/common/common_options.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/outcome.h"
#include "method/common/training_memory.h"
#include "method/mgd/mgd_options.h"
#include "method/pairs/pair_regressions.h"

#include <mugrad/method/clr.h>

#include <algorithm>

namespace mugrad {
namespace {

/// The weights of this many pairs.
double bytes_of(Index pairs, Index features) {
  return static_cast<double>(pairs) * static_cast<double>(features + 1) * sizeof(float);
}

BrOptions options_alone(const ClrOptions& options) {
  return {.rho = options.rho,
          .weka_ridge = options.weka_ridge,
          .representation = options.representation,
          .text_weight = options.text_weight,
          .threshold = options.threshold,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .threads = options.threads};
}

/// The number of pairs of labels with at least one positive.
Index pairs_of(const DataShape& shape) {
  const auto of = [](Index labels) { return labels * (labels - 1) / 2; };
  return of(shape.labels) - of(shape.labels - shape.labels_that_occur());
}

/// The expected number of examples with exactly one of the two most frequent labels, if these were
/// independent.
double most_examples(const DataShape& shape) {
  const auto rows = static_cast<double>(shape.rows);
  double first = 0, second = 0;
  if (shape.y == nullptr || shape.labels > shape.rows + shape.positives) {
    const auto labels = static_cast<double>(std::max<Index>(1, shape.labels));
    first = second = static_cast<double>(shape.positives) / labels;
  } else {
    for (const Index positives : column_counts(*shape.y)) {
      const auto count = static_cast<double>(positives);
      second = std::max(second, std::min(first, count));
      first = std::max(first, count);
    }
  }
  return first + second - 2 * first * second / std::max(1.0, rows);
}

PairRegressionOptions pair_options(const ClrOptions& options) {
  return {.rho = options.weka_ridge ? 0 : options.rho,
          .summed_ridge = options.weka_ridge ? kWekaRidge : 0,
          .stopping = {.tolerance = options.tolerance, .max_iterations = options.max_iterations}};
}

/// The weights of the single labels, with space for those of the pairs.
Matrix<float> with_room(const Matrix<float>& alone, Index pairs) {
  Matrix<float> weights(alone.rows(), alone.cols() + pairs);
  for (Index k = 0; k < alone.rows(); ++k) {
    std::ranges::copy(alone.row(k), weights.row(k).begin());
  }
  return weights;
}

/// Adds the regressions of pairs to those of single labels, if there were any.
void add_pairs(const PairReport& report, double tolerance, TrainingReport& to) {
  if (!to.solve) to.solve = SolveFacts{.stop = std::string(to_string(Stop::converged))};
  to.solve->solver = "newton";
  add_part({.effort = report.passes,
            .first_residual = report.first_residual,
            .residual = report.residual,
            .minimised = report.total_loss},
           *to.solve);
  if (report.at_iteration_limit > 0) {
    to.solve->stop = to_string(Stop::iteration_limit);
  } else if (report.stalled > 0 && tolerance > 0) {
    to.solve->stop = to_string(Stop::stalled);
  }
}

void add_notes(const LabelPairs& pairs, const PairReport& report, const Dataset& data,
               double tolerance, TrainingReport& to) {
  constexpr double kMuch = 1e9;
  if (const double bytes = bytes_of(pairs.count(), data.features()); bytes > kMuch) {
    to.warnings.push_back(
        fmt::format("{} pairs of labels make a model of {:.2g} GB", pairs.count(), bytes / 1e9));
  }
  if (report.at_iteration_limit > 0 && tolerance > 0) {
    to.warnings.push_back(
        fmt::format("{} pairs of labels ended at the limit of iterations before they reached the "
                    "tolerance",
                    report.at_iteration_limit));
  }
  if (report.stalled > 0 && tolerance > 0) {
    to.warnings.push_back(fmt::format(
        "rounding kept {} pairs of labels from reaching the tolerance", report.stalled));
  }
}

}  // namespace

void list_options(ClrOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list_weka_ridge(options.weka_ridge, list);
  list_vote(options.vote, list);
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
}

MemoryNeed memory_need(const DataShape& shape, const ClrOptions& options) {
  constexpr double kPerPair = 100;  // labels, intercept and outcome
  const Index pairs = pairs_of(shape);
  const DesignShape design = design_of(shape);
  const double weights = bytes_of(shape.labels, shape.features) + bytes_of(pairs, shape.features);
  return larger(
      memory_need(shape, options_alone(options)),
      statistics_memory(shape) +
          MemoryNeed("the features as stored for training", Design<double>::bytes(design)) +
          MemoryNeed("the weights of labels", bytes_of(shape.labels, shape.features)) +
          MemoryNeed("the weights of pairs of labels",
                     weights + kPerPair * static_cast<double>(pairs)) +
          MemoryNeed("solving", bytes_to_fit_pairs(design, pairs, most_examples(shape))));
}

Model fit(const Dataset& data, const ClrOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  check_trainable(data);
  check_unweighted(data, "clr");
  require_memory(memory_need(shape_of(data), options), training_on(data),
                 "fewer labels or features, or a method that does not use pairs of labels,");
  Stages stages(progress);
  stages.enter(0, 0.1);
  const Model alone = fit(data, options_alone(options), &stages);
  stages.enter(0.1, 0.15);
  const LabelPairs pairs(data, &stages);
  const auto& of_labels = alone.contents();
  ModelContents contents =
      new_model(data, "clr", options_text(options), of_labels.representation, options.threshold);
  auto weights = with_room(std::get<Matrix<float>>(of_labels.weights), pairs.count());
  contents.intercepts = of_labels.intercepts;
  contents.intercepts.resize(as_size(weights.cols()), 0);

  stages.enter(0.15, 1);
  ThreadPool pool(options.threads);
  const Design<double> design(data.x, feature_transform(of_labels.representation));
  const auto report = fit_pairs(design, pairs, pair_options(options), data.labels(), weights,
                                contents.intercepts, stages, pool);
  contents.weights = std::move(weights);
  contents.head = PairHead{options.vote, pairs.first(), pairs.second()};
  contents.report = of_labels.report;
  contents.report.method = "clr";
  if (report.passes > 0) add_pairs(report, options.tolerance, contents.report);
  add_notes(pairs, report, data, options.tolerance, contents.report);
  return Model(std::move(contents));
}

const Method& clr_method() {
  static const MethodOf<ClrOptions> method(
      "clr", "calibrated label ranking: regressions of pairs of labels vote",
      {.takes_unknown_labels = true,
       .usual_search = {{.space = {{"rho", {"0.003", "0.01", "0.03", "0.1"}}}}}});
  return method;
}

}  // namespace mugrad
