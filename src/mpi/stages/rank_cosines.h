// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <span>
#include <vector>

namespace mugrad::mpi {

/// Labels in blocks of fixed size, of which each rank has some: what is computed for a block does
/// not depend on the number of ranks.
class LabelBlocks {
 public:
  LabelBlocks(Index labels, int ranks);

  Index labels() const noexcept { return labels_; }
  Index count() const noexcept;
  /// The first label of a block; of block count(), the number of labels.
  Index begin(Index block) const noexcept;
  /// The first block of a rank.
  Index first_of(int rank) const noexcept { return count() * rank / ranks_; }
  /// The rank of each label.
  std::vector<std::int32_t> rank_of() const;
  /// The labels of a rank, in their order.
  std::vector<LabelId> labels_of(int rank) const;

 private:
  Index labels_;
  int ranks_;
};

/// As strongest_cosines of columns that many ranks have: `columns` are those of the labels that
/// this rank has in `blocks`, one row each, without what is to be left out. The result has the same
/// bits for any number of ranks. No rank has more than its own columns and one block of others.
/// Every rank must call it.
template <class Real>
CsrMatrix<double> strongest_cosines(const Communicator& among, const LabelBlocks& blocks,
                                    Matrix<Real> columns, Index top, ThreadPool& pool);

}  // namespace mugrad::mpi
