// SPDX-License-Identifier: MIT
#include "solver/share_done.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

double share_fallen(const Iterate& iterate, const Stopping& stopping) noexcept {
  if (iterate.residual <= 0) return 1;
  const double relative_to =
      stopping.reference_residual > 0 ? stopping.reference_residual : iterate.first_residual;
  const double goal = stopping.tolerance * relative_to;
  if (!(goal > 0)) return 0;
  if (iterate.residual <= goal) return 1;
  const double digits = std::log(iterate.first_residual / goal);
  return digits > 0 ? std::log(iterate.first_residual / iterate.residual) / digits : 0;
}

}  // namespace

double share_done(const Iterate& iterate, const Stopping& stopping) noexcept {
  const double by_count =
      static_cast<double>(iterate.iteration) / static_cast<double>(stopping.max_iterations);
  const double by_residual = share_fallen(iterate, stopping);
  // A residual that is no number counts for nothing.
  return std::clamp(by_residual > by_count ? by_residual : by_count, 0.0, 1.0);
}

}  // namespace mugrad
