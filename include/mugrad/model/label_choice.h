// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <vector>

namespace mugrad {

/// Turns the scores of a row into the labels predicted, best first; ties by the lower label.
class LabelChoice {
 public:
  /// The labels whose score reaches their threshold.
  static LabelChoice by_threshold(std::vector<double> thresholds);
  /// The k labels with the highest scores, or all where there are fewer. Throws UsageError when
  /// k < 1.
  static LabelChoice top(Index k);

  /// Valid until the next call.
  std::span<const LabelId> choose(std::span<const double> scores);

 private:
  LabelChoice() = default;

  std::vector<double> thresholds_;  ///< empty: the top k
  Index k_ = 0;
  std::vector<LabelId> chosen_;
};

}  // namespace mugrad
