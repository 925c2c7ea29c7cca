// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"
#include "linalg/pass/kernels.h"

#include <mugrad/linalg/sparse_matrix.h>

#include <vector>

namespace mugrad {

/// A sparse matrix [1 X] divided into blocks of rows, each stored by columns: the sums of a column
/// then stay in registers for all rows of a block.
template <class Real>
class RowBlocks {
 public:
  /// Blocks of `rows_per_block` rows; the last may have fewer.
  RowBlocks(const CsrMatrix<Real>& x, Index rows_per_block);

  /// The memory for a design of this shape, in bytes.
  static double bytes(const DesignShape& shape, Index rows_per_block) noexcept;

  /// The non-empty columns of a block, as rows whose columns are rows of the block...
  SparseRows<Real> columns(Index block) const noexcept;
  /// ... and the numbers of these columns; the ones are column 0.
  const std::int32_t* names(Index block) const noexcept {
    return name_.data() + first_[as_size(block)];
  }

 private:
  void append_ones(Index at, Index rows);
  void append(const CsrMatrix<Real>& x, Index begin, Index end, std::vector<Index>& place);

  std::vector<Index> first_ = {0};  ///< of each block in name_
  std::vector<std::int32_t> name_;
  std::vector<Index> start_;  ///< of each column of each block, then an end
  std::vector<std::int32_t> row_;
  std::vector<Real> value_;
};

}  // namespace mugrad
