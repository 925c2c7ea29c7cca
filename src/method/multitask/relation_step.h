// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/task_set.h>

namespace mugrad {

/// A symmetric matrix of trace 1 and its inverse.
struct Relation {
  Matrix<double> matrix, inverse;
  CurvatureRange inverse_bounds;  ///< on the eigenvalues of the inverse
};

/// The minimiser of tr(gram R^-1) over all R of trace 1 without an eigenvalue below `least`: that
/// is gram^(1/2) / tr(gram^(1/2)) when no eigenvalue of that is below, and else those are raised to
/// `least` and the others shrink in proportion. I / n for gram = 0.
/// Requires: gram is n x n and positive semi-definite, 0 < n least <= 1.
Relation best_relation(const Matrix<double>& gram, double least);

/// sum_ij gram_ij precision_ij = tr(gram precision).
double penalty_of(const Matrix<double>& gram, const Matrix<double>& precision);

}  // namespace mugrad
