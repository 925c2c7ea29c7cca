// SPDX-License-Identifier: MIT
#include "method/common/common_options.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/outcome.h"
#include "method/common/shared_work.h"
#include "method/common/trainable_labels.h"
#include "method/common/training_memory.h"
#include "method/lift/lift_label.h"
#include "objective/logistic.h"

#include <mugrad/method/lift.h>
#include <mugrad/parallel/thread_pool.h>

#include <algorithm>

namespace mugrad {
namespace {

struct LabelToFit {
  LabelId label;
  double work;  ///< relative to others
};

/// The labels with both classes, the slowest first, so that labels trained at the same time take
/// similar time.
std::vector<LabelToFit> labels_to_fit(const BinaryMatrix& positives, Index rows, double ratio) {
  std::vector<LabelToFit> result;
  for (Index label = 0; label < positives.rows(); ++label) {
    const auto count = std::ssize(positives.row(label));
    if (count == 0 || count == rows) continue;
    const auto centres = static_cast<double>(centres_per_class(count, rows, ratio));
    result.push_back({static_cast<LabelId>(label), 1 + centres + centres * centres / 10});
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, &LabelToFit::work);
  return result;
}

/// The total number of centres, and the maximum per label.
struct Centres {
  double all = 0, most = 0;
};

Centres centres_of(const DataShape& shape, double ratio) {
  Centres centres;
  const auto add = [&](Index positives, double labels) {
    if (positives == 0 || positives == shape.rows) return;
    const auto own = 2 * static_cast<double>(centres_per_class(positives, shape.rows, ratio));
    centres.all += labels * own;
    centres.most = std::max(centres.most, own);
  };
  if (shape.y == nullptr || shape.labels > shape.rows + shape.positives) {
    const Index labels = shape.labels_that_occur();
    add(shape.positives / std::max<Index>(1, labels), static_cast<double>(labels));
  } else {
    for (const Index positives : column_counts(*shape.y)) add(positives, 1);
  }
  return centres;
}

/// One per label; those with only one class stay empty.
std::vector<LiftLabel> fit_labels(const Dataset& data, const FeatureTransform& transform,
                                  const LiftOptions& options, Progress* progress) {
  Stages stages(progress);
  stages.advance(0);
  const ScaledRows rows(data.x, transform);
  const BinaryMatrix positives = transposed(data.y);
  const auto order = labels_to_fit(positives, data.rows(), options.ratio);
  std::vector<double> costs;
  costs.reserve(order.size());
  for (const LabelToFit& one : order) costs.push_back(one.work);
  std::vector<LiftLabel> result(as_size(data.labels()));
  ThreadPool pool(options.threads);
  SharedWork work(stages, std::move(costs));
  work.run(pool, [&] {
    while (const auto piece = work.next()) {
      const LabelId label = order[*piece].label;
      auto& fitted = result[as_size(label)];
      fitted = fit_lift_label(rows, positives.row(label), label, options, &work);
      throw_if_diverged(fitted, name_or_number(data.label_names, label), options.c);
      work.finish(*piece);
    }
  });
  stages.advance(1);
  return result;
}

Matrix<float> weights_of(const std::vector<LiftLabel>& labels, Index features) {
  Index columns = 0;
  for (const LiftLabel& label : labels) columns += label.centres.rows();
  Matrix<float> weights(features, columns);
  Index column = 0;
  for (const LiftLabel& label : labels) {
    for (Index c = 0; c < label.centres.rows(); ++c, ++column) {
      for (Index k = 0; k < features; ++k) weights(k, column) = label.centres(c, k);
    }
  }
  return weights;
}

DistanceHead head_of(const std::vector<LiftLabel>& labels) {
  DistanceHead head{.centre_start = {0}};
  for (const LiftLabel& label : labels) {
    for (Index c = 0; c < label.centres.rows(); ++c) {
      double sum = 0;
      for (const float entry : label.centres.row(c)) sum += static_cast<double>(entry) * entry;
      head.squared_length.push_back(sum);
    }
    head.centre_start.push_back(std::ssize(head.squared_length));
    head.weight.insert(head.weight.end(), label.svm.weights.begin(), label.svm.weights.end());
    head.offset.push_back(label.svm.offset);
    head.slope.push_back(label.representation.slope);
    head.shift.push_back(label.representation.shift);
  }
  return head;
}

void fill_report(const std::vector<LiftLabel>& labels, const LiftOptions& options,
                 TrainingReport& report) {
  SolveFacts solve{.solver = "k-means and svm"};
  Stop stop = Stop::converged;
  Index cut_short = 0, inexact = 0;
  for (const LiftLabel& label : labels) {
    stop = worse(stop, worse(label.centres_stop, label.svm_stop));
    cut_short += label.centres_stop == Stop::converged ? 0 : 1;
    inexact += label.svm_stop == Stop::converged ? 0 : 1;
    solve.effort = std::max(solve.effort, label.iterations);
    solve.first_residual = std::max(solve.first_residual, label.svm.first_gap);
    solve.residual = std::max(solve.residual, label.svm.gap);
    solve.minimised += label.svm.objective / static_cast<double>(report.rows);
  }
  solve.stop = to_string(stop);
  if (report.constant_labels.size() < labels.size()) report.solve = solve;
  if (cut_short > 0) {
    report.warnings.push_back(
        fmt::format("k-means of {} of {} labels had not converged after {} iterations", cut_short,
                    labels.size(), options.max_iterations));
  }
  if (inexact > 0) {
    report.warnings.push_back(
        fmt::format("the support vector machines of {} of {} labels did not reach their tolerance; "
                    "a smaller c helps",
                    inexact, labels.size()));
  }
}

}  // namespace

void list_options(LiftOptions& options, OptionList& list) {
  list.number("ratio", options.ratio, "Centres per example of a label's minority class",
              {.at_most = 1, .above = 0});
  list.number("c", options.c, "Cost of a unit of hinge loss", {.at_most = 1e8, .above = 0});
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_threshold(options.threshold, list);
  list.whole("kmeans-iterations", options.max_iterations, "Maximum number of k-means iterations",
             {.at_least = 1});
  list.was("iterations");
  list.seed(options.seed);
}

MemoryNeed memory_need(const DataShape& shape, const LiftOptions& options) {
  const auto rows = static_cast<double>(shape.rows);
  const auto features = static_cast<double>(shape.features);
  const Centres centres = centres_of(shape, options.ratio);
  const double stored = centres.all * features * sizeof(float);
  const double threads = options.threads.at_most(shape.labels_that_occur()).resolved();
  return statistics_memory(shape) +
         MemoryNeed(
             "the features as stored for training",
             static_cast<double>(shape.stored) * sizeof(double) + 2 * rows * sizeof(double)) +
         larger(MemoryNeed("the centres of labels, and their copy in the model", 2 * stored),
                MemoryNeed("distances to centres, and their support vector machines",
                           threads * bytes_to_fit_label(shape.rows, shape.features, centres.most)));
}

Model fit(const Dataset& data, const LiftOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  check_fully_labelled(data, "lift");
  check_unweighted(data, "lift");
  require_memory(memory_need(shape_of(data), options), training_on(data),
                 "fewer examples, labels or features, or a smaller ratio of centres,");
  ModelContents contents = new_model(
      data, "lift", options_text(options),
      checked_representation(data, options.representation, options.text_weight), options.threshold);
  auto labels = fit_labels(data, feature_transform(contents.representation), options, progress);
  const TrainableLabels trainable(data);
  const auto positives = column_counts(data.y);
  for (const LabelId label : trainable.constant()) {
    const auto at = as_size(label);
    labels[at].representation.shift = -LogisticLoss::log_odds(static_cast<double>(positives[at]),
                                                              static_cast<double>(data.rows()));
  }
  contents.report.constant_labels = trainable.constant();
  if (const auto warning = trainable.warning(data.label_names)) {
    contents.report.warnings.push_back(*warning);
  }
  fill_report(labels, options, contents.report);
  auto weights = weights_of(labels, data.features());
  contents.intercepts.assign(as_size(weights.cols()), 0);
  contents.weights = std::move(weights);
  contents.head = head_of(labels);
  return Model(std::move(contents));
}

const Method& lift_method() {
  static const MethodOf<LiftOptions> method(
      "lift", "LIFT: distances to centres of a label's own examples, and SVMs",
      {.usual_search = {{.space = {{"ratio", {"0.1", "0.2"}}, {"c", {"0.1", "1"}}}}},
       .report = kIterations});
  return method;
}

}  // namespace mugrad
