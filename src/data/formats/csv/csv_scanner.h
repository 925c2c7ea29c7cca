// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <string>

namespace mugrad::formats {

/// A cell of a CSV file.
struct CsvCell {
  std::string_view text;  ///< without quotes, and without blanks around an unquoted cell
  const char* at = nullptr;
  bool last = false;  ///< of its record
};

/// Delimits nothing: every record is one cell.
inline constexpr char kNoDelimiter = '\n';

/// Splits a CSV file into cells, as RFC 4180 describes, whatever separates them.
class CsvScanner {
 public:
  CsvScanner(const SourceText& source, const char* begin, char delimiter = ',')
      : source_(source), at_(begin), end_(source.end()), delimiter_(delimiter) {}

  /// Moves to the next record; returns false at the end. Blank lines are skipped.
  bool next_record() noexcept;
  /// The next cell of the record; its text may be stored in this object until the next call. Throws
  /// InputError for a quote that does not close or that closes within a cell.
  CsvCell next_cell();
  const char* position() const noexcept { return at_; }
  /// Whether a record that is not blank, and the newline after it, are in the text from here.
  /// Requires: the text is live.
  bool has_whole_record() const noexcept;
  /// Waits until it is, or for the end of a live text.
  void wait_for_record();
  /// Requires: a record starts there.
  void go_to(const char* at) noexcept { at_ = at; }

 private:
  CsvCell quoted_cell();
  CsvCell plain_cell();
  bool is_padding(char c) const noexcept { return is_blank(c) && c != delimiter_; }
  /// Skips blanks, and the carriage return before a newline.
  const char* skip_padding(const char* at) const noexcept {
    while (at != end_ && (is_padding(*at) || *at == '\r')) ++at;
    return at;
  }

  const SourceText& source_;
  const char* at_;
  const char* end_;
  char delimiter_;
  std::string unescaped_;
};

}  // namespace mugrad::formats
