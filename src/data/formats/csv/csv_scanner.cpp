// SPDX-License-Identifier: MIT
#include "data/formats/csv/csv_scanner.h"

#include "data/formats/csv/delimiter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mugrad::formats {

bool CsvScanner::next_record() noexcept {
  for (;;) {
    const char* start = skip_padding(at_);
    if (start == end_) return false;
    if (*start != '\n') return true;
    at_ = start + 1;
  }
}

bool CsvScanner::has_whole_record() const noexcept {
  const char* const end = source_.end();
  const auto skip_blanks = [&](const char* at) {
    return std::find_if_not(at, end, [&](char c) { return is_padding(c) || c == '\r'; });
  };
  const char* at = skip_blanks(at_);
  while (at != end && *at == '\n') at = skip_blanks(at + 1);
  while (at != end) {
    at = skip_blanks(at);
    if (at != end && *at == '"') {
      // A doubled quote closes one quoted part and opens the next.
      while (at != end && *at == '"') {
        at = std::find(at + 1, end, '"');
        if (at != end) ++at;
      }
    }
    at = std::find_if(at, end, [&](char c) { return c == delimiter_ || c == '\n'; });
    if (at == end) return false;
    if (*at++ == '\n') return true;
  }
  return false;
}

void CsvScanner::wait_for_record() {
  if (!source_.is_live()) return;
  source_.wait_until([&] { return has_whole_record(); });
  end_ = source_.end();
}

CsvCell CsvScanner::next_cell() {
  const char* start = at_;
  while (start != end_ && is_padding(*start)) ++start;
  if (start == end_ || *start != '"') return plain_cell();
  at_ = start;
  return quoted_cell();
}

CsvCell CsvScanner::plain_cell() {
  const char* start = at_;
  const auto ends_cell = [delimiter = delimiter_](char c) { return c == delimiter || c == '\n'; };
  const char* stop = std::find_if(at_, end_, ends_cell);
  const bool last = stop == end_ || *stop == '\n';
  at_ = stop == end_ ? stop : stop + 1;
  std::string_view text(start, as_size(stop - start));
  if (last && text.ends_with('\r')) text.remove_suffix(1);
  text = trimmed(text);
  return {text, text.empty() ? start : text.data(), last};
}

CsvCell CsvScanner::quoted_cell() {
  const char* open = at_;
  const char* piece = open + 1;
  unescaped_.clear();
  std::string_view text;
  for (;;) {
    const auto left = as_size(end_ - piece);
    const auto* quote = static_cast<const char*>(std::memchr(piece, '"', left));
    if (quote == nullptr) source_.fail(open, "this quote does not close");
    text = {piece, as_size(quote - piece)};
    at_ = quote + 1;
    if (at_ == end_ || *at_ != '"') break;
    unescaped_.append(piece, at_);  // a doubled quote means one
    piece = at_ + 1;
  }
  if (!unescaped_.empty()) text = unescaped_.append(text);
  at_ = skip_padding(at_);
  if (at_ != end_ && *at_ != delimiter_ && *at_ != '\n') {
    source_.fail(
        at_, fmt::format("text after a closing quote, expected {}", delimiter_text(delimiter_)));
  }
  const bool last = at_ == end_ || *at_ == '\n';
  if (at_ != end_) ++at_;
  return {text, open, last};
}

}  // namespace mugrad::formats
