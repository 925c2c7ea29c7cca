// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>

namespace mugrad {

/// Replaces the upper triangle of a symmetric matrix A by that of U, A = U'U. Only that triangle is
/// read. Returns false when A is not positive definite, and then leaves anything there; also when a
/// pivot, the square of a diagonal entry of U, is no more than this share of that entry of A.
bool factor_positive_definite(Matrix<double>& a, double least_pivot = 0);

/// Replaces b by the solution x of U'U x = b.
void solve_factored(const Matrix<double>& u, std::span<double> b);

}  // namespace mugrad
