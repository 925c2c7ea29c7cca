// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad::blas {

/// A row-major operand of a product: where it starts, how far its rows are apart, and whether it
/// is taken transposed.
template <class Real>
struct Operand {
  const Real* data;
  Index stride;
  bool transposed = false;
};

/// c (m x n, rows `c_stride` apart) = a (m x k) * b (k x n) + beta * c, on the calling thread
/// alone: the library's own loops decide what runs in parallel. Throws std::bad_alloc where there
/// is no memory for OpenBLAS's scratch (linalg/dense/workspace.h), as all of its callers do.
template <class Real>
void multiply(Index m, Index n, Index k, Operand<Real> a, Operand<Real> b, Real beta, Real* c,
              Index c_stride);

/// The upper triangle of c (cols x cols) = a' a of a row-major a (rows x cols), on the calling
/// thread alone.
void multiply_with_itself(Index rows, Index cols, const double* a, double* c);

}  // namespace mugrad::blas
