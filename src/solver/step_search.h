// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <vector>

namespace mugrad {

/// The step length of each column along its direction: 1, and less if that proves too long.
class StepSearch {
 public:
  explicit StepSearch(Index columns)
      : step_(as_size(columns), 1),
        slope_(step_.size(), 0),
        trial_slope_(step_.size(), 0),
        misled_(step_.size(), 0),
        fresh_(step_.size(), 1),
        accepted_(step_.size(), 1) {}

  /// Columns that need a new direction: their last trial was accepted, or was hopeless.
  std::span<const char> fresh() const noexcept { return fresh_; }
  bool any_fresh() const noexcept;
  /// Whether a new direction must not use the pairs that misled the last one.
  bool is_misled(std::size_t t) const noexcept { return misled_[t] != 0; }
  /// Starts column t along a direction with this slope, direction . F.
  void begin(std::size_t t, double slope) noexcept;
  void set_slope(std::size_t t, double slope) noexcept { slope_[t] = slope; }
  double slope(std::size_t t) const noexcept { return slope_[t]; }
  /// Excludes a column from further steps.
  void stand_still(std::size_t t) noexcept { fresh_[t] = 0; }

  /// The step lengths to try next, one per column.
  std::span<const double> steps() const noexcept { return step_; }
  /// Decides on the trials. `along` is the change of F along the tried move; `is_bad` marks trials
  /// that overflowed, `is_done` columns that took no part.
  void decide(std::span<const double> along, std::span<const char> is_bad,
              std::span<const char> is_done) noexcept;
  std::span<const char> accepted() const noexcept { return accepted_; }
  /// move . F before the moves that were decided on.
  std::span<const double> trial_slopes() const noexcept { return trial_slope_; }

  void keep_columns(std::span<const Index> kept);

 private:
  std::vector<double> step_, slope_, trial_slope_;
  std::vector<char> misled_, fresh_, accepted_;
};

}  // namespace mugrad
