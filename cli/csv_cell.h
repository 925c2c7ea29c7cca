// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad::cli {

/// The text as one cell of a CSV file, quoted where it must be (RFC 4180).
inline std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace mugrad::cli
