// SPDX-License-Identifier: MIT
#pragma once

#include "core/utf8.h"
#include "data/text/character_kind.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mugrad {

/// Reads the words of a text in order: the segments between the word boundaries of UAX #29 that
/// have a letter or digit (general category L or N), in lower case. Two exceptions:
///
/// - Colons end words (see kind_of).
/// - Rule WB3c is left out: an emoji is not joined to a zero-width joiner before it. Emoji have
///   neither letters nor digits, so this matters only if the joiner is attached to a word.
///
/// Rules WB3, WB3a, WB3b, WB3d, WB15 and WB16 are about segments without letters and digits, which
/// are skipped. Lower case is that of Unicode for no particular language, with a final sigma at
/// the end of a word. Bytes that are not UTF-8 end words and belong to none.
class WordReader {
 public:
  explicit WordReader(std::string_view text) noexcept : text_(text) {}

  /// Appends the next word; returns false if there is none.
  bool next(std::string& out);

 private:
  /// 0 bytes: the end of the text.
  struct Character {
    std::size_t bytes = 0;
    CharacterKind kind = {};
  };

  Character character_at(std::size_t position) const noexcept {
    if (position >= text_.size()) return {};
    const auto byte = static_cast<unsigned char>(text_[position]);
    if (byte < 128) return {1, character_kind::kAscii[byte]};
    const Utf8Character character = first_character(text_.substr(position));
    if (character.bytes == 0) return {1, {}};
    return {character.bytes, kind_of(character.value)};
  }
  std::size_t after_marks(std::size_t position) const noexcept;
  bool skip_to_start() noexcept;
  bool read_segment() noexcept;
  std::size_t read_ascii(std::size_t position, bool& has_letter_or_digit) const noexcept;

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace mugrad
