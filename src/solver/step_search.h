// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <vector>

namespace mugrad {

/// How far each column goes along its direction: all the way, and less where that proves too far.
class StepSearch {
 public:
  explicit StepSearch(Index columns)
      : step_(static_cast<std::size_t>(columns), 1),
        slope_(step_.size(), 0),
        trial_slope_(step_.size(), 0),
        misled_(step_.size(), 0),
        fresh_(step_.size(), 1),
        accepted_(step_.size(), 1) {}

  /// Columns that are to get a new direction: their last trial was taken, or was hopeless.
  std::span<const char> fresh() const noexcept { return fresh_; }
  bool any_fresh() const noexcept;
  /// Whether a new direction must not come from what misled the last one.
  bool is_misled(std::size_t t) const noexcept { return misled_[t] != 0; }
  /// Column t goes along a direction with this slope, direction . F.
  void begin(std::size_t t, double slope) noexcept;
  void set_slope(std::size_t t, double slope) noexcept { slope_[t] = slope; }
  double slope(std::size_t t) const noexcept { return slope_[t]; }
  /// A column that takes no more part.
  void stand_still(std::size_t t) noexcept { fresh_[t] = 0; }

  /// Per column, the share of the direction to try next.
  std::span<const double> steps() const noexcept { return step_; }
  /// Decides on the trials. `along` is the change of F along the move tried; `is_bad` says where
  /// the trial ended in infinity, `is_done` which columns took no part.
  void judge(std::span<const double> along, std::span<const char> is_bad,
             std::span<const char> is_done) noexcept;
  std::span<const char> accepted() const noexcept { return accepted_; }
  /// move . F before the moves that were judged.
  std::span<const double> trial_slopes() const noexcept { return trial_slope_; }

  void keep_columns(std::span<const Index> kept);

 private:
  std::vector<double> step_, slope_, trial_slope_;
  std::vector<char> misled_, fresh_, accepted_;
};

}  // namespace mugrad
