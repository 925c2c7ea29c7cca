// SPDX-License-Identifier: MIT
#include "core/utf8.h"

namespace mugrad {
namespace {

/// The length of the character that starts with `lead`, and the range of its second byte; 0 bytes
/// if `lead` is invalid.
struct CharacterForm {
  std::size_t bytes;
  unsigned char lowest = 0x80;
  unsigned char highest = 0xBF;
};

CharacterForm form_of(unsigned char lead) noexcept {
  if (lead < 0x80) return {1};
  if (lead < 0xC2) return {0};
  if (lead < 0xE0) return {2};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

}  // namespace

Utf8Character first_character(std::string_view text) noexcept {
  if (text.empty()) return {};
  const auto lead = static_cast<unsigned char>(text[0]);
  const CharacterForm form = form_of(lead);
  if (form.bytes == 0 || form.bytes > text.size()) return {};
  char32_t value = form.bytes == 1 ? lead : lead & (0x7FU >> form.bytes);
  for (std::size_t k = 1; k < form.bytes; ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if (byte < (k == 1 ? form.lowest : 0x80) || byte > (k == 1 ? form.highest : 0xBF)) return {};
    value = (value << 6U) | (byte & 0x3FU);
  }
  return {form.bytes, value};
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string utf8_from_latin1(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xC0 | (byte >> 6));
      result += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return result;
}

std::string as_utf8(std::string_view text) {
  return is_utf8(text) ? std::string(text) : utf8_from_latin1(text);
}

}  // namespace mugrad
