// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// How many threads to use. The number never changes a result.
struct Threads {
  /// More would cost much and gain nothing.
  static constexpr int kMost = 1024;

  int count = 0;  ///< 0: one per core this process may run on

  /// At least 1. Throws UsageError for a count that is negative or above kMost.
  int resolved() const;
  /// As many, but no more than there are pieces of work for.
  Threads at_most(Index pieces) const;
};

}  // namespace mugrad
