// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"

#include <mugrad/core/progress.h>
#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <vector>

namespace mugrad {

/// Y'Y of labels written as -1 and +1: how often two agree less how often they do not.
Matrix<double> signed_agreement(const BinaryMatrix& labels);

/// The strength at which the lasso of label j on the others starts from: a hundredth of that at
/// which it is zero, max over k != j of |(Y'Y)_kj| / 100.
double lasso_strength(const Matrix<double>& agreement, Index label);

/// s that minimises |Y s - y_j|^2 / 2 + strength |s|_1 with s_j = 0, from Y'Y alone: coordinate
/// descent, and every few sweeps what is best for the weights in use together. Its conditions of
/// optimality hold to a hundred-millionth of the largest entry of Y'y_j. Updates `progress` every
/// few sweeps.
std::vector<double> label_lasso(const Matrix<double>& agreement, Index label, double strength,
                                Progress* progress = nullptr);

/// How labels follow from each other: column j is the lasso of label j. Throws InterruptedError
/// when the progress of the stages asks to stop.
Matrix<double> label_correlations(const BinaryMatrix& labels, Stages& stages, ThreadPool& pool);

}  // namespace mugrad
