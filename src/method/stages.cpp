// SPDX-License-Identifier: MIT
#include "method/stages.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {

void Stages::enter(double begin, double end) noexcept {
  begin_ = begin;
  end_ = end;
}

bool Stages::tell(double share) const {
  return whole_ == nullptr ||
         whole_->observe_share(begin_ + std::clamp(share, 0.0, 1.0) * (end_ - begin_));
}

void Stages::advance(double share) const {
  if (!tell(share)) throw InterruptedError("training was interrupted");
}

/// By how far the residual has fallen on the way to the tolerance, digit by digit.
bool Stages::observe(const IterationState& state) {
  const double fallen = state.residual > 0 ? state.first_residual / state.residual : 1;
  const double wanted = stopping_.tolerance > 0 ? -std::log(stopping_.tolerance) : 1;
  return tell(std::log(std::max(1.0, fallen)) / wanted);
}

void throw_unless_usable(const SolveReport& report) {
  if (report.stop == Stop::interrupted) throw InterruptedError("training was interrupted");
  if (report.stop != Stop::diverged) return;
  throw DivergenceError(
      fmt::format("training diverged: the residual is {:.3g}, from {:.3g} at the start",
                  report.residual, report.first_residual));
}

}  // namespace mugrad
