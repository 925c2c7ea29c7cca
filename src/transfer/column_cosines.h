// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <vector>

namespace mugrad {

/// A column and its cosine with another.
struct SimilarColumn {
  LabelId column;
  double cosine;
};

/// Keeps the `top` largest cosines, the largest first; ties go to the lower column.
void keep_strongest(std::vector<SimilarColumn>& found, Index top);

/// T x T, from those similar to each column: each becomes mutual, with the larger of both cosines,
/// which differ by rounding.
CsrMatrix<double> made_symmetric(const std::vector<std::vector<SimilarColumn>>& similar);

/// The positive cosines between the columns of a matrix without its first rows, T x T, without the
/// diagonal: of each column the `top` largest, and those that are among the `top` of the other
/// column. So the result is symmetric. Ties go to the lower column; a zero column has no cosines.
template <class Real>
CsrMatrix<double> strongest_cosines(const Matrix<Real>& columns, Index first_row, Index top,
                                    ThreadPool& pool);
/// The bytes it allocates at most, with the result.
template <class Real>
double cosines_memory(Index rows, Index columns, Index top, int threads) noexcept;

}  // namespace mugrad
