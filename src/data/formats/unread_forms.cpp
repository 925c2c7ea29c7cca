// SPDX-License-Identifier: MIT
#include "data/formats/unread_forms.h"

#include <cstddef>

namespace mugrad::formats {
namespace {

/// Removes the digits at the start, and returns how many these were.
std::size_t take_digits(std::string_view& text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
  text.remove_prefix(count);
  return count;
}

bool is_any(char c, std::string_view characters) noexcept {
  return characters.find(c) != std::string_view::npos;
}

/// Removes the character at the start if it is there.
bool take(std::string_view& text, char c) noexcept {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Removes groups of three digits after separators; returns whether there is one.
bool take_groups(std::string_view& text, char separator) noexcept {
  bool found = false;
  for (;;) {
    std::string_view rest = text;
    if (!take(rest, separator) || take_digits(rest) != 3) return found;
    text = rest;
    found = true;
  }
}

bool is_decimals(std::string_view text, char comma) noexcept {
  return take(text, comma) && take_digits(text) > 0 && text.empty();
}

}  // namespace

bool looks_like_number(std::string_view text) noexcept {
  if (!take(text, '-')) take(text, '+');
  const auto whole = take_digits(text);
  if (whole == 0 || text.empty()) return false;
  if (is_decimals(text, ',')) return true;
  const char separator = text.front();
  if (whole > 3 || !is_any(separator, ",.' ") || !take_groups(text, separator)) return false;
  const bool is_whole = text.empty() && separator != ' ';  // not a telephone number
  return is_whole || (separator != '.' && is_decimals(text, '.')) ||
         (separator != ',' && is_decimals(text, ','));
}

bool looks_like_date(std::string_view text) noexcept {
  text = text.substr(0, text.find(' '));
  const auto one_or_two = [&] {
    const auto count = take_digits(text);
    return count == 1 || count == 2;
  };
  if (!one_or_two() || text.empty() || !is_any(text.front(), "/-.")) return false;
  const char separator = text.front();
  if (!take(text, separator) || !one_or_two() || !take(text, separator)) return false;
  const auto year = take_digits(text);
  const bool is_year = year == 4 || (year == 2 && separator != '.');  // not a version
  return is_year && text.empty();
}

}  // namespace mugrad::formats
