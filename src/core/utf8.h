// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mugrad {

/// The character that a text starts with.
struct Utf8Character {
  std::size_t bytes = 0;  ///< that it takes; 0: the text starts with none
  char32_t value = 0;
};
Utf8Character first_character(std::string_view text) noexcept;

/// Whether the bytes are UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing
/// beyond U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Each byte taken for the ISO 8859-1 character of its number.
std::string utf8_from_latin1(std::string_view text);

/// The text itself where it is UTF-8; any other is taken for ISO 8859-1.
std::string as_utf8(std::string_view text);

}  // namespace mugrad
