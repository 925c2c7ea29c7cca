// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/task_set.h>

namespace mugrad {

/// A symmetric matrix of trace 1 and its inverse.
struct RelationMatrix {
  Matrix<double> matrix, inverse;
  CurvatureRange inverse_bounds;  ///< on the eigenvalues of the inverse
};

/// The minimiser of tr(gram R^-1) over all R of trace 1 with eigenvalues of at least `least`. It is
/// gram^(1/2) / tr(gram^(1/2)) if its eigenvalues are large enough; otherwise small ones are raised
/// to `least` and the others shrink in proportion. I / n for gram = 0.
/// Requires: gram is n x n and positive semi-definite, 0 < n least <= 1.
RelationMatrix best_relation(const Matrix<double>& gram, double least);

/// sum_ij gram_ij precision_ij = tr(gram precision).
double penalty_of(const Matrix<double>& gram, const Matrix<double>& precision);

}  // namespace mugrad
