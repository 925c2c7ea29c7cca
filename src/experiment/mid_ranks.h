// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

namespace mugrad {

/// Ranks from 1, the least value first; equals share the mean of their ranks, so that a rank is a
/// multiple of one half. Requires: none NaN.
std::vector<double> mid_ranks(std::span<const double> values);

}  // namespace mugrad
