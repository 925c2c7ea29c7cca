// SPDX-License-Identifier: MIT
#pragma once

#include "metric/convention.h"

#include <array>
#include <span>
#include <vector>

namespace mugrad {

/// The position of a relevant label among all labels of its row.
struct Place {
  Index relevant = 0;    ///< relevant labels up to and including it
  Index irrelevant = 0;  ///< irrelevant labels before it

  Index rank() const noexcept { return relevant + irrelevant; }
};

/// The order of one row's labels by score. A row with r of T labels costs O(T log r): only the
/// relevant labels are sorted, the others are counted. Allocates only in the constructor.
class RowRanking {
 public:
  explicit RowRanking(Index labels);

  /// Requires: one score per label, none NaN; truth ascending, not empty. Both must outlive the
  /// calls of places().
  void assign(std::span<const double> scores, std::span<const LabelId> truth);

  /// The places of the relevant labels, best first.
  std::span<const Place> places(Ties ties);

 private:
  template <class StandsBefore>
  void count_irrelevant(std::vector<Place>& places, StandsBefore stands_before) const;
  void count_relevant(std::vector<Place>& places, Ties ties) const;

  std::span<const double> scores_;
  std::span<const LabelId> truth_;
  std::vector<LabelId> relevant_;             ///< truth, by descending score, then descending index
  std::array<std::vector<Place>, 3> places_;  ///< by Ties; empty: not computed for this row
};

/// Values for one row; docs/metrics.md has the formulas. Require: places not empty.
double average_precision(std::span<const Place> places) noexcept;
double coverage(std::span<const Place> places) noexcept;
double one_error(std::span<const Place> places) noexcept;
/// 0 for a row that has every label.
double ranking_loss(std::span<const Place> places, Index labels) noexcept;

}  // namespace mugrad
