// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// A sparse matrix, row by row: the columns of each row ascend, and no entry is zero.
template <class Value>
struct CsrMatrix {
  Index cols = 0;
  std::vector<Index> row_start = {0};  ///< rows() + 1 positions into column and value
  std::vector<std::int32_t> column = {};
  std::vector<Value> value = {};

  Index rows() const noexcept { return std::ssize(row_start) - 1; }
  Index nonzeros() const noexcept { return std::ssize(column); }

  std::span<const std::int32_t> row_columns(Index row) const noexcept {
    return {column.data() + start(row), as_size(row_size(row))};
  }
  std::span<const Value> row_values(Index row) const noexcept {
    return {value.data() + start(row), as_size(row_size(row))};
  }

  /// The entry; 0 if none is stored.
  Value at(Index row, Index col) const noexcept {
    const auto columns = row_columns(row);
    const auto found = std::ranges::lower_bound(columns, static_cast<std::int32_t>(col));
    if (found == columns.end() || *found != col) return Value{0};
    return row_values(row)[as_size(found - columns.begin())];
  }

  /// Closes the row being appended to column and value.
  void end_row() { row_start.push_back(std::ssize(column)); }

  bool operator==(const CsrMatrix&) const = default;

 private:
  Index start(Index row) const noexcept { return row_start[as_size(row)]; }
  Index row_size(Index row) const noexcept { return start(row + 1) - start(row); }
};

/// A 0/1 matrix, such as the labels of examples, stored as the ascending positions of its ones.
struct BinaryMatrix {
  Index cols = 0;
  std::vector<Index> row_start = {0};
  std::vector<LabelId> column = {};

  Index rows() const noexcept { return std::ssize(row_start) - 1; }
  Index ones() const noexcept { return std::ssize(column); }

  /// The columns that are one in this row.
  std::span<const LabelId> row(Index row) const noexcept {
    const auto begin = row_start[as_size(row)];
    const auto end = row_start[as_size(row) + 1];
    return {column.data() + begin, as_size(end - begin)};
  }

  /// Closes the row being appended to column.
  void end_row() { row_start.push_back(std::ssize(column)); }

  bool operator==(const BinaryMatrix&) const = default;
};

/// How many ones each column has.
std::vector<Index> column_counts(const BinaryMatrix& matrix);

/// Rows and columns exchanged: row i of the result lists the rows of `matrix` with a one in
/// column i.
BinaryMatrix transposed(const BinaryMatrix& matrix);

}  // namespace mugrad
