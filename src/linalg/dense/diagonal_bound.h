// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <vector>

namespace mugrad {

/// The diagonal of a matrix D such that D - A is positive semi-definite, for a symmetric positive
/// semi-definite A: a multiple of A's own diagonal, within 2 % the least. A row of zeros has 0.
std::vector<double> diagonal_bound(const Matrix<double>& a);

/// The same for any symmetric A: a multiple of the sums of absolute values of its rows.
std::vector<double> diagonal_bound_of_indefinite(const Matrix<double>& a);

/// An upper bound of the largest singular value, at most about 1 % above it.
double spectral_norm_bound(const Matrix<double>& a);

}  // namespace mugrad
