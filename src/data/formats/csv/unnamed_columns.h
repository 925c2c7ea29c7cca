// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/csv/csv_scanner.h"
#include "data/formats/table/label_search.h"

#include <vector>

namespace mugrad::formats {

/// The columns of a CSV file without a name in its first line: pandas writes the row numbers as
/// such a column, and other programs end every line with a delimiter.
struct UnnamedColumns {
  std::vector<std::size_t> positions;
  /// The last name is empty, and so are the cells below it: that is no column.
  bool ends_with_delimiter = false;
  bool starts_with_row_numbers =
      false;  ///< the first has different whole numbers, as far as was looked
};

/// Looks at all records for these columns. Requires: the scanner is at the first record.
UnnamedColumns find_unnamed(const SourceText& source, const std::vector<Attribute>& columns,
                            CsvScanner scanner);

/// Calls them `column 3`, by their position from 1, or differently if another column is called so.
void name_unnamed(std::vector<Attribute>& columns, const UnnamedColumns& unnamed);

/// Drops row numbers, unless an option or a model names their column, and notes the names that the
/// others have got.
void leave_out_row_numbers(TableColumns& columns, const UnnamedColumns& unnamed,
                           const ReadOptions& options);

}  // namespace mugrad::formats
