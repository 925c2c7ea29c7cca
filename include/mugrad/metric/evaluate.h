// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/metric/metric.h>

#include <limits>
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
  /// The k of precision@k and ndcg@k; those above the number of labels are omitted.
  std::vector<Index> at = {1, 3, 5};
  /// Scores are the probabilities of the labels. If not, metrics of probabilities are omitted.
  bool are_probabilities = false;
  /// Metrics of all scores together (areas under the curve and the calibration error) are reported
  /// for at most this many scores, rows x labels. These are kept in memory, at about 8 bytes each,
  /// and `finish` takes as much again. 0: none are kept, and these metrics are omitted.
  Index most_kept_scores = 0;
};

/// The usual most_kept_scores where all metrics are wanted: up to 350 MB.
inline constexpr Index kUsualKeptScores = 20'000'000;
/// Any number of scores.
inline constexpr Index kAllScores = std::numeric_limits<Index>::max();

/// Whether a score is in [0, 1]. Sums of probabilities may be beyond by rounding.
constexpr bool is_probability(double score) noexcept {
  constexpr double kRounding = 1e-12;
  return score >= -kRounding && score <= 1 + kRounding;
}

struct MetricValue {
  Metric metric = {};
  double value = 0;   ///< NaN if every row or label was skipped
  Index skipped = 0;  ///< rows (labels, for macro-f1 and macro-auc) excluded from the mean
};

/// Counts of one label over all rows.
struct LabelCounts {
  Index true_positives = 0;
  Index false_positives = 0;
  Index false_negatives = 0;
};

struct LabelQuality {
  Index positives = 0;  ///< rows that have the label
  Index predicted = 0;  ///< rows with a prediction of the label
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

  /// The value of a metric; throws UsageError listing the available ones.
  double operator[](const Metric& metric) const;
  /// The same by name, under the convention of this evaluation.
  double operator[](std::string_view name) const;
};

/// Evaluates predictions row by row, in constant memory unless scores are kept.
class Evaluator {
 public:
  /// Throws UsageError if a threshold is NaN or their number is wrong.
  Evaluator(Index labels, EvaluateOptions options = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  /// Labels in `unknown` are ignored for this row.
  /// Requires: one score per label, none NaN, and none outside [0, 1] if they are probabilities;
  /// truth and unknown ascending and disjoint. Throws UsageError.
  void add(std::span<const double> scores, std::span<const LabelId> truth,
           std::span<const LabelId> unknown = {});
  Evaluation finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Evaluates all rows at once. `unknown` has ones where the truth is unknown; null: all is known.
/// Throws UsageError if the shapes differ.
Evaluation evaluate(const Matrix<double>& scores, const BinaryMatrix& truth,
                    const EvaluateOptions& options = {}, const BinaryMatrix* unknown = nullptr);

}  // namespace mugrad
