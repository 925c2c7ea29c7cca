// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>

namespace mugrad {

/// The weight of a row; 1 without weights.
inline double weight_of(std::span<const double> row_weights, Index row) noexcept {
  return row_weights.empty() ? 1 : row_weights[as_size(row)];
}

}  // namespace mugrad
