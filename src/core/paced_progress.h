// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"

namespace mugrad {

/// Updates a progress once per `between` units of work, whatever the caller counts.
class PacedProgress {
 public:
  /// `progress` may be null.
  PacedProgress(Progress* progress, Index between) noexcept
      : progress_(progress), between_(between) {}

  /// Adds work, after which `share` of the whole is done. Throws InterruptedError.
  void add(Index work, double share) {
    since_ += work;
    if (since_ < between_) return;
    since_ = 0;
    advance(progress_, share);
  }

 private:
  Progress* progress_;
  Index between_;
  Index since_ = 0;
};

}  // namespace mugrad
