// SPDX-License-Identifier: MIT
#pragma once

#include "method/bag.h"

#include <mugrad/method/ecc.h>

namespace mugrad {

/// The bag of a member, out of so many rows, which depends on nothing but these and the seed.
/// Requires: rows > 0.
Bag draw_bag(Sampling sampling, Index rows, std::uint64_t seed, Index member);

}  // namespace mugrad
