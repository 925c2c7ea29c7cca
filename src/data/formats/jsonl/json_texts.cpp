// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_texts.h"

#include "data/formats/jsonl/json_fault.h"
#include "data/formats/jsonl/json_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {
namespace {

const char* skip_json_blanks(const char* at, const char* end) noexcept {
  return std::find_if_not(at, end, is_json_blank);
}

/// Behind the quote that closes the string at `at`, or `end`.
const char* string_end(const char* at, const char* end) noexcept {
  for (++at; at != end; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\\' && at + 1 != end) ++at;
  }
  return end;
}

/// Behind the object at `at`, or null if it does not close. What is in it is not checked.
const char* object_end(const char* at, const char* end) noexcept {
  std::size_t depth = 0;
  while (at != end) {
    if (*at == '"') {
      at = string_end(at, end);
      continue;
    }
    if (*at == '{') ++depth;
    if (*at++ == '}' && --depth == 0) return at;
  }
  return nullptr;
}

bool is_array(const SourceText& source) noexcept {
  const char* const at = skip_json_blanks(source.begin(), source.end());
  return at != source.end() && *at == '[';
}

}  // namespace

JsonTexts::JsonTexts(const SourceText& source, const char* begin)
    : source_(source), lines_(begin, source.end()), are_items_(is_array(source)) {}

bool JsonTexts::next(std::string_view& text) {
  if (are_items_) return next_item(text);
  if (source_.is_live()) {
    source_.wait_until([&] { return has_whole_line(); });
    go_to(position());  // the end has moved
  }
  do {
    if (!lines_.next(text)) return false;
    text = json_trimmed(text);
  } while (text.empty());
  return true;
}

bool JsonTexts::has_whole_line() const noexcept {
  LineReader lines(position(), source_.end());
  std::string_view line;
  while (lines.next(line)) {
    if (*(lines.position() - 1) != '\n') return false;  // the rest of the line may come
    if (!json_trimmed(line).empty()) return true;
  }
  return false;
}

bool JsonTexts::next_item(std::string_view& item) {
  const char* const end = source_.end();
  const char* at = skip_json_blanks(position(), end);
  const bool is_first = position() == source_.begin();  // then this is the bracket
  if (is_first) at = skip_json_blanks(at + 1, end);
  if (at == end) source_.fail(at, "the file ends within its array, expected ',' or ']'");
  if (*at == ']') {
    check_end(at + 1);
    return false;
  }
  if (!is_first) {
    if (*at != ',') {
      source_.fail(
          at, fmt::format("{} after an item of the array, expected ',' or ']'", shown({at, 1})));
    }
    at = skip_json_blanks(at + 1, end);
  }
  const char* const item_end = at != end && *at == '{' ? object_end(at, end) : nullptr;
  if (item_end == nullptr) fail_at_fault(source_, {at, as_size(end - at)}, JsonPlace::item);
  item = {at, as_size(item_end - at)};
  go_to(item_end);
  return true;
}

void JsonTexts::check_end(const char* at) const {
  at = skip_json_blanks(at, source_.end());
  if (at != source_.end()) {
    source_.fail(at,
                 fmt::format("{} after the array, expected the end of the file", shown({at, 1})));
  }
}

}  // namespace mugrad::formats
