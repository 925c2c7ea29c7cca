// SPDX-License-Identifier: MIT
#pragma once

#include "programs/clock.h"

#include <mugrad/core/progress.h>

namespace mugrad::bench {

/// Stops a run that takes longer than it may.
class TimeLimit final : public Progress {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}
  bool update(double /*share*/) override { return watch_.seconds() < seconds_; }
  void iterate(const Iterate& iterate) override { passes_ = iterate.iteration + 1; }
  /// Over the data; of the plain iteration, which needs one per iterate.
  Index passes() const noexcept { return passes_; }

 private:
  double seconds_;
  Stopwatch watch_;
  Index passes_ = 0;
};

}  // namespace mugrad::bench
