// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/row_source.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/table.h"

#include <memory>
#include <vector>

namespace mugrad::formats {

/// Goes through the rows of a table as its format spells them.
class TableReader {
 public:
  virtual ~TableReader() = default;

  /// Adds rows to the table until it has `most` or the file ends.
  virtual void read(TableBuilder& table, Index most) = 0;
  /// Whether one of the rows to come is sparse; reads no values.
  virtual bool has_sparse_rows() const = 0;
  /// Where the next row starts, and a way back there.
  virtual const char* position() const noexcept = 0;
  virtual void go_to(const char* at) = 0;
};

/// What is known of a table before its rows are read.
struct TableColumns {
  TableHeader header;
  LabelColumns labels = {};
  std::vector<bool> dropped = {};  ///< one per attribute
};

/// The rows as data sets, nominals encoded. What becomes of nominals can depend on all rows; where
/// they come in more than one block, the rest is then gone through twice. Requires: source
/// and options outlive the result.
std::unique_ptr<RowSource> table_rows(const SourceText& source, TableColumns columns,
                                      const ReadOptions& options,
                                      std::unique_ptr<TableReader> reader);

}  // namespace mugrad::formats
