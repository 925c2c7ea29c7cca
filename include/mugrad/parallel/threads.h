// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad {

/// How many threads to use. The number never changes a result.
struct Threads {
  int count = 0;  ///< 0: one per core this process may run on

  /// At least 1.
  int resolved() const;
};

}  // namespace mugrad
