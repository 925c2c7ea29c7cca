// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Labels with fewer positives use the threshold for all. With 3 instead of 10, macro-F1 was no
/// better on test parts, and micro-F1 far worse; with 20 or more, macro-F1 was worse.
inline constexpr Index kPositivesForOwnThreshold = 10;

/// How the score thresholds of the labels are chosen.
enum class ThresholdRule {
  keep,  ///< the thresholds of the method
  /// The best for all labels by a metric, if it improves the metric by more than the standard error
  /// of the improvement; otherwise the usual one.
  one,
  per_label,    ///< one per label; those with few positives use the one for all
  cardinality,  ///< one for all that predicts as many labels as there are true ones
};

std::string_view to_string(ThresholdRule rule);
/// Throws UsageError listing the valid names.
ThresholdRule threshold_rule_named(std::string_view name);

/// Metrics that thresholds can optimise.
enum class ThresholdMetric {
  micro_f1,
  macro_f1,
  f1,  ///< the mean of the two
  hamming_loss,
};

std::string_view to_string(ThresholdMetric metric);
/// Throws UsageError listing the valid names.
ThresholdMetric threshold_metric_named(std::string_view name);
/// Empty if thresholds cannot optimise this metric.
std::optional<ThresholdMetric> threshold_metric_of(Measure measure);

/// What thresholds must reach on held-out rows, instead of the best value of a metric.
struct ThresholdTarget {
  enum class Quantity { precision, recall };
  Quantity quantity = Quantity::precision;
  double value = 0;  ///< in (0, 1]
};

/// Counts, for each label and each candidate threshold, what the threshold would predict on rows
/// with known labels. This suffices to choose thresholds, and memory does not grow with the rows.
class ThresholdCounts {
 public:
  /// Candidates are in the range of the scores; `usual` is the threshold of the method.
  ThresholdCounts(Index labels, const ScoreRange& range, double usual);

  /// As Evaluator::add.
  void add(std::span<const double> scores, std::span<const LabelId> truth,
           std::span<const LabelId> unknown = {});
  /// Adds rows in which a label has this score.
  void add(Index label, double score, Index positives, Index negatives);

  /// One threshold per label by the rule, best by the metric. For `per_label` and `f1` it is the
  /// best of the thresholds by micro-F1, those by macro-F1 and the one for all. Ties go to the
  /// threshold nearest to the usual one. The one for all is the usual one unless the best improves
  /// the metric by more than the standard error of the improvement, with the counts of rows between
  /// the two thresholds as independent Poisson variables. Labels without positives count as the
  /// convention says.
  ///
  /// With a target, the metric is not used: of the thresholds with at least this precision, the one
  /// with the highest recall is chosen, and vice versa; if none reaches it, the one that comes
  /// closest. `one` pools all labels, `per_label` does so for each; `cardinality` has no target.
  std::vector<double> choose(ThresholdRule rule, ThresholdMetric metric,
                             Convention convention = Convention::sklearn,
                             const std::optional<ThresholdTarget>& target = {}) const;

  /// The value of a metric at one threshold per label, each of them a candidate.
  double value(std::span<const double> thresholds, ThresholdMetric metric,
               Convention convention = Convention::sklearn) const;

  std::span<const double> candidates() const noexcept { return candidates_; }

  /// How many numbers hold the counts of one label.
  std::size_t numbers_per_label() const noexcept { return 2 * candidates_.size() + 2; }
  /// The counts as numbers, label after label, to send or to store them.
  std::vector<Index> numbers() const;
  /// Adds such numbers of these labels. Requires: `numbers` has numbers_per_label() for each.
  void add_numbers(std::span<const LabelId> labels, std::span<const Index> numbers);

 private:
  std::size_t place(Index label, std::size_t candidate) const noexcept {
    return as_size(label) * candidates_.size() + candidate;
  }

  Index labels_;
  double usual_;
  std::vector<double> candidates_;  ///< ascending
  /// For each label, the number of rows by the highest candidate that their score reaches.
  std::vector<Index> positive_rows_, negative_rows_;
  std::vector<Index> positives_, negatives_;  ///< of each label in total
};

/// The common threshold, or the range of several.
std::string thresholds_text(const std::vector<double>& thresholds);

}  // namespace mugrad
