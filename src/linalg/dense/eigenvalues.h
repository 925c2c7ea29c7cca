// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/linalg/matrix.h>

#include <functional>
#include <span>
#include <vector>

namespace mugrad {

/// The decomposition A = U diag(values) U' of a symmetric matrix.
struct SymmetricEigen {
  std::vector<double> values;  ///< ascending
  Matrix<double> vectors;      ///< row k belongs to values[k]

  /// U diag(function(values)) U', exactly symmetric.
  Matrix<double> apply(const std::function<double(double)>& function) const;
};

/// How many matrices of its size symmetric_eigen holds at once: its argument, the vectors, and four
/// as scratch memory.
inline constexpr double kEigenMatrices = 6;

/// Requires: a is square and finite; only its lower triangle is read.
SymmetricEigen symmetric_eigen(const Matrix<double>& a);

template <class Real>
struct Eigenpairs {
  std::vector<double> values;  ///< descending
  Matrix<Real> vectors;        ///< row k belongs to values[k]; orthonormal
  Index products = 0;          ///< number of calls of `multiply`
};

/// Approximates the `count` largest eigenvalues of a symmetric positive semi-definite n x n matrix,
/// given by `multiply(v, out)` for n x m matrices v: a few subspace iterations from a random start,
/// enough to separate the large ones from the rest. For a small matrix, all eigenvalues exactly.
template <class Real>
Eigenpairs<Real> leading_eigenpairs(
    Index n, Index count, const std::function<void(const Matrix<Real>&, Matrix<Real>&)>& multiply);

/// The size of the subspace that leading_eigenpairs uses for `count` eigenvalues.
Index carried_vectors(Index n, Index count) noexcept;

/// An upper bound on the largest eigenvalue of a symmetric positive semi-definite n x n matrix,
/// given by its product with a vector; at most about 2 % above it.
///
/// The bound is the largest Ritz value of 80 Lanczos steps from a random start, plus 2 %. By
/// Kuczynski and Wozniakowski (1992) it is too small with a probability of at most 1.648 sqrt(n)
/// exp(-sqrt(0.0196) * 159), which is 4e-8 for n = 10,000, for any spectrum.
double largest_eigenvalue_bound(
    Index n, const std::function<void(std::span<const double>, std::span<double>)>& multiply);

/// A lower bound on the least eigenvalue of a symmetric positive semi-definite matrix, usually
/// within a tenth of it; 0 if it is too small relative to the others to be distinguished from 0.
/// Costs a few Cholesky decompositions.
///
/// A successful decomposition of A - s I proves that no eigenvalue is below s, up to its rounding,
/// for which there is a margin.
double least_eigenvalue_bound(const Matrix<double>& matrix);

/// The diagonal of a matrix D such that D - A is positive semi-definite, for a symmetric positive
/// semi-definite A: the smallest such multiple of A's diagonal, within 2 %. 0 for a row of zeros.
std::vector<double> diagonal_bound(const Matrix<double>& a);

/// The same for any symmetric A: a multiple of the absolute row sums.
std::vector<double> diagonal_bound_of_indefinite(const Matrix<double>& a);

/// An upper bound on the largest singular value, at most about 1 % above it.
double spectral_norm_bound(const Matrix<double>& a);

}  // namespace mugrad
