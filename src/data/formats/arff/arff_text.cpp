// SPDX-License-Identifier: MIT
#include "data/formats/arff/arff_text.h"

#include "data/formats/source_text.h"

#include <algorithm>

namespace mugrad::formats {
namespace {

// What stands after a backslash, and what it means.
constexpr std::string_view kEscaped = "nrt'\\";
constexpr std::string_view kMeant = "\n\r\t'\\";

char escaped_character(char c) noexcept {
  const auto at = kEscaped.find(c);
  return at == std::string_view::npos ? c : kMeant[at];
}

void append_unescaped(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      out += escaped_character(text[++i]);
    } else {
      out += text[i];
    }
  }
}

/// The end of the quote opened before `at`, or `end`.
const char* closing_quote(const char* at, const char* end, char quote, bool& escapes) noexcept {
  for (; at != end && *at != quote; ++at) {
    if (*at == '\\' && at + 1 != end) {
      escapes = true;
      ++at;
    }
  }
  return at;
}

std::string_view view(const char* begin, const char* end) noexcept {
  return {begin, as_size(end - begin)};
}

/// Faster than a search for a few characters.
bool is_one_of(char c, std::string_view characters) noexcept {
  bool found = false;
  for (const char candidate : characters) found |= c == candidate;
  return found;
}

bool is_plain(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7F &&
         std::string_view(",{}'\"\\%?@").find(c) == std::string_view::npos;
}

}  // namespace

ArffToken read_token(const SourceText& source, const char*& at, const char* end,
                     std::string_view stops, std::string& scratch) {
  const char* start = at;
  if (at != end && (*at == '\'' || *at == '"')) {
    bool escapes = false;
    const char* close = closing_quote(start + 1, end, *start, escapes);
    if (close == end) source.fail(start, "this quote does not close on its line");
    at = close + 1;
    if (!escapes) return {view(start + 1, close), start, true};
    scratch.clear();
    append_unescaped(scratch, view(start + 1, close));
    return {scratch, start, true};
  }
  while (at != end && !is_blank(*at) && !is_one_of(*at, stops)) ++at;
  return {view(start, at), start, false};
}

std::string unescaped(std::string_view text) {
  std::string result;
  append_unescaped(result, text);
  return result;
}

void append_token(std::string& out, std::string_view name) {
  if (!name.empty() && std::ranges::all_of(name, is_plain)) {
    out += name;
    return;
  }
  out += '\'';
  for (const char c : name) {
    if (const auto at = kMeant.find(c); at != std::string_view::npos) {
      out += {'\\', kEscaped[at]};
    } else {
      out += c;
    }
  }
  out += '\'';
}

}  // namespace mugrad::formats
