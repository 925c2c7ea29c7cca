// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>

#include <span>
#include <vector>

namespace mugrad::mpi {

/// Sums over all groups of labels, added in the order of the groups: the same bits whichever rank
/// has which group.
class GroupSums {
 public:
  /// `numbers` are those of this rank's groups among all. Every rank must call it. `among` must
  /// outlive it.
  GroupSums(const Communicator& among, std::span<const Index> numbers);

  /// Adds up the rows of all ranks, a row per group of this rank. Every rank must call it.
  std::vector<double> add_up(const Matrix<double>& rows) const;

 private:
  const Communicator& among_;
  std::vector<std::size_t> order_;  ///< of what is gathered from all ranks
};

}  // namespace mugrad::mpi
