// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/sparse_matrix.h>

namespace mugrad {

/// The number of pairs of labels with a common example, in both orders and including each label
/// with itself: the entries of their similarity. An upper bound if counting would take long.
Index related_pairs(const BinaryMatrix& labels);

/// The memory of a transfer matrix and its operator, in bytes.
struct TransferMemory {
  double finding = 0;  ///< peak while they are created
  double kept = 0;
};
/// For `found` similarities of labels, of which `kept` are used.
template <class Real>
TransferMemory transfer_memory(Index tasks, Index found, Index kept);

}  // namespace mugrad
