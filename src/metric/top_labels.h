// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <vector>

namespace mugrad {

/// precision@k and ndcg@k of one row at a time, for several k. A row costs O(T log max k) and
/// allocates nothing.
class TopLabels {
 public:
  /// Requires: every k of `at` between 1 and labels.
  TopLabels(Index labels, std::span<const Index> at, bool average_ties);

  /// Requires: a score of each label, or of fewer in a row that has fewer, none NaN; truth
  /// ascending.
  void assign(std::span<const double> scores, std::span<const LabelId> truth);

  /// Require: k is one of `at`, and not above the row's labels.
  double precision(Index k) const noexcept;
  /// 0 for a row without labels.
  double ndcg(Index k) const noexcept;

 private:
  void average_tied_gains(std::span<const double> scores, std::span<const LabelId> truth);

  bool average_ties_;
  std::vector<double> discount_;      ///< of each position: 1 / log2(position + 2)
  std::vector<double> ideal_;         ///< sums of the first discounts
  std::vector<LabelId> every_label_;  ///< 0 .. T - 1
  std::vector<char> is_relevant_;     ///< by label, all 0 between rows
  std::vector<LabelId> top_;          ///< the first labels, best first
  std::vector<double> gain_;          ///< of each of these positions
  std::size_t in_front_ = 0;          ///< number of positions that the row fills
  std::size_t relevant_ = 0;
};

}  // namespace mugrad
