// SPDX-License-Identifier: MIT
#pragma once

#include "method/chains/bag.h"

#include <mugrad/method/ecc.h>

#include <span>

namespace mugrad {

// Examples count as their weights say, each >= 0; without any, once.

/// All examples that count, as often as they do.
Bag every_example(Index rows, std::span<const double> row_weights);

/// The bag of a member, which depends on nothing but the number of examples, their weights and the
/// seed. A bootstrap draws as many examples as count, each as likely as it counts, and counts for
/// as much as all; a subset draws among those that count and leaves them their weights. Requires:
/// an example that counts.
Bag draw_bag(Sampling sampling, Index rows, std::span<const double> row_weights, std::uint64_t seed,
             Index member);

/// The share of the examples that a bag has, each once, about.
double share_of_bag(Sampling sampling) noexcept;

}  // namespace mugrad
