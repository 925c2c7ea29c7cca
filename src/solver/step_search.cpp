// SPDX-License-Identifier: MIT
#include "solver/step_search.h"

#include "solver/keep_entries.h"

#include <algorithm>
#include <cmath>

namespace mugrad {

bool StepSearch::any_fresh() const noexcept { return std::ranges::find(fresh_, 1) != fresh_.end(); }

void StepSearch::begin(std::size_t t, double slope) noexcept {
  step_[t] = 1;
  slope_[t] = slope;
  misled_[t] = 0;
}

/// A trial is accepted unless the slope at its end points up again, about as steeply as it pointed
/// down before. In that case the next trial is where the slope should vanish.
void StepSearch::decide(std::span<const double> along, std::span<const char> is_bad,
                        std::span<const char> is_done) noexcept {
  constexpr double kTooFar = 0.5;
  constexpr double kShortest = 0.1;
  constexpr double kLongest = 0.7;
  // Steps become this short if a task has had almost no curvature; shorter ones are misleading.
  constexpr double kHopeless = 1e-9;
  for (std::size_t t = 0; t < step_.size(); ++t) {
    const double before = std::fabs(slope_[t]);
    const double after = slope_[t] + along[t] / step_[t];
    trial_slope_[t] = is_done[t] ? 0 : step_[t] * slope_[t];
    accepted_[t] = !is_done[t] && !is_bad[t] && after <= kTooFar * before ? 1 : 0;
    fresh_[t] = accepted_[t];
    if (accepted_[t] || is_done[t]) continue;
    step_[t] *= is_bad[t] ? kShortest : std::clamp(before / (before + after), kShortest, kLongest);
    if (step_[t] < kHopeless) misled_[t] = fresh_[t] = 1;
  }
}

void StepSearch::keep_columns(std::span<const Index> kept) {
  for (auto* numbers : {&step_, &slope_, &trial_slope_}) keep_entries(*numbers, kept);
  for (auto* flags : {&misled_, &fresh_, &accepted_}) keep_entries(*flags, kept);
}

}  // namespace mugrad
