// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace mugrad {

/// Whether the bytes are UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing
/// beyond U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Each byte taken for the ISO 8859-1 character of its number.
std::string utf8_from_latin1(std::string_view text);

}  // namespace mugrad
