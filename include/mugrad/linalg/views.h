// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <cstdint>
#include <span>

namespace mugrad {

// Matrices that lie elsewhere; views are cheap to copy and own nothing. Real is float or double.

/// A dense matrix, row by row without gaps.
template <class Real>
struct DenseView {
  using Value = Real;
  Index rows = 0, cols = 0;
  const Real* data = nullptr;

  std::span<const Real> row(Index row) const noexcept {
    return {data + row * cols, static_cast<std::size_t>(cols)};
  }
};

/// Where the entries of a sparse matrix are, row by row. The columns of each row ascend, none
/// twice.
struct CsrPattern {
  Index rows = 0, cols = 0;
  /// rows + 1 positions into column. The first need not be 0, so that some rows of a matrix are a
  /// view as well. May be null where there are no rows.
  const Index* row_start = nullptr;
  const std::int32_t* column = nullptr;

  Index first() const noexcept { return rows == 0 ? 0 : row_start[0]; }
  Index stored() const noexcept { return rows == 0 ? 0 : row_start[rows] - row_start[0]; }
  std::span<const std::int32_t> row_columns(Index row) const noexcept {
    return {column + row_start[row], static_cast<std::size_t>(row_start[row + 1] - row_start[row])};
  }
};

/// A sparse matrix: the pattern and its values. Entries may be zero.
template <class Real>
struct CsrView {
  using Value = Real;
  Index rows = 0, cols = 0;
  const Index* row_start = nullptr;  ///< as those of CsrPattern
  const std::int32_t* column = nullptr;
  const Real* value = nullptr;

  CsrPattern pattern() const noexcept { return {rows, cols, row_start, column}; }
  std::span<const std::int32_t> row_columns(Index row) const noexcept {
    return pattern().row_columns(row);
  }
  std::span<const Real> row_values(Index row) const noexcept {
    return {value + row_start[row], static_cast<std::size_t>(row_start[row + 1] - row_start[row])};
  }
};

}  // namespace mugrad
