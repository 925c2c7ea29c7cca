// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad::blas {

/// OpenBLAS keeps one thread count per process. Its own threads would make sums depend on the
/// number of cores, so it gets one before its first call.
void use_one_thread() noexcept;

/// A row-major operand of a product: where it starts, how far its rows are apart, and whether it
/// is taken transposed.
template <class Real>
struct Operand {
  const Real* data;
  Index stride;
  bool transposed = false;
};

/// c (m x n, rows `c_stride` apart) = a (m x k) * b (k x n) + beta * c, on the calling thread
/// alone: the library's own loops decide what runs in parallel.
template <class Real>
void multiply(Index m, Index n, Index k, Operand<Real> a, Operand<Real> b, Real beta, Real* c,
              Index c_stride) noexcept;

/// The upper triangle of c (cols x cols) = a' a of a row-major a (rows x cols), on the calling
/// thread alone.
void multiply_with_itself(Index rows, Index cols, const double* a, double* c) noexcept;

}  // namespace mugrad::blas
