// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/linalg/matrix.h>

#include <cstdint>
#include <span>

namespace mugrad {

/// Rows of a sparse matrix: the entries of row i are [start[i], start[i + 1]).
template <class Real>
struct SparseRows {
  Index count;
  const Index* start;
  const std::int32_t* column;
  const Real* value;
  /// What is read or summed by column is larger than the nearer caches, so it is fetched ahead.
  bool is_far = false;
};

/// out = 1 offset' + rows * panel. Panel and out have rows of `width` entries, offset is one.
/// Requires: width is a multiple of kLine<Real>; panel, offset and out start on a cache line.
void multiply_rows(const SparseRows<float>& rows, const float* panel, const float* offset,
                   Index width, float* out) noexcept;
void multiply_rows(const SparseRows<double>& rows, const double* panel, const double* offset,
                   Index width, double* out) noexcept;
/// The same, summed in double, with a panel stored in single precision. Requires: width is a
/// multiple of kLine<double>.
void multiply_rows(const SparseRows<double>& rows, const float* panel, const double* offset,
                   Index width, double* out) noexcept;

/// sums(target[i]) += row i of rows * panel, for every i; requirements as above.
void add_rows(const SparseRows<float>& rows, const std::int32_t* target, const float* panel,
              Index width, float* sums) noexcept;
void add_rows(const SparseRows<double>& rows, const std::int32_t* target, const double* panel,
              Index width, double* sums) noexcept;

/// Products of a dense matrix and a panel of a single cache line, of which `columns` are filled:
/// too narrow for the packing of a BLAS to be worthwhile. `a` is rows x cols.

/// The filled columns of out (rows x kLine<Real>) = a * panel (cols x kLine<Real>).
void multiply_narrow(Index rows, Index cols, const float* a, const float* panel, Index columns,
                     float* out) noexcept;
void multiply_narrow(Index rows, Index cols, const double* a, const double* panel, Index columns,
                     double* out) noexcept;

/// The filled columns of sums (cols x kLine<Real>) += a' * panel (rows x kLine<Real>).
void add_narrow(Index rows, Index cols, const float* a, const float* panel, Index columns,
                float* sums) noexcept;
void add_narrow(Index rows, Index cols, const double* a, const double* panel, Index columns,
                double* sums) noexcept;

/// sums[t] += sum over the rows [begin, end) of a(k, t) b(k, t), for every column t.
template <class Real>
void add_column_dots(const Matrix<Real>& a, const Matrix<Real>& b, Index begin, Index end,
                     std::span<double> sums) noexcept;

/// Rows [begin, end) of `to` += sum over i of factors[i cols + t] terms[i](k, t), for every column
/// t.
template <class Real>
void add_scaled_columns(std::span<const Matrix<Real>* const> terms, std::span<const Real> factors,
                        Index begin, Index end, Matrix<Real>& to) noexcept;

}  // namespace mugrad
