// SPDX-License-Identifier: MIT
#include "data/formats/number.h"

#include <array>
#include <charconv>
#include <limits>

namespace mugrad::formats {
namespace {

/// std::from_chars gives no value for numbers beyond a double's range: 0 or infinity?
double out_of_range_value(const char* begin, const char* end) noexcept {
  long double wide = 0;
  if (std::from_chars(begin, end, wide).ec == std::errc{}) return static_cast<double>(wide);
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  const bool tiny = text.find_first_of("eE") != text.npos && text.find("-", 1) != text.npos;
  return tiny ? 0 : std::numeric_limits<double>::infinity();
}

template <class Number>
void append(std::string& text, Number value) {
  std::array<char, 32> buffer;  // the longest shortest double has 24 characters
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), result.ptr);
}

}  // namespace

const char* scan_number(const char* at, const char* end, double& value) noexcept {
  const char* begin = at;
  if (end - begin > 1 && *begin == '+' && begin[1] != '-') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    value = out_of_range_value(begin, stop);
    return stop;
  }
  return error == std::errc{} ? stop : at;
}

std::optional<double> number_in(std::string_view text) noexcept {
  const char* end = text.data() + text.size();
  double value = 0;
  if (text.empty() || scan_number(text.data(), end, value) != end) return std::nullopt;
  return value;
}

std::optional<Index> integer_in(std::string_view text) noexcept {
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  Index value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

void append_number(std::string& text, double value) { append(text, value); }
void append_number(std::string& text, Index value) { append(text, value); }

}  // namespace mugrad::formats
