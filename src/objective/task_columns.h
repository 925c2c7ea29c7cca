// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/fused_pass.h"

#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/objective/task_set.h>

#include <algorithm>
#include <span>

namespace mugrad {

/// Finds the columns of a call whose tasks are in a list; see TaskSet.
class TaskColumns {
 public:
  explicit TaskColumns(std::span<const Index> which) : which_(which) {}

  /// Calls fn(column - first_column) for those of `columns` columns from the first whose tasks are
  /// in the ascending list.
  template <class Function>
  void for_each_listed(std::span<const LabelId> list, Index first_column, Index columns,
                       const Function& fn) const {
    const Index first = task_of(which_, first_column);
    const Index last = task_of(which_, first_column + columns - 1);
    auto it = list.begin();
    if (first > 0) it = std::ranges::lower_bound(list, static_cast<LabelId>(first));
    Index column = 0;
    for (; it != list.end() && *it <= last; ++it) {
      if (which_.empty()) {
        column = *it - first;
      } else {
        while (which_[as_size(first_column + column)] < *it) ++column;
        if (which_[as_size(first_column + column)] != *it) continue;
      }
      fn(column);
    }
  }

  /// Calls fn(row, column) for the entries of a block where the matrix is one.
  template <class Real, class Function>
  void for_each_one(const BinaryMatrix& ones, const ScoreBlock<Real>& block,
                    const Function& fn) const {
    for (Index row = 0; row < block.rows; ++row) {
      for_each_listed(ones.row(block.first_row + row), block.first_column, block.columns,
                      [&](Index column) { fn(row, column); });
    }
  }

 private:
  std::span<const Index> which_;
};

}  // namespace mugrad
