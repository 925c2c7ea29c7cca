// SPDX-License-Identifier: MIT
#include "data/formats/arff/arff_text.h"

#include "data/formats/source_text.h"

#include <algorithm>

namespace mugrad::formats {
namespace {

char escaped_character(char c) noexcept {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
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

/// Where the quote opened before `at` closes, or `end`.
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
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// For a handful of characters, faster than a search.
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
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\'':
      case '\\':
        out += {'\\', c};
        break;
      default:
        out += c;
    }
  }
  out += '\'';
}

}  // namespace mugrad::formats
