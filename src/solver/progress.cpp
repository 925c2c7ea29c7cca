// SPDX-License-Identifier: MIT
#include <mugrad/solver/progress.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

double share_fallen(const IterationState& state, const Stopping& stopping) noexcept {
  if (state.residual <= 0) return 1;
  const double relative_to =
      stopping.reference_residual > 0 ? stopping.reference_residual : state.first_residual;
  const double goal = stopping.tolerance * relative_to;
  if (!(goal > 0)) return 0;
  if (state.residual <= goal) return 1;
  const double digits = std::log(state.first_residual / goal);
  return digits > 0 ? std::log(state.first_residual / state.residual) / digits : 0;
}

}  // namespace

double share_done(const IterationState& state, const Stopping& stopping) noexcept {
  const double by_count =
      static_cast<double>(state.iteration) / static_cast<double>(stopping.max_iterations);
  const double by_residual = share_fallen(state, stopping);
  // A residual that is no number counts for nothing.
  return std::clamp(by_residual > by_count ? by_residual : by_count, 0.0, 1.0);
}

}  // namespace mugrad
