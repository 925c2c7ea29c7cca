// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_text.h"

#include <fmt/format.h>

#include <iterator>

namespace mugrad::formats {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

const char* skip_digits(const char* at, const char* end) noexcept {
  while (at != end && is_digit(*at)) ++at;
  return at;
}

}  // namespace

std::string_view json_trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_json_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_json_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_json_number(std::string_view text) noexcept {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (at != end && *at == '-') ++at;
  if (at == end || !is_digit(*at)) return false;
  at = *at == '0' ? at + 1 : skip_digits(at, end);
  if (at != end && *at == '.') {
    const char* digits = at + 1;
    at = skip_digits(digits, end);
    if (at == digits) return false;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    const char* digits = at + 1;
    if (digits != end && (*digits == '+' || *digits == '-')) ++digits;
    at = skip_digits(digits, end);
    if (at == digits) return false;
  }
  return at == end;
}

bool is_json_word(std::string_view text) noexcept {
  return text == "true" || text == "false" || text == "null";
}

void append_json_string(std::string& json, std::string_view text) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (json += '\\') += c;
    } else if (c == '\n') {
      json += "\\n";
    } else if (c == '\r') {
      json += "\\r";
    } else if (c == '\t') {
      json += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(json), "\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      json += c;
    }
  }
  json += '"';
}

}  // namespace mugrad::formats
