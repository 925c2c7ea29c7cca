// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"

#include <string_view>

namespace mugrad::formats {

/// The texts of the records of a JSON file: each of its lines or, if it begins with `[`, each item
/// of this array, wherever lines end.
class JsonTexts {
 public:
  /// Requires: `begin` is the start of the source, or a position(); the source outlives this.
  JsonTexts(const SourceText& source, const char* begin);

  /// The next text that is not blank, without blanks around it; returns false if there are no more.
  /// Throws InputError for what is between, before or after the items of an array.
  bool next(std::string_view& text);
  /// Whether next() needs no waiting. Requires: the source is live.
  bool is_next_there() const {
    return source_.is_there([&] { return has_whole_line(); });
  }
  bool are_items() const noexcept { return are_items_; }
  /// Behind the last text, and a way to return there.
  const char* position() const noexcept { return lines_.position(); }
  void go_to(const char* at) noexcept { lines_ = LineReader(at, source_.end()); }

 private:
  /// Whether a line that is not blank, and its end, are in the text.
  bool has_whole_line() const noexcept;
  bool next_item(std::string_view& item);
  /// Throws InputError if anything follows the array.
  void check_end(const char* at) const;

  const SourceText& source_;
  LineReader lines_;
  bool are_items_;
};

}  // namespace mugrad::formats
