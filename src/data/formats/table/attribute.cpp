// SPDX-License-Identifier: MIT
#include "data/formats/table/attribute.h"

#include "core/utf8.h"
#include "data/formats/number.h"
#include "data/formats/source_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace mugrad::formats {
namespace {

struct TruthPair {
  std::string_view no;
  std::string_view yes;
};
constexpr std::array<TruthPair, 3> kTruthPairs = {{{"0", "1"}, {"NO", "YES"}, {"FALSE", "TRUE"}}};

constexpr std::string_view kMissingWords[] = {"", "?", "-", "NA", "N/A", "NaN", "NULL", "None"};
constexpr std::size_t kLongestMissingWord = 4;

/// Reads a date or a time from left to right; after a mistake, is_valid() is false.
class DateText {
 public:
  explicit DateText(std::string_view text) : left_(text) {}

  bool is_valid() const noexcept { return is_valid_; }
  bool at_end() const noexcept { return left_.empty(); }
  bool next_is(std::string_view any) const noexcept {
    return !left_.empty() && any.find(left_.front()) != std::string_view::npos;
  }
  /// Skips one of these characters.
  void skip(std::string_view any) noexcept {
    is_valid_ = is_valid_ && next_is(any);
    if (is_valid_) left_.remove_prefix(1);
  }
  /// A number of exactly so many digits, at most `most`.
  int digits(std::size_t count, int most) noexcept {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!next_is("0123456789")) return fail();
      value = 10 * value + (left_.front() - '0');
      left_.remove_prefix(1);
    }
    return value <= most ? value : fail();
  }
  /// A number of one digit or two, at most `most`.
  int one_or_two_digits(int most) noexcept {
    int value = digits(1, 9);
    if (next_is("0123456789")) value = 10 * value + digits(1, 9);
    return value <= most ? value : fail();
  }
  void skip_digits() noexcept {
    while (next_is("0123456789")) left_.remove_prefix(1);
  }

 private:
  int fail() noexcept {
    is_valid_ = false;
    return 0;
  }

  std::string_view left_;
  bool is_valid_ = true;
};

constexpr int kMinutesPerDay = 24 * 60;

/// The minutes from midnight, with the offset of the time zone taken off.
double minutes_in(DateText& text) noexcept {
  double minutes = 60 * text.digits(2, 24);
  text.skip(":");
  // Midnight may be written 24:00 of the day before.
  const bool is_over = minutes == kMinutesPerDay;
  minutes += text.digits(2, is_over ? 0 : 59);
  if (text.next_is(":")) {
    text.skip(":");
    minutes += text.digits(2, is_over ? 0 : 60) / 60.0;
    if (text.next_is(".,")) {
      text.skip(".,");
      text.skip_digits();
    }
  }
  if (text.next_is("Zz")) {
    text.skip("Zz");
  } else if (text.next_is("+-")) {
    const int sign = text.next_is("+") ? 1 : -1;
    text.skip("+-");
    int offset = 60 * text.digits(2, 23);
    if (text.next_is(":")) text.skip(":");
    if (!text.at_end()) offset += text.digits(2, 59);
    minutes -= sign * offset;
  }
  return minutes;
}

constexpr int kMostYears = 9999;
constexpr int kMostMonths = 12;
constexpr int kMostDays = 31;

/// 2026-11-18 or 2026/11/18.
std::chrono::year_month_day year_first(DateText& text) noexcept {
  const std::chrono::year year(text.digits(4, kMostYears));
  const std::string_view separator = text.next_is("-") ? "-" : "/";
  text.skip(separator);
  const std::chrono::month month(static_cast<unsigned>(text.digits(2, kMostMonths)));
  text.skip(separator);
  const std::chrono::day day(static_cast<unsigned>(text.digits(2, kMostDays)));
  return {year, month, day};
}

/// 18.11.2026 or 1.1.2026: with points, the day always comes first.
std::chrono::year_month_day day_first(DateText& text) noexcept {
  const std::chrono::day day(static_cast<unsigned>(text.one_or_two_digits(kMostDays)));
  text.skip(".");
  const std::chrono::month month(static_cast<unsigned>(text.one_or_two_digits(kMostMonths)));
  text.skip(".");
  return {std::chrono::year(text.digits(4, kMostYears)), month, day};
}

}  // namespace

std::string TableHeader::as_utf8(std::string_view text) {
  has_latin1 = has_latin1 || !is_utf8(text);
  return mugrad::as_utf8(text);
}

void check_name_length(const SourceText& source, const char* at, std::string_view name) {
  if (name.size() <= kLongestName) return;
  const auto what = fmt::format("the name of a column has {} bytes, expected at most {}: {}",
                                name.size(), kLongestName, shown(name));
  at == nullptr ? source.fail(what) : source.fail(at, what);
}

std::vector<std::string> names_of(const std::vector<Attribute>& attributes) {
  std::vector<std::string> names;
  names.reserve(attributes.size());
  for (const auto& attribute : attributes) names.push_back(attribute.name);
  return names;
}

std::optional<bool> truth_of(std::string_view text) noexcept {
  for (const auto& pair : kTruthPairs) {
    if (same_word(text, pair.no)) return false;
    if (same_word(text, pair.yes)) return true;
  }
  return std::nullopt;
}

std::optional<bool> label_of(std::string_view text) noexcept {
  if (const auto truth = truth_of(text)) return truth;
  const auto value = number_in(text);
  if (!value || (*value != 0 && *value != 1)) return std::nullopt;
  return *value == 1;
}

bool means_missing(std::string_view text) noexcept {
  if (text.size() > kLongestMissingWord) return false;
  return std::ranges::any_of(kMissingWords,
                             [&](std::string_view word) { return same_word(text, word); });
}

std::optional<double> date_in(std::string_view text) noexcept {
  constexpr std::size_t kShortest = 8;  // 1.1.2026
  if (text.size() < kShortest) return std::nullopt;
  DateText left(text);
  const bool starts_with_day = text[1] == '.' || text[2] == '.';
  const auto date = starts_with_day ? day_first(left) : year_first(left);
  double minutes = 0;
  if (!left.at_end()) {
    left.skip("T ");
    minutes = minutes_in(left);
  }
  if (!left.is_valid() || !left.at_end() || !date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) +
         minutes / kMinutesPerDay;
}

bool is_two_valued(const std::vector<std::string>& values) noexcept {
  return !values.empty() && std::ranges::any_of(kTruthPairs, [&](const TruthPair& pair) {
    return std::ranges::all_of(values, [&](const std::string& value) {
      return same_word(value, pair.no) || same_word(value, pair.yes);
    });
  });
}

}  // namespace mugrad::formats
