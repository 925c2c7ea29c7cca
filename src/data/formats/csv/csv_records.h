// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/csv/csv_scanner.h"
#include "data/formats/csv/decimal_comma.h"
#include "data/formats/csv/delimiter.h"
#include "data/formats/table/table.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace mugrad::formats {

/// How the records of a CSV file are read.
struct CsvLayout {
  char delimiter = ',';
  std::size_t width = 0;                  ///< number of columns
  bool ends_with_delimiter = false;       ///< an empty cell may follow the last column
  std::vector<bool> decimal_commas = {};  ///< which columns have them; empty: none
};

/// The records of a CSV file after the line of column names.
class CsvRecords {
 public:
  /// Requires: a record starts at `begin`; the source outlives this.
  CsvRecords(const SourceText& source, const char* begin, CsvLayout layout)
      : source_(source), scanner_(source, begin, layout.delimiter), layout_(std::move(layout)) {}

  std::size_t width() const noexcept { return layout_.width; }

  /// Calls visit(column, cell) for every cell of the next record and checks their number; returns
  /// false if there are no more records. Numbers have decimal points.
  template <class Visit>
  bool next(Visit&& visit) {
    scanner_.wait_for_record();
    if (!scanner_.next_record()) return false;
    const char* record = scanner_.position();
    source_.reached(record);
    std::size_t column = 0;
    for (bool last = false; !last; ++column) {
      const auto cell = scanner_.next_cell();
      last = cell.last;
      if (column < layout_.width) {
        visit(column, Cell{text_of(column, cell.text), cell.at, cell.text.empty()});
      }
    }
    const bool has_more = layout_.ends_with_delimiter && column == layout_.width + 1;
    if (column != layout_.width && !has_more) fail_width(record, column);
    return true;
  }

  /// Whether next() needs no waiting.
  bool is_next_there() const {
    return source_.is_there([&] { return scanner_.has_whole_record(); });
  }
  const char* position() const noexcept { return scanner_.position(); }
  void go_to(const char* at) noexcept { scanner_.go_to(at); }

 private:
  std::string_view text_of(std::size_t column, std::string_view text) {
    if (layout_.decimal_commas.empty() || !layout_.decimal_commas[column]) return text;
    return with_point(text, number_);
  }

  [[noreturn]] void fail_width(const char* record, std::size_t found) const {
    source_.fail(record, fmt::format("this row has {} values separated by {}, expected {}, one per "
                                     "column",
                                     found, delimiter_text(layout_.delimiter), layout_.width));
  }

  const SourceText& source_;
  CsvScanner scanner_;
  CsvLayout layout_;
  std::string number_;  ///< the last one that had a decimal comma
};

}  // namespace mugrad::formats
