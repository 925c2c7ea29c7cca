// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad::blas {

/// A row-major operand of a product: its start, the distance of its rows, and whether it is
/// transposed.
template <class Real>
struct Operand {
  const Real* data;
  Index stride;
  bool transposed = false;
};

/// c (m x n, rows `c_stride` apart) = a (m x k) * b (k x n) + beta * c, on the calling thread only:
/// the library's own loops decide what runs in parallel. Throws std::bad_alloc if there is no
/// memory for OpenBLAS's scratch (linalg/dense/workspace.h), as all of its callers do.
template <class Real>
void multiply(Index m, Index n, Index k, Operand<Real> a, Operand<Real> b, Real beta, Real* c,
              Index c_stride);

/// The upper triangle of c (cols x cols) = a' a for a row-major a (rows x cols), on the calling
/// thread only.
void multiply_with_itself(Index rows, Index cols, const double* a, double* c);

}  // namespace mugrad::blas
