// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace mugrad::formats {

/// Maximum number of columns of a matrix: FeatureId and LabelId are 32 bits.
inline constexpr Index kMostColumns = 0x7FFFFFFF;

/// Reads the number at the start of [at, end) into `value`; returns its end, or `at` if there is
/// none. Accepts a leading +, `nan` and `inf`. A number too large for a double is infinite, one too
/// small is 0.
const char* scan_number(const char* at, const char* end, double& value) noexcept;

/// The number, if the whole text is one.
std::optional<double> number_in(std::string_view text) noexcept;
/// The integer, if the whole text is one.
std::optional<Index> integer_in(std::string_view text) noexcept;

/// Reads digits into `value`; returns their end, or `at` if there are none. Numbers above
/// kMostColumns become kMostColumns + 1.
inline const char* scan_column(const char* at, const char* end, Index& value) noexcept {
  Index result = 0;
  for (; at != end && *at >= '0' && *at <= '9'; ++at) {
    result = result * 10 + (*at - '0');
    if (result > kMostColumns) result = kMostColumns + 1;
  }
  value = result;
  return at;
}

/// The value of a text of one digit, or -1.
inline int lone_digit(std::string_view text) noexcept {
  return text.size() == 1 && text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : -1;
}

/// Appends the shortest text that reads back as the same double.
void append_number(std::string& text, double value);
void append_number(std::string& text, Index value);

}  // namespace mugrad::formats
