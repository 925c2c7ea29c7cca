// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace mugrad {

/// Ranks from 1, the least value first; ties share the mean of their ranks, so a rank is a multiple
/// of one half. Requires: none NaN.
std::vector<double> mid_ranks(std::span<const double> values);

/// Throws UsageError naming the first value that is not finite; `what` is the noun for a value.
void check_finite(std::span<const double> values, std::string_view what);

}  // namespace mugrad
