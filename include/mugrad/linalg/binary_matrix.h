// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <vector>

namespace mugrad {

/// A 0/1 matrix stored by the positions of its ones, row by row, ascending: who has which label.
struct BinaryMatrix {
  Index cols = 0;
  std::vector<Index> row_start = {0};
  std::vector<LabelId> column = {};

  Index rows() const noexcept { return static_cast<Index>(row_start.size()) - 1; }
  Index ones() const noexcept { return static_cast<Index>(column.size()); }

  /// The columns that are one in this row.
  std::span<const LabelId> row(Index row) const noexcept {
    const auto begin = row_start[static_cast<std::size_t>(row)];
    const auto end = row_start[static_cast<std::size_t>(row) + 1];
    return {column.data() + begin, static_cast<std::size_t>(end - begin)};
  }

  /// Closes the row being appended to column.
  void end_row() { row_start.push_back(static_cast<Index>(column.size())); }

  bool operator==(const BinaryMatrix&) const = default;
};

/// How many ones each column has.
std::vector<Index> column_counts(const BinaryMatrix& matrix);

/// Rows and columns exchanged: row i of the result lists the rows of `matrix` with a one in
/// column i.
BinaryMatrix transposed(const BinaryMatrix& matrix);

}  // namespace mugrad
