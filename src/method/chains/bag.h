// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <numeric>
#include <vector>

namespace mugrad {

/// The examples that a member of an ensemble is trained on.
struct Bag {
  std::vector<Index> rows;          ///< those that count the same side by side
  std::vector<double> counts = {};  ///< how often each counts, > 0; empty: once

  /// How many examples it counts for.
  double total() const noexcept {
    if (counts.empty()) return static_cast<double>(rows.size());
    return std::accumulate(counts.begin(), counts.end(), 0.0);
  }
};

}  // namespace mugrad
