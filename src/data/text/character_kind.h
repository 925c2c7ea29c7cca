// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace mugrad {

/// The values of Unicode's property Word_Break that decide which characters a word has.
enum class WordBreak : std::uint8_t {
  other,
  letter,  ///< ALetter
  hebrew,  ///< Hebrew_Letter
  digit,   ///< Numeric
  katakana,
  connector,     ///< ExtendNumLet: the underscore and its like
  mid_letter,    ///< between letters
  mid_number,    ///< between digits
  mid_both,      ///< MidNumLet: between letters or digits
  single_quote,  ///< between letters or digits, and after a Hebrew letter
  double_quote,  ///< between Hebrew letters
  mark,          ///< Extend, Format or ZWJ: belongs to the character before it
};

struct CharacterKind {
  WordBreak word_break = WordBreak::other;
  bool is_letter_or_digit = false;  ///< general category L or N
};

namespace character_kind {

constexpr std::array<CharacterKind, 128> make_ascii() {
  std::array<CharacterKind, 128> kinds = {};
  for (unsigned char c = 'a'; c <= 'z'; ++c) kinds[c] = {WordBreak::letter, true};
  for (unsigned char c = 'A'; c <= 'Z'; ++c) kinds[c] = {WordBreak::letter, true};
  for (unsigned char c = '0'; c <= '9'; ++c) kinds[c] = {WordBreak::digit, true};
  kinds['_'] = {WordBreak::connector, false};
  kinds['.'] = {WordBreak::mid_both, false};
  kinds[','] = kinds[';'] = {WordBreak::mid_number, false};
  kinds['\''] = {WordBreak::single_quote, false};
  kinds['"'] = {WordBreak::double_quote, false};
  return kinds;
}
inline constexpr auto kAscii = make_ascii();

/// Of a character beyond ASCII.
CharacterKind beyond_ascii(char32_t character) noexcept;

}  // namespace character_kind

/// The colon and its wide forms are `other`, as the colon is in the root locale of CLDR: only a few
/// languages have it within words.
inline CharacterKind kind_of(char32_t character) noexcept {
  return character < 128 ? character_kind::kAscii[character]
                         : character_kind::beyond_ascii(character);
}

}  // namespace mugrad
