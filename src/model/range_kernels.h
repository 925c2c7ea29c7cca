// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace mugrad {

/// Whether no number is larger than `most` in magnitude, and none is NaN.
bool all_within(std::span<const double> numbers, double most) noexcept;

}  // namespace mugrad
