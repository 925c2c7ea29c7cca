// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <vector>

namespace mugrad {

/// |a_j W - y_j| of every row a_j of the design [1 X].
std::vector<double> residual_lengths(const Design<double>& design, const Matrix<double>& weights,
                                     const BinaryMatrix& labels, ThreadPool& pool);

}  // namespace mugrad
