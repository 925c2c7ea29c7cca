// SPDX-License-Identifier: MIT
#pragma once

#include "programs/clock.h"

#include <mugrad/solver/solve.h>

namespace mugrad::bench {

/// Stops a run that takes longer than it may.
class TimeLimit final : public Observer {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}
  bool observe(const IterationState& state) override {
    passes_ = state.iteration + 1;
    return watch_.seconds() < seconds_;
  }
  bool observe_within(double) override { return watch_.seconds() < seconds_; }
  /// Over the data; of the plain iteration, which needs one per iterate.
  Index passes() const noexcept { return passes_; }

 private:
  double seconds_;
  Stopwatch watch_;
  Index passes_ = 0;
};

}  // namespace mugrad::bench
