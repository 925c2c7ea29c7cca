// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/ecc.h>

#include <vector>

namespace mugrad {

/// The examples that a member of an ensemble is trained on.
struct Bag {
  std::vector<Index> rows;     ///< those that count the same side by side
  std::vector<double> counts;  ///< how often each counts, > 0; empty: once
};

/// The bag of a member, out of so many rows, which depends on nothing but these and the seed.
/// Requires: rows > 0.
Bag draw_bag(Sampling sampling, Index rows, std::uint64_t seed, Index member);

}  // namespace mugrad
