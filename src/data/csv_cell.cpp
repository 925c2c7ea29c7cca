// SPDX-License-Identifier: MIT
#include "data/csv_cell.h"

#include <charconv>

namespace mugrad {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, code] = std::from_chars(text.data(), end, number);
  return code == std::errc{} && last == end;
}

/// Some spreadsheets also accept the full-width forms of the signs.
bool starts_like_formula(std::string_view text) {
  if (text.empty()) return false;
  if (std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) return true;
  return text.starts_with("\uFF1D") || text.starts_with("\uFF0B") || text.starts_with("\uFF0D") ||
         text.starts_with("\uFF20");
}

}  // namespace

std::string csv_cell(std::string_view text, std::string_view delimiters) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool blank_end = !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
  // At the start of a file, readers treat it as a byte order mark.
  const bool starts_like_mark = text.starts_with("\uFEFF");
  const bool has_special = text.find_first_of("\"\r\n") != std::string_view::npos ||
                           text.find_first_of(delimiters) != std::string_view::npos;
  if (!blank_end && !starts_like_mark && !has_special) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string spreadsheet_cell(std::string_view text) {
  if (!starts_like_formula(text) || is_number(text)) return csv_cell(text);
  std::string harmless = "'";
  harmless += text;
  return csv_cell(harmless);
}

}  // namespace mugrad
