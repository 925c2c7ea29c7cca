// SPDX-License-Identifier: MIT
#include "data/text/character_kind.h"

#include <unicode/uchar.h>

namespace mugrad::character_kind {
namespace {

WordBreak word_break_of(UChar32 character) noexcept {
  constexpr UChar32 kSmallColon = 0xFE55;
  constexpr UChar32 kFullwidthColon = 0xFF1A;
  switch (u_getIntPropertyValue(character, UCHAR_WORD_BREAK)) {
    case U_WB_ALETTER:
      return WordBreak::letter;
    case U_WB_HEBREW_LETTER:
      return WordBreak::hebrew;
    case U_WB_NUMERIC:
      return WordBreak::digit;
    case U_WB_KATAKANA:
      return WordBreak::katakana;
    case U_WB_EXTENDNUMLET:
      return WordBreak::connector;
    case U_WB_MIDLETTER:
      return character == kSmallColon || character == kFullwidthColon ? WordBreak::other
                                                                      : WordBreak::mid_letter;
    case U_WB_MIDNUM:
      return WordBreak::mid_number;
    case U_WB_MIDNUMLET:
      return WordBreak::mid_both;
    case U_WB_SINGLE_QUOTE:
      return WordBreak::single_quote;
    case U_WB_DOUBLE_QUOTE:
      return WordBreak::double_quote;
    case U_WB_EXTEND:
    case U_WB_FORMAT:
    case U_WB_ZWJ:
      return WordBreak::mark;
    default:
      return WordBreak::other;
  }
}

}  // namespace

CharacterKind beyond_ascii(char32_t character) noexcept {
  const auto c = static_cast<UChar32>(character);
  return {.word_break = word_break_of(c),
          .is_letter_or_digit = (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_N_MASK)) != 0};
}

}  // namespace mugrad::character_kind
