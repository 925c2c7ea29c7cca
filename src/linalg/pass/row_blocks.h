// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"
#include "linalg/pass/sparse_kernels.h"

#include <mugrad/linalg/csr.h>

#include <vector>

namespace mugrad {

/// A sparse matrix X, with a column of ones put before its own, cut into blocks of rows, each
/// stored by its columns: what is summed per column can then stay in registers for all rows of a
/// block that have the column.
template <class Real>
class RowBlocks {
 public:
  /// Blocks of `rows_per_block` rows, the last of fewer.
  RowBlocks(const CsrMatrix<Real>& x, Index rows_per_block);

  /// The memory of those of a design of this shape, in bytes.
  static double bytes(const DesignShape& shape, Index rows_per_block) noexcept;

  /// The columns that are not empty in a block, as rows whose columns are rows of the block...
  SparseRows<Real> columns(Index block) const noexcept;
  /// ... and which columns these are, the ones being column 0.
  const std::int32_t* names(Index block) const noexcept {
    return name_.data() + first_[static_cast<std::size_t>(block)];
  }

 private:
  void append_ones(Index at, Index rows);
  void append(const CsrMatrix<Real>& x, Index begin, Index end, std::vector<Index>& place);

  std::vector<Index> first_ = {0};  ///< of each block in name_
  std::vector<std::int32_t> name_;
  std::vector<Index> start_;  ///< of each column of each block, and an end
  std::vector<std::int32_t> row_;
  std::vector<Real> value_;
};

}  // namespace mugrad
