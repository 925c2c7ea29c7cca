// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/table_rows.h"

#include <mugrad/data/files.h>

#include <memory>
#include <span>
#include <string>

namespace mugrad::formats {

/// A table in memory. The position of a cell is its address.
class MemoryTable final : public SourceText {
 public:
  /// Throws InputError for a table without columns or rows, for columns of different lengths, and
  /// for names that are empty or occur twice. Requires: the columns outlive this.
  MemoryTable(std::string name, std::span<const TableColumn> columns);

  std::span<const TableColumn> columns() const noexcept { return columns_; }
  Index rows() const noexcept { return rows_; }
  /// The address of a cell.
  const char* position(std::size_t column, Index row) const noexcept;

  std::string line_text(const char* at) const override;

 protected:
  std::string place_of(const char* at) const override;

 private:
  struct Place {
    std::size_t column;
    Index row;
  };
  Place find(const char* at) const noexcept;

  std::span<const TableColumn> columns_;
  Index rows_;
};

/// Reads its rows as `width` columns; those that the table lacks are missing. Requires: `table`
/// outlives the result.
std::unique_ptr<TableReader> memory_rows(const MemoryTable& table, std::size_t width,
                                         Progress* progress);

}  // namespace mugrad::formats
