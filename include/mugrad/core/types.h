// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace mugrad {

/// Counts and positions: rows, non-zeros, sizes.
using Index = std::int64_t;
/// Column of the feature matrix, 0-based. 32 bits: it is stored once per non-zero.
using FeatureId = std::int32_t;
/// Column of the label matrix, 0-based. 32 bits: it is stored once per positive.
using LabelId = std::int32_t;

}  // namespace mugrad
