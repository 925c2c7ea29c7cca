// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

namespace mugrad {

/// A lower bound of the least eigenvalue of a symmetric positive semi-definite matrix, in most
/// cases within a tenth of it; 0 where it is too small against the others to be told from 0. The
/// work is that of a few Cholesky decompositions.
///
/// A decomposition of A - s I that succeeds proves that no eigenvalue is below s, up to the
/// rounding of the decomposition, for which a margin is taken.
double least_eigenvalue_bound(const Matrix<double>& matrix);

}  // namespace mugrad
