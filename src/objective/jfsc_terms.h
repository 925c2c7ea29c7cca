// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <vector>

namespace mugrad {

// The terms of JFSC's objective that depend on the rows.

/// How much the variance of a column of the design [1 X] within the two classes of a label exceeds
/// the squared distance of its means: n (v + v' - (m - m')^2) for n examples with the label, v and
/// m the variance and mean of the column over these, v' and m' over the others. One row per column
/// of the design, one column per label. Requires: both classes of every label have examples.
Matrix<double> fisher_penalty(const Design<double>& design, const BinaryMatrix& labels);

/// |a_j W - y_j| of every row a_j of the design [1 X].
std::vector<double> residual_lengths(const Design<double>& design, const Matrix<double>& weights,
                                     const BinaryMatrix& labels, ThreadPool& pool);

}  // namespace mugrad
