// SPDX-License-Identifier: MIT
#include "report/markup.h"

#include "core/printable.h"

#include <mugrad/core/types.h>

#include <algorithm>
#include <cctype>

namespace mugrad {
namespace {

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

/// Whether text begins like a list item, a quotation, a heading or a heading's underline; for `1.`,
/// the position of the dot.
std::size_t block_mark(std::string_view text) {
  const auto digits =
      as_size(std::ranges::find_if_not(text, [](unsigned char c) { return std::isdigit(c) != 0; }) -
              text.begin());
  if (digits < text.size() && digits > 0 && is_one_of(text[digits], ".)")) return digits;
  return !text.empty() && is_one_of(text[0], "-+=") ? 0 : std::string_view::npos;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  const std::string line = printable(text);
  const std::size_t mark = block_mark(line);
  std::string result;
  for (std::size_t k = 0; k < line.size(); ++k) {
    // Any punctuation may be escaped; these can be special within a line.
    if (k == mark || is_one_of(line[k], "\\`*_[]<>|~&#!${}")) result += '\\';
    result += line[k];
  }
  return result;
}

std::string latex_text(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '\\') {
      result += "\\textbackslash{}";
    } else if (is_one_of(c, "&%$#_{}")) {
      result += '\\';
      result += c;
    } else if (is_one_of(c, "~^")) {
      result += '\\';
      result += c;
      result += "{}";
    } else if (is_one_of(c, "[]*")) {  // \\\\ at the end of the previous row would parse these
      result += '{';
      result += c;
      result += '}';
    } else if (c == '<') {
      result += "\\textless{}";
    } else if (c == '>') {
      result += "\\textgreater{}";
    } else {
      result += c;
    }
  }
  return result;
}

std::string latex_comment(std::string_view text) { return printable(text); }

}  // namespace mugrad
