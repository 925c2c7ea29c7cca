// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/method/ecc.h>

#include <numeric>
#include <span>
#include <vector>

namespace mugrad {

/// The training examples of an ensemble member.
struct Bag {
  std::vector<Index> rows;          ///< examples of equal weight are side by side
  std::vector<double> counts = {};  ///< weights, > 0; empty: all 1

  /// The total weight.
  double total() const noexcept {
    if (counts.empty()) return static_cast<double>(rows.size());
    return std::accumulate(counts.begin(), counts.end(), 0.0);
  }
};

// Weights of examples are >= 0; without any, they are 1.

/// The bag of a member, which depends on nothing but the number of examples, their weights and the
/// seed. A bootstrap draws as many examples as count, each as likely as it counts, and counts for
/// as much as all; a subset draws among those that count and leaves them their weights. Requires:
/// an example that counts.
Bag draw_bag(Sampling sampling, Index rows, std::span<const double> row_weights, std::uint64_t seed,
             Index member);

/// The approximate share of the examples that are in a bag, each counted once.
double share_of_bag(Sampling sampling) noexcept;

}  // namespace mugrad
