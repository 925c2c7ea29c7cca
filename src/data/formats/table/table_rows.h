// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/formats.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/table.h"

#include <memory>
#include <vector>

namespace mugrad::formats {

/// Reads the rows of a table in the syntax of its format.
class TableReader {
 public:
  virtual ~TableReader() = default;

  /// Adds rows to the table until it has `most` or the file ends.
  virtual void read(TableBuilder& table, Index most) = 0;
  /// Whether one of the remaining rows is sparse; parses no values.
  virtual bool has_sparse_rows() const = 0;
  /// The start of the next row, and a way to return there.
  virtual const char* position() const noexcept = 0;
  virtual void go_to(const char* at) = 0;
};

/// The columns of a table before its rows are read.
struct TableColumns {
  TableHeader header;
  LabelColumns labels = {};
  std::vector<bool> dropped = {};  ///< one per attribute
};

/// The rows as data sets with encoded nominals. The encoding can depend on all rows; if they are
/// read in several blocks, the remaining rows are then read twice. Requires: source and options
/// outlive the result.
std::unique_ptr<RowSource> table_rows(const SourceText& source, TableColumns columns,
                                      const ReadOptions& options,
                                      std::unique_ptr<TableReader> reader);

}  // namespace mugrad::formats
