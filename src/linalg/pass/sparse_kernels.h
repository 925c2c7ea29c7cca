// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <cstdint>

namespace mugrad {

/// Rows of a sparse matrix: the entries of row i are [start[i], start[i + 1]).
template <class Real>
struct SparseRows {
  Index count;
  const Index* start;
  const std::int32_t* column;
  const Real* value;
};

/// out = 1 offset' + rows * panel. Panel and out have rows of `width` entries, offset is one.
/// Requires: width is a multiple of kLine<Real>; panel, offset and out start on a cache line.
void multiply_rows(const SparseRows<float>& rows, const float* panel, const float* offset,
                   Index width, float* out) noexcept;
void multiply_rows(const SparseRows<double>& rows, const double* panel, const double* offset,
                   Index width, double* out) noexcept;
/// The same, summed in double though the panel is stored in half the bytes. Requires: width is a
/// multiple of kLine<double>.
void multiply_rows(const SparseRows<double>& rows, const float* panel, const double* offset,
                   Index width, double* out) noexcept;

/// sums(target[i]) += row i of rows * panel, for every i; requirements as above.
void add_rows(const SparseRows<float>& rows, const std::int32_t* target, const float* panel,
              Index width, float* sums) noexcept;
void add_rows(const SparseRows<double>& rows, const std::int32_t* target, const double* panel,
              Index width, double* sums) noexcept;

}  // namespace mugrad
