// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// Similarities of rows: exp(-|x - y|^2 / (2 width^2)).
struct GaussianKernel {
  double width = 1;       ///< mean distance of two different rows; 1 if that is zero
  Matrix<double> values;  ///< exactly symmetric, ones on the diagonal
};

/// The squared distances of all pairs of rows, below the diagonal; the other entries are
/// unspecified. Updates `progress` every few hundred rows. Requires: finite sums of squares.
Matrix<double> squared_distances(const Matrix<double>& rows, ThreadPool& pool,
                                 Progress* progress = nullptr);

/// Replaces squared distances d, below the diagonal, by exp(-decay d) everywhere.
void to_similarities(double decay, ThreadPool& pool, Matrix<double>& distances);

/// Between all rows of a matrix. Updates `progress` every few hundred rows. Requires: finite sums
/// of squares.
GaussianKernel gaussian_kernel(const Matrix<double>& rows, ThreadPool& pool,
                               Progress* progress = nullptr);

}  // namespace mugrad
