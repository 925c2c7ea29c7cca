// SPDX-License-Identifier: MIT
#pragma once

#include "metric/score_order.h"

#include <mugrad/metric/evaluate.h>

#include <deque>
#include <span>
#include <vector>

namespace mugrad {

/// All scores of an evaluation, up to a limit; about 8 bytes each.
class KeptScores {
 public:
  KeptScores(Index labels, Index most) : labels_(labels), most_(most) {}

  /// Requires: as Evaluator::add. A row beyond the limit discards all scores.
  void add(std::span<const double> scores, std::span<const LabelId> truth,
           std::span<const LabelId> unknown);

  /// Whether there is room for at least one row and no score was discarded.
  bool are_complete() const noexcept { return most_ >= labels_ && !are_discarded_; }

  /// The scores of all known labels, sorted.
  ScoresByTruth of_all() const;
  /// The mean over the labels of the area under the ROC curve, without those that have one class
  /// only in the rows in which they are known.
  MetricValue macro_auc(const Metric& metric) const;

 private:
  void put(std::size_t place, ScoresByTruth& to) const;

  Index labels_;
  Index most_;
  bool are_discarded_ = false;
  std::deque<double> scores_;  ///< row by row, NaN if unknown; a deque grows without copying
  std::vector<bool> is_true_;
};

}  // namespace mugrad
