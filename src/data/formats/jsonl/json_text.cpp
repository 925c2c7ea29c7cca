// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_text.h"

#include <fmt/format.h>

#include <iterator>

namespace mugrad::formats {
namespace {

/// Removes the digits at the front; returns whether there were any.
bool skip_digits(std::string_view& text) noexcept {
  const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count > 0;
}

bool skip(std::string_view& text, std::string_view any_of) noexcept {
  if (text.empty() || any_of.find(text.front()) == any_of.npos) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string_view json_trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_json_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_json_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_json_number(std::string_view text) noexcept {
  skip(text, "-");
  if (!skip(text, "0") && !skip_digits(text)) return false;
  if (skip(text, ".") && !skip_digits(text)) return false;
  if (skip(text, "eE")) {
    skip(text, "+-");
    if (!skip_digits(text)) return false;
  }
  return text.empty();
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
