// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>

namespace mugrad {

/// How often a row counts; without weights, once.
inline double weight_of(std::span<const double> row_weights, Index row) noexcept {
  return row_weights.empty() ? 1 : row_weights[static_cast<std::size_t>(row)];
}

}  // namespace mugrad
