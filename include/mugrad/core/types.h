// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mugrad {

/// Counts and positions: rows, non-zeros, sizes.
using Index = std::int64_t;
/// Column of the feature matrix, 0-based. 32 bits: it is stored once per non-zero.
using FeatureId = std::int32_t;
/// Column of the label matrix, 0-based. 32 bits: it is stored once per positive.
using LabelId = std::int32_t;

/// Converts a count or position to the type of standard containers: `thresholds[as_size(label)]`.
constexpr std::size_t as_size(std::integral auto n) noexcept {
  assert(n >= 0);
  return static_cast<std::size_t>(n);
}

/// Converts a count or position of a standard container to Index.
constexpr Index as_index(std::integral auto n) noexcept {
  assert(std::in_range<Index>(n));
  return static_cast<Index>(n);
}

}  // namespace mugrad
