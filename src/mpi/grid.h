// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

namespace mugrad::mpi {

/// Ranks in a grid: those of a line have the same labels and different rows, those of a column
/// different labels and the same rows.
struct Grid {
  /// Requires: row_shards divides the number of ranks.
  Grid(const Communicator& ranks, int row_shards)
      : all(ranks),
        rows(ranks.split(ranks.rank() / row_shards, ranks.rank())),
        labels(ranks.split(ranks.rank() % row_shards, ranks.rank())) {}

  const Communicator& all;
  Communicator rows;    ///< who has other rows of the same labels
  Communicator labels;  ///< who has other labels of the same rows

  /// What is the same for all rows is written by the first of them.
  bool writes() const noexcept { return rows.is_first(); }
};

}  // namespace mugrad::mpi
