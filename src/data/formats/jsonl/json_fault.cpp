// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_fault.h"

#include "core/json.h"
#include "core/utf8.h"
#include "data/formats/jsonl/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace mugrad::formats {
namespace {

/// What some writers put where a value is missing or is not a number.
constexpr std::array<std::string_view, 9> kForMissing = {
    "nan", "-nan", "none", "undefined", "na", "null", "infinity", "-infinity", "inf"};

/// Parses a text by the grammar of RFC 8259, and throws at its first fault.
class FaultFinder {
 public:
  FaultFinder(const SourceText& source, std::string_view text, JsonPlace place)
      : source_(source), at_(text.data()), end_(text.data() + text.size()), place_(place) {}

  void look() {
    skip_blanks();
    if (at_ == end_) fail_here("");
    if (*at_ != '{') {
      fail_here(fmt::format("instead of an object, expected one per {}",
                            place_ == JsonPlace::line ? "line" : "item of the array"));
    }
    object(1);
    skip_blanks();
    if (at_ != end_) fail_here("after the object, expected the next one on a line of its own");
  }

 private:
  void skip_blanks() noexcept {
    while (at_ != end_ && is_json_blank(*at_)) ++at_;
  }

  /// The characters here up to the next one with a meaning.
  std::string_view word() const {
    const std::string_view rest(at_, as_size(end_ - at_));
    return rest.substr(0, std::max<std::size_t>(1, rest.find_first_of(" \t\r\n,:{}[]\"")));
  }

  [[noreturn]] void fail_here(std::string_view expectation) const {
    if (at_ == end_ && place_ == JsonPlace::item) {
      source_.fail(at_, "the file ends within its array, expected the rest of an object and ']'");
    }
    if (at_ == end_) {
      source_.fail(at_,
                   "the line ends within its object, expected the whole object on one line; "
                   "`jq -c . FILE` writes it so");
    }
    const auto first = first_character({at_, as_size(end_ - at_)});
    if (first.bytes == 0) source_.fail(at_, "this byte is not UTF-8, expected JSON in UTF-8");
    source_.fail(at_, fmt::format("{} {}", shown({at_, first.bytes}), expectation));
  }

  void expect_more() {
    skip_blanks();
    if (at_ == end_) fail_here("");
  }

  bool take(char c) noexcept {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  void check_depth(int depth) const {
    if (depth <= kDeepestJson) return;
    source_.fail(at_, fmt::format("nested more than {} levels deep", kDeepestJson));
  }

  void object(int depth) {
    check_depth(depth);
    ++at_;
    expect_more();
    if (take('}')) return;
    do {
      expect_more();
      if (*at_ != '"') fail_here("instead of a key, expected one in double quotes");
      string();
      expect_more();
      if (!take(':')) fail_here("after a key, expected ':'");
      value(depth);
      expect_more();
    } while (take(','));
    if (!take('}')) fail_here("after a value, expected ',' or '}'");
  }

  void list(int depth) {
    check_depth(depth);
    ++at_;
    expect_more();
    if (take(']')) return;
    do {
      value(depth);
      expect_more();
    } while (take(','));
    if (!take(']')) fail_here("after a value, expected ',' or ']'");
  }

  void value(int depth) {
    expect_more();
    if (*at_ == '{') return object(depth + 1);
    if (*at_ == '[') return list(depth + 1);
    if (*at_ == '"') return string();
    const auto scalar = word();
    if (!is_json_number(scalar) && !is_json_word(scalar)) fail_value(scalar);
    at_ += scalar.size();
  }

  [[noreturn]] void fail_value(std::string_view scalar) const {
    if (std::string_view(",:]}").find(scalar.front()) != std::string_view::npos ||
        first_character(scalar).bytes == 0) {
      fail_here("instead of a value");
    }
    const bool is_missing = std::ranges::any_of(
        kForMissing, [&](std::string_view known) { return same_word(scalar, known); });
    source_.fail(at_, fmt::format("{} is not a JSON value{}", shown(scalar),
                                  is_missing ? "; a missing one is written null"
                                             : ", and texts are written in double quotes"));
  }

  void string() {
    const char* open = at_++;
    bool follows_high = false;
    while (!take('"')) {
      if (at_ == end_) source_.fail(open, "this text does not close on its line, expected '\"'");
      if (*at_ == '\\') {
        follows_high = escape(follows_high);
        continue;
      }
      if (follows_high) fail_surrogate(at_ - kEscape);
      if (static_cast<unsigned char>(*at_) < 0x20) {
        fail_here("in a text, expected an escape such as \\t");
      }
      const auto character = first_character({at_, as_size(end_ - at_)});
      if (character.bytes == 0) fail_here("in a text");
      at_ += character.bytes;
    }
    if (follows_high) fail_surrogate(at_ - 1 - kEscape);
  }

  /// Passes an escape; returns whether it is the first half of a surrogate pair. The one before was
  /// one if `follows_high`.
  bool escape(bool follows_high) {
    const char* start = at_++;
    if (at_ == end_ || std::string_view("\"\\/bfnrtu").find(*at_) == std::string_view::npos) {
      source_.fail(start,
                   "not an escape of JSON, expected \\\" \\\\ \\/ \\b \\f \\n \\r \\t or "
                   "\\u and four digits");
    }
    std::uint32_t code = 0;
    if (*at_++ == 'u') {
      const char* digits_end = at_ + std::min<std::ptrdiff_t>(4, end_ - at_);
      const auto [stop, error] = std::from_chars(at_, digits_end, code, 16);
      if (error != std::errc{} || stop != at_ + 4) {
        source_.fail(start, "\\u is not followed by four hexadecimal digits");
      }
      at_ = stop;
      if (code == 0) source_.fail(start, "\\u0000 does not occur in text");
    }
    const bool is_low = code >= 0xDC00 && code < 0xE000;
    if (is_low && !follows_high) fail_surrogate(start);
    if (!is_low && follows_high) fail_surrogate(start - kEscape);
    return code >= 0xD800 && code < 0xDC00;
  }

  [[noreturn]] void fail_surrogate(const char* at) const {
    source_.fail(at, fmt::format("{} is half of a character, expected both halves",
                                 shown({at, static_cast<std::size_t>(kEscape)})));
  }

  static constexpr std::ptrdiff_t kEscape = 6;  ///< bytes of \uXXXX

  const SourceText& source_;
  const char* at_;
  const char* end_;
  JsonPlace place_;
};

}  // namespace

void fail_at_fault(const SourceText& source, std::string_view text, JsonPlace place) {
  FaultFinder(source, text, place).look();
  source.fail(text.data(), "this is not a JSON object");
}

}  // namespace mugrad::formats
