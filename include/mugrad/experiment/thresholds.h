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

/// How the scores at which labels are predicted are chosen.
enum class ThresholdRule {
  keep,         ///< as the method has them
  one,          ///< the one for all labels that is best by a metric
  per_label,    ///< one per label; labels with too few positives to tell take the one for all
  cardinality,  ///< the one for all with which as many labels are predicted as there are
};

std::string_view to_string(ThresholdRule rule);
/// Throws UsageError listing the names there are.
ThresholdRule threshold_rule_named(std::string_view name);

/// What thresholds can be chosen by.
enum class ThresholdMetric {
  micro_f1,
  macro_f1,
  f1,  ///< the mean of the two
  hamming_loss,
};

std::string_view to_string(ThresholdMetric metric);
/// Throws UsageError listing the names there are.
ThresholdMetric threshold_metric_named(std::string_view name);
/// Empty when thresholds cannot be chosen by this one.
std::optional<ThresholdMetric> threshold_metric_of(Measure measure);

/// What each of many thresholds would have predicted, label by label, over rows whose labels are
/// known: all that choosing thresholds needs, in memory that does not grow with the rows.
class ThresholdCounts {
 public:
  /// Candidates lie in the range of the scores; `usual` is the threshold of the method.
  ThresholdCounts(Index labels, const ScoreRange& range, double usual);

  /// As Evaluator::add.
  void add(std::span<const double> scores, std::span<const LabelId> truth,
           std::span<const LabelId> unknown = {});

  /// One threshold per label by the rule, best by the metric (per label by `f1`: the best of those
  /// by micro-F1, those by macro-F1 and the one for all); among equally good ones the nearest to
  /// the usual one. Labels without a positive count as the convention says.
  std::vector<double> choose(ThresholdRule rule, ThresholdMetric metric,
                             Convention convention = Convention::sklearn) const;

  /// The value of a threshold metric at one threshold per label, each one of the candidates.
  double value(std::span<const double> thresholds, ThresholdMetric metric,
               Convention convention = Convention::sklearn) const;

  std::span<const double> candidates() const noexcept { return candidates_; }

 private:
  std::size_t place(Index label, std::size_t candidate) const noexcept {
    return static_cast<std::size_t>(label) * candidates_.size() + candidate;
  }

  Index labels_;
  double usual_;
  std::vector<double> candidates_;  ///< ascending
  /// Rows by the highest candidate that their score of a label reaches, label by label.
  std::vector<Index> positive_rows_, negative_rows_;
  std::vector<Index> positives_, negatives_;  ///< of each label, candidate reached or not
};

/// The one threshold, or the range of several.
std::string thresholds_text(const std::vector<double>& thresholds);

}  // namespace mugrad
