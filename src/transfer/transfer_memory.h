// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>

namespace mugrad {

/// How many pairs of labels have an example in common, each label with itself included and both
/// orders counted: the entries of their similarity. Where counting would take long, no fewer.
Index related_pairs(const BinaryMatrix& labels);

/// Of a transfer matrix and the operator made of it, in bytes.
struct TransferMemory {
  double finding = 0;  ///< while they are made
  double kept = 0;
};
/// With `found` similarities of labels, of which `kept` are transferred by.
template <class Real>
TransferMemory transfer_memory(Index tasks, Index found, Index kept);

}  // namespace mugrad
