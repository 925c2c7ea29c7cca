// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>

namespace mugrad {

/// Replaces the rows of v by an orthonormal basis of their span; linearly dependent rows become
/// unit vectors orthogonal to all others.
/// Requires: no more rows than columns, all entries finite.
template <class Real>
void orthonormalise_rows(Matrix<Real>& v);

/// Replaces a by its inverse. Throws Error if it is singular.
void invert(Matrix<double>& a);

/// Replaces the upper triangle of a symmetric matrix A by that of U, A = U'U. Reads only that
/// triangle. Returns false, with unspecified contents, if A is not positive definite, or if a pivot
/// (the square of a diagonal entry of U) is at most this share of that entry of A.
bool factor_positive_definite(Matrix<double>& a, double least_pivot = 0);

/// Replaces the upper triangle by that of the inverse of U, and clears the other one. Requires: no
/// diagonal entry is 0.
void invert_factor(Matrix<double>& u);

/// Replaces b by the solution x of U'U x = b.
void solve_factored(const Matrix<double>& u, std::span<double> b);

}  // namespace mugrad
