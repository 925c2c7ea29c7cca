// SPDX-License-Identifier: MIT
#include "data/formats/number.h"

#include "data/formats/source_text.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace mugrad::formats {
namespace {

/// std::from_chars returns no value for numbers outside the range of a double: 0 or infinity?
double out_of_range_value(const char* begin, const char* end) noexcept {
  long double wide = 0;
  if (std::from_chars(begin, end, wide).ec == std::errc{}) return static_cast<double>(wide);
  const std::string_view text(begin, as_size(end - begin));
  const bool tiny = text.find_first_of("eE") != text.npos && text.find('-', 1) != text.npos;
  return tiny ? 0 : std::numeric_limits<double>::infinity();
}

/// Powers of ten that are exact in double.
constexpr std::array<double, 16> kPowers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
std::uint64_t digit_of(char c) noexcept { return static_cast<std::uint64_t>(c - '0'); }

/// Plain decimals of at most 15 digits: both the digits and the power of ten are exact, so one
/// division rounds correctly. Returns `at` for anything else.
const char* scan_short_decimal(const char* at, const char* end, double& value) noexcept {
  const char* next = at;
  const bool negative = next != end && *next == '-';
  if (negative) ++next;
  const char* digits = next;
  std::uint64_t mantissa = 0;  // wraps for longer numbers, which are not accepted
  for (; next != end && is_digit(*next); ++next) mantissa = mantissa * 10 + digit_of(*next);
  std::ptrdiff_t count = next - digits;
  std::ptrdiff_t decimals = 0;
  if (next != end && *next == '.') {
    const char* point = next++;
    for (; next != end && is_digit(*next); ++next) mantissa = mantissa * 10 + digit_of(*next);
    decimals = next - point - 1;
    count += decimals;
  }
  const bool plain = next == end || *next == ',' || is_blank(*next) || *next == '}';
  if (!plain || count == 0 || count > 15) return at;
  const double magnitude = static_cast<double>(mantissa) / kPowers[as_size(decimals)];
  value = negative ? -magnitude : magnitude;
  return next;
}

template <class Number>
void append(std::string& text, Number value) {
  std::array<char, 32> buffer;  // the longest shortest double has 24 characters
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), result.ptr);
}

}  // namespace

const char* scan_number(const char* at, const char* end, double& value) noexcept {
  if (const char* stop = scan_short_decimal(at, end, value); stop != at) return stop;
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
