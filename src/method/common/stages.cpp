// SPDX-License-Identifier: MIT
#include "method/common/stages.h"

#include <mugrad/core/error.h>
#include <mugrad/solver/progress.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {

void Stages::enter(double begin, double end) noexcept {
  begin_ = begin;
  end_ = end;
}

bool Stages::tell_whole(double share) {
  told_ = std::max(told_, share);
  return whole_ == nullptr || whole_->observe_share(told_);
}

bool Stages::tell(double share) {
  return tell_whole(begin_ + std::clamp(share, 0.0, 1.0) * (end_ - begin_));
}

void Stages::advance(double share) {
  if (!tell(share)) throw_interrupted();
}

void Stages::check() {
  if (!tell_whole(told_)) throw_interrupted();
}

bool Stages::observe(const IterationState& state) { return tell(share_done(state, stopping_)); }

bool Stages::observe_within(double) { return tell_whole(told_); }

void throw_interrupted() { throw InterruptedError("training was interrupted"); }

void throw_unless_usable(const SolveReport& report) {
  if (report.stop == Stop::interrupted) throw_interrupted();
  if (report.stop != Stop::diverged) return;
  throw DivergenceError(
      fmt::format("training diverged: the residual is {:.3g}, from {:.3g} at the start",
                  report.residual, report.first_residual));
}

}  // namespace mugrad
