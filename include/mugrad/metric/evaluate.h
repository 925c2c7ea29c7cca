// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/metric/metric.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad {

struct EvaluateOptions {
  /// A label is predicted when its score >= threshold.
  double threshold = 0.5;
  /// One threshold per label; empty: `threshold` for all.
  std::vector<double> thresholds = {};
  Convention convention = Convention::sklearn;
  /// The k of precision@k and ndcg@k; those above the number of labels are left out.
  std::vector<Index> at = {1, 3, 5};
};

struct MetricValue {
  Metric metric = {};
  double value = 0;   ///< NaN when every row or label was skipped
  Index skipped = 0;  ///< rows (labels, for macro-f1) that the mean leaves out
};

/// Counts of one label over all rows, and what follows from them.
struct LabelCounts {
  Index true_positives = 0;
  Index false_positives = 0;
  Index false_negatives = 0;
};

struct LabelQuality {
  Index positives = 0;  ///< rows that have the label
  Index predicted = 0;  ///< rows for which it was predicted
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

struct Evaluation {
  Convention convention = Convention::sklearn;
  std::vector<double> thresholds = {};  ///< one, or one per label
  Index rows = 0;
  Index labels = 0;
  Index rows_without_labels = 0;
  Index rows_with_all_labels = 0;
  Index labels_without_positives = 0;
  std::vector<MetricValue> metrics = {};  ///< in the order of docs/metrics.md
  std::vector<LabelQuality> per_label = {};

  /// The value of a metric; throws UsageError listing those there are.
  double operator[](const Metric& metric) const;
  /// The same by the name alone, under the convention of this evaluation.
  double operator[](std::string_view name) const;
};

/// Judges predictions row by row, in constant memory.
class Evaluator {
 public:
  /// Throws UsageError for a threshold that is not a number, or thresholds of the wrong count.
  Evaluator(Index labels, EvaluateOptions options = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  /// `unknown` are labels of which it is not known whether the row has them: it is judged by the
  /// others alone. Requires: one score per label, none NaN; truth and unknown ascending, and no
  /// label in both. Throws UsageError.
  void add(std::span<const double> scores, std::span<const LabelId> truth,
           std::span<const LabelId> unknown = {});
  Evaluation finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// All rows at once. `unknown` has ones where the truth is not known; null: it is all known. Throws
/// UsageError when the shapes differ.
Evaluation evaluate(const Matrix<double>& scores, const BinaryMatrix& truth,
                    const EvaluateOptions& options = {}, const BinaryMatrix* unknown = nullptr);

}  // namespace mugrad
