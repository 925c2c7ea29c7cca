// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mugrad {

/// The first character of a text.
struct Utf8Character {
  std::size_t bytes = 0;  ///< its length; 0: the text does not start with a valid character
  char32_t value = 0;
};
Utf8Character first_character(std::string_view text) noexcept;

/// Whether the bytes are valid UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing beyond
/// U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Converts each byte from ISO 8859-1.
std::string utf8_from_latin1(std::string_view text);

/// The text itself if it is UTF-8, otherwise converted from ISO 8859-1.
std::string as_utf8(std::string_view text);

}  // namespace mugrad
