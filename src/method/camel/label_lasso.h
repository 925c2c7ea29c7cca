// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"

#include <mugrad/core/progress.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <vector>

namespace mugrad {

/// Y'Y for labels of -1 and +1: the number of agreements minus that of disagreements.
Matrix<double> signed_agreement(const BinaryMatrix& labels);

/// The strength of the lasso of label j on the others: a hundredth of that for which the solution
/// is zero, max over k != j of |(Y'Y)_kj| / 100.
double lasso_strength(const Matrix<double>& agreement, Index label);

/// The s that minimises |Y s - y_j|^2 / 2 + strength |s|_1 with s_j = 0, from Y'Y alone. Uses
/// coordinate descent and, every few sweeps, a joint solve for the non-zero weights. The optimality
/// conditions hold up to 1e-8 of the largest entry of Y'y_j. Updates `progress` every few sweeps.
std::vector<double> label_lasso(const Matrix<double>& agreement, Index label, double strength,
                                Progress* progress = nullptr);

/// How labels follow from each other: column j is the lasso of label j. Throws InterruptedError if
/// the progress of the stages asks to stop.
Matrix<double> label_correlations(const BinaryMatrix& labels, Stages& stages, ThreadPool& pool);

}  // namespace mugrad
