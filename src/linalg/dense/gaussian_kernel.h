// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// How alike rows are: exp(-|x - y|^2 / (2 width^2)).
struct GaussianKernel {
  double width = 1;       ///< the mean distance of two different rows; 1 where that is zero
  Matrix<double> values;  ///< symmetric to the last bit, ones on the diagonal
};

/// Between all rows of a matrix. Updates `progress` every few hundred rows. Requires: entries
/// whose squares add up to finite numbers.
GaussianKernel gaussian_kernel(const Matrix<double>& rows, ThreadPool& pool,
                               Progress* progress = nullptr);

}  // namespace mugrad
