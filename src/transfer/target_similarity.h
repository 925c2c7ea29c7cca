// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>

namespace mugrad {

/// The positive correlations of the columns, T x T, sparse, with ones on the diagonal; 0 for a
/// constant column. NaN entries are unknown, and two columns are compared over the rows where both
/// are known. Rows are weighted by `row_weights`; empty: equally.
CsrMatrix<double> positive_correlations(const Matrix<double>& columns,
                                        std::span<const double> row_weights, ThreadPool& pool);
/// The bytes it allocates besides the result.
double correlations_memory(const Matrix<double>& columns);

}  // namespace mugrad
