// SPDX-License-Identifier: MIT
#include "core/printable.h"

#include "core/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {
namespace {

/// Characters that are written as escapes.
bool is_unseen(char32_t character) {
  const auto is_between = [=](char32_t first, char32_t last) {
    return character >= first && character <= last;
  };
  return character < 0x20 || is_between(0x7F, 0x9F) || is_between(0x2028, 0x202E) ||
         is_between(0x2066, 0x2069);
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string result;
  while (!text.empty()) {
    const Utf8Character first = first_character(text);
    if (first.bytes == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    if (is_unseen(first.value) && !(keep_lines && first.value == '\n')) {
      const auto number = static_cast<std::uint32_t>(first.value);
      result +=
          number < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
    } else {
      result += text.substr(0, first.bytes);
    }
    text.remove_prefix(first.bytes);
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, false); }
std::string printable_lines(std::string_view text) { return shown(text, true); }

std::string listing(std::span<const std::string> names, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) {
    text += fmt::format("{}'{}'", k == 0 ? "" : ", ", names[k]);
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::string in_words(std::span<const std::string_view> names, std::string_view last) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) text += k + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
    text += names[k];
  }
  return text;
}

}  // namespace mugrad
