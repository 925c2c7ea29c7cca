// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/formats.h"
#include "data/formats/table/column_survey.h"
#include "data/formats/table/label_search.h"
#include "data/formats/table/table.h"

#include <memory>
#include <vector>

namespace mugrad::formats {

/// Where a block of rows ends: after `most` rows, and in a live text also where the next row would
/// have to be waited for, and after some megabytes.
class BlockEnd {
 public:
  /// Requires: the source outlives this; `begin` is the position of the first row.
  BlockEnd(const SourceText& source, const char* begin, Index most) noexcept
      : source_(source), begin_(begin), most_(most) {}

  /// After so many rows, up to `at`. is_there() tells, in a live text, whether another row needs no
  /// waiting.
  template <class IsThere>
  bool is_reached(Index rows, const char* at, IsThere is_there) const {
    if (rows >= most_) return true;
    if (!source_.is_live() || rows == 0) return false;
    return at - begin_ > kMostLiveBytes || !is_there();
  }

 private:
  static constexpr std::ptrdiff_t kMostLiveBytes = std::ptrdiff_t{1} << 25;

  const SourceText& source_;
  const char* begin_;
  Index most_;
};

/// Reads the rows of a table in the syntax of its format.
class TableReader {
 public:
  virtual ~TableReader() = default;

  /// Whether the format declares the types of columns, so that cells do not decide them.
  virtual bool declares_types() const noexcept { return false; }
  /// Looks at the cells of all remaining rows, and returns to the first. Returns false, without a
  /// look, if it cannot.
  virtual bool survey(ColumnSurvey& /*survey*/) { return false; }
  /// Adds rows to the table until it has `most` or the file ends.
  virtual void read(TableBuilder& table, Index most) = 0;
  /// Whether one of the remaining rows is sparse; parses no values.
  virtual bool has_sparse_rows() const = 0;
  /// The start of the next row, and a way to return there.
  virtual const char* position() const noexcept = 0;
  virtual void go_to(const char* at) = 0;
};

/// The rows as data sets of numbers. Open types of columns are those of the model, or guessed by a
/// survey of all rows. The encoding can depend on all rows; if they are read in several blocks, the
/// remaining rows are then read twice. Requires: source and options outlive the result.
std::unique_ptr<RowSource> table_rows(const SourceText& source, TableColumns columns,
                                      const ReadOptions& options,
                                      std::unique_ptr<TableReader> reader);

}  // namespace mugrad::formats
