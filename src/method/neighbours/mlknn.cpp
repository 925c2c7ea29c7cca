// SPDX-License-Identifier: MIT
#include "linalg/nearest_rows.h"
#include "method/common/common_options.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/shared_work.h"
#include "method/common/trainable_labels.h"
#include "method/common/training_memory.h"

#include <mugrad/method/mlknn.h>
#include <mugrad/parallel/thread_pool.h>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace mugrad {
namespace {

/// Of each label, how many examples have exactly j neighbours with it: T x (k + 1) each.
struct NeighbourCounts {
  Matrix<Index> with, without;  ///< examples that have the label, and that do not

  NeighbourCounts(Index labels, Index neighbours)
      : with(labels, neighbours + 1), without(labels, neighbours + 1) {}

  /// Counts the examples none of whose neighbours have the label: all those not counted yet.
  void add_examples_without_neighbours(const std::vector<Index>& positives, Index examples) {
    for (Index label = 0; label < with.rows(); ++label) {
      Index left_with = positives[as_size(label)];
      Index left_without = examples - left_with;
      for (Index j = 1; j < with.cols(); ++j) {
        left_with -= with(label, j);
        left_without -= without(label, j);
      }
      with(label, 0) = left_with;
      without(label, 0) = left_without;
    }
  }
};

/// Finds the neighbours of some examples at a time. Counts are whole numbers, so that the order in
/// which threads add theirs does not matter.
class NeighbourCounting {
 public:
  NeighbourCounting(const Features& rows, const BinaryMatrix& labels, Index neighbours)
      : nearest_(rows),
        features_(rows.cols()),
        rows_(rows),
        labels_(labels),
        neighbours_(neighbours),
        counts_(labels.cols, neighbours) {}

  NeighbourCounts run(ThreadPool& pool, Stages& stages) {
    const Index at_once = NearestRows::queries_at_once(features_);
    const Index blocks = (nearest_.count() + at_once - 1) / at_once;
    SharedWork work(stages, std::vector<double>(as_size(blocks), 1));
    work.run(pool, [&] {
      Worker worker(labels_.cols);
      while (const auto piece = work.next()) {
        const Index first = as_index(*piece) * at_once;
        count(first, std::min(first + at_once, nearest_.count()), worker, work);
        work.finish(*piece);
      }
    });
    return std::move(counts_);
  }

 private:
  struct Worker {
    explicit Worker(Index labels) : count(as_size(labels), 0) {}
    NearestQueries queries;
    std::vector<Index> count;   ///< neighbours of an example with each label; zero between examples
    std::vector<LabelId> seen;  ///< labels that a neighbour has
  };

  void count(Index first, Index end, Worker& worker, Progress& progress) {
    worker.queries.begin(features_, end - first, neighbours_);
    for (Index row = first; row < end; ++row) {
      rows_.for_each_in_row(row, [&](FeatureId feature, double value) {
        worker.queries.set(row - first, feature, value);
      });
    }
    nearest_.find(worker.queries, &progress, first);
    const std::lock_guard lock(mutex_);
    for (Index row = first; row < end; ++row) add(row, worker.queries.found(row - first), worker);
  }

  void add(Index row, std::span<const NearRow> found, Worker& worker) {
    for (const NearRow& near : found) {
      for (const LabelId label : labels_.row(near.row)) {
        if (worker.count[as_size(label)]++ == 0) worker.seen.push_back(label);
      }
    }
    for (const LabelId label : worker.seen) {
      const bool has_it = std::ranges::binary_search(labels_.row(row), label);
      ++(has_it ? counts_.with : counts_.without)(label, worker.count[as_size(label)]);
      worker.count[as_size(label)] = 0;
    }
    worker.seen.clear();
  }

  NearestRows nearest_;
  Index features_;
  const Features& rows_;
  const BinaryMatrix& labels_;
  Index neighbours_;
  std::mutex mutex_;  ///< of the counts
  NeighbourCounts counts_;
};

/// P(H1 | E_j) of each label and each j, by Bayes' rule.
Matrix<double> posterior(const NeighbourCounts& counts, const std::vector<Index>& positives,
                         Index examples, double s) {
  const auto n = static_cast<double>(examples);
  const auto outcomes = static_cast<double>(counts.with.cols());  // k + 1
  Matrix<double> result(counts.with.rows(), counts.with.cols());
  for (Index label = 0; label < result.rows(); ++label) {
    const auto with = static_cast<double>(positives[as_size(label)]);
    const double prior = (s + with) / (2 * s + n);
    for (Index j = 0; j < result.cols(); ++j) {
      const double given_1 =
          (s + static_cast<double>(counts.with(label, j))) / (s * outcomes + with);
      const double given_0 =
          (s + static_cast<double>(counts.without(label, j))) / (s * outcomes + (n - with));
      const double joint = prior * given_1;
      result(label, j) = joint / (joint + (1 - prior) * given_0);
    }
  }
  return result;
}

/// NeighbourHead::shift of sparse rows, which are stored without the shift of the transform.
std::vector<double> shift_of(const FeatureTransform& transform) {
  std::vector<double> shift = transform.shift;
  for (std::size_t k = 0; k < shift.size(); ++k) shift[k] *= transform.factor[k];
  return shift;
}

/// A point near the mean. Distances are differences of products of rows, which lose digits if
/// values are far from zero. Each coordinate is a multiple of a power of two of the size of the
/// deviation, so that subtracting it is exact and equal distances stay equal.
std::vector<double> centre_near(const std::vector<double>& mean,
                                const std::vector<double>& deviation) {
  std::vector<double> centre = mean;
  for (std::size_t k = 0; k < centre.size(); ++k) {
    if (deviation[k] == 0) continue;
    centre[k] -= std::remainder(mean[k], std::ldexp(1.0, std::ilogb(deviation[k])));
  }
  return centre;
}

/// The examples, scaled and shifted.
NeighbourHead head_of(const Dataset& data, const Representation& representation) {
  auto transform = feature_transform(representation);
  NeighbourHead head{.labels = data.y};
  if (data.x.is_sparse()) {
    head.shift = shift_of(transform);
  } else if (transform.shift.empty() && transform.parts.is_empty()) {
    transform.shift = centre_near(representation.mean, representation.deviation);
    head.shift = transform.shift;
    for (double& shift : head.shift) shift = -shift;
  }
  head.rows = rows_for_distances(data.x, transform);
  return head;
}

Index neighbours_used(Index wanted, Index examples) { return std::min(wanted, examples - 1); }

void fill_report(const Dataset& data, const MlknnOptions& options, TrainingReport& report) {
  const TrainableLabels trainable(data);
  report.constant_labels = trainable.constant();
  if (const auto warning =
          trainable.warning(data.label_names, "are scored by their counts alone")) {
    report.warnings.push_back(*warning);
  }
  const Index used = neighbours_used(options.k, data.rows());
  if (used < options.k) {
    report.warnings.push_back(fmt::format(
        "only {} neighbours are used, because there are no more other examples; {} were "
        "requested",
        used, options.k));
  }
}

}  // namespace

void list_options(MlknnOptions& options, OptionList& list) {
  list.whole("k", options.k, "Number of nearest examples to count", {.at_least = 1});
  list.number("laplace", options.laplace, "Laplace smoothing: number added to every count",
              {.at_least = 1e-6, .at_most = 1e6});
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_threshold(options.threshold, list);
  list.seed(options.seed);
}

MemoryNeed memory_need(const DataShape& shape, const MlknnOptions& options) {
  const auto rows = static_cast<double>(shape.rows);
  const auto stored = static_cast<double>(shape.stored);
  const Index neighbours = neighbours_used(options.k, std::max<Index>(1, shape.rows));
  const double features = shape.is_sparse
                              ? stored * (sizeof(double) + sizeof(FeatureId)) + rows * sizeof(Index)
                              : stored * sizeof(double);
  const Index at_once = NearestRows::queries_at_once(shape.features);
  const double threads = options.threads.at_most(shape.rows / at_once + 1).resolved();
  // Two counts and a probability.
  const double counts =
      3 * sizeof(Index) * static_cast<double>(shape.labels) * static_cast<double>(neighbours + 1);
  return statistics_memory(shape) + MemoryNeed("the examples, which the model holds", features) +
         MemoryNeed("lengths of examples", rows * sizeof(double)) +
         MemoryNeed("counts of neighbours", counts) +
         MemoryNeed("examples whose neighbours are looked for",
                    threads * NearestRows::bytes(shape.features, at_once, neighbours));
}

Model fit(const Dataset& data, const MlknnOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  check_fully_labelled(data, "mlknn");
  check_unweighted(data, "mlknn");
  require_memory(memory_need(shape_of(data), options), training_on(data), "fewer examples");
  Stages stages(progress);
  stages.advance(0);
  ModelContents contents = new_model(
      data, "mlknn", options_text(options),
      checked_representation(data, options.representation, options.text_weight), options.threshold);
  NeighbourHead head = head_of(data, contents.representation);
  const Index neighbours = neighbours_used(options.k, data.rows());
  ThreadPool pool(options.threads);
  NeighbourCounts counts = NeighbourCounting(head.rows, head.labels, neighbours).run(pool, stages);
  const auto positives = column_counts(data.y);
  counts.add_examples_without_neighbours(positives, data.rows());
  head.probability = posterior(counts, positives, data.rows(), options.laplace);
  fill_report(data, options, contents.report);
  contents.weights = Matrix<float>(data.features(), 0);
  contents.head = std::move(head);
  stages.advance(1);
  return Model(std::move(contents));
}

const Method& mlknn_method() {
  static const MethodOf<MlknnOptions> method(
      "mlknn", "ML-kNN: how many of the nearest examples have a label, by Bayes' rule",
      {.solves = false, .usual_search = {{.space = {{"k", {"5", "10", "20", "40"}}}}}});
  return method;
}

}  // namespace mugrad
