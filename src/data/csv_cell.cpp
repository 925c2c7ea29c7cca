// SPDX-License-Identifier: MIT
#include <mugrad/data/csv_cell.h>

namespace mugrad {

std::string csv_cell(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool blank_end = !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
  if (!blank_end && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace mugrad
