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

  Index rows() const noexcept { return static_cast<Index>(row_start.size()) - 1; }
  Index nonzeros() const noexcept { return static_cast<Index>(column.size()); }

  std::span<const std::int32_t> row_columns(Index row) const noexcept {
    return {column.data() + start(row), static_cast<std::size_t>(row_size(row))};
  }
  std::span<const Value> row_values(Index row) const noexcept {
    return {value.data() + start(row), static_cast<std::size_t>(row_size(row))};
  }

  /// The entry, 0 where nothing is stored.
  Value at(Index row, Index col) const noexcept {
    const auto columns = row_columns(row);
    const auto found = std::ranges::lower_bound(columns, static_cast<std::int32_t>(col));
    if (found == columns.end() || *found != col) return Value{0};
    return row_values(row)[static_cast<std::size_t>(found - columns.begin())];
  }

  /// Closes the row being appended to column and value.
  void end_row() { row_start.push_back(static_cast<Index>(column.size())); }

  bool operator==(const CsrMatrix&) const = default;

 private:
  Index start(Index row) const noexcept { return row_start[static_cast<std::size_t>(row)]; }
  Index row_size(Index row) const noexcept { return start(row + 1) - start(row); }
};

}  // namespace mugrad
