// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <cstdint>
#include <span>

namespace mugrad {

/// Whether all numbers are at most `most` in magnitude, and none is NaN.
bool all_within(std::span<const double> numbers, double most) noexcept;

/// For scores in `rows` rows of `width` entries: bit k of bits[row * stride] is set if entry k of
/// the row is at least thresholds[k]. Requires: width is a multiple of kLine<double> and at most
/// 64; scores and thresholds start on a cache line.
void reached_thresholds(Index rows, Index width, const double* scores, const double* thresholds,
                        Index stride, std::uint64_t* bits) noexcept;

}  // namespace mugrad
