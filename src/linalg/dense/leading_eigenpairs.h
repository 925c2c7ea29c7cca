// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <functional>
#include <vector>

namespace mugrad {

template <class Real>
struct Eigenpairs {
  std::vector<double> values;  ///< descending
  Matrix<Real> vectors;        ///< row k belongs to values[k]; orthonormal
  Index products = 0;          ///< how often `multiply` was called
};

/// About the `count` largest eigenvalues of a symmetric positive semi-definite n x n matrix that
/// `multiply(v, out)` multiplies n x m matrices by: a few subspace iterations from a random start,
/// enough to tell the large ones from the rest. Of a small matrix, exactly all.
template <class Real>
Eigenpairs<Real> leading_eigenpairs(
    Index n, Index count, const std::function<void(const Matrix<Real>&, Matrix<Real>&)>& multiply);

/// How many vectors that carries along to find so many.
Index carried_vectors(Index n, Index count) noexcept;

}  // namespace mugrad
