// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad::formats {

/// Blanks of JSON.
inline bool is_json_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// The text without blanks around it.
std::string_view json_trimmed(std::string_view text) noexcept;

/// Whether the whole text is a number of JSON: no leading zeros or +, digits on both sides of a
/// point.
bool is_json_number(std::string_view text) noexcept;

/// Whether it is true, false or null.
bool is_json_word(std::string_view text) noexcept;

/// Appends a text as a string of JSON, in quotes and with escapes where they are needed. Requires:
/// the text is UTF-8.
void append_json_string(std::string& json, std::string_view text);

}  // namespace mugrad::formats
