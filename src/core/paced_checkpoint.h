// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/checkpoint.h>
#include <mugrad/core/types.h>

namespace mugrad {

/// Text that is written between two calls of a checkpoint: some milliseconds.
constexpr Index kBytesBetweenCheckpoints = 1 << 20;

/// Calls a checkpoint once per `between` units of work, whatever the caller counts. Requires: the
/// checkpoint outlives this.
class PacedCheckpoint {
 public:
  PacedCheckpoint(const Checkpoint& checkpoint, Index between) noexcept
      : checkpoint_(checkpoint), between_(between) {}

  /// So much more has been done.
  void add(Index work) {
    since_ += work;
    if (since_ < between_) return;
    since_ = 0;
    checkpoint_();
  }

 private:
  const Checkpoint& checkpoint_;
  Index between_;
  Index since_ = 0;
};

}  // namespace mugrad
