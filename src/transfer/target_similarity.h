// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/csr.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>

namespace mugrad {

/// The correlations of the columns where they are positive, T x T, sparse, with ones on the
/// diagonal; 0 for a column that does not vary. Entries that are NaN are not known, and two columns
/// are compared over the rows that know both. Rows count as `row_weights` say; empty: once.
CsrMatrix<double> positive_correlations(const Matrix<double>& columns,
                                        std::span<const double> row_weights, ThreadPool& pool);
/// Bytes that it holds besides the result.
double correlations_memory(const Matrix<double>& columns);

}  // namespace mugrad
