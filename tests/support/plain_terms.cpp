// SPDX-License-Identifier: MIT
#include "support/plain_terms.h"

#include "support/random_texts.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <set>

namespace mugrad::testing {
namespace {

using Classes = std::set<int>;

const Classes kNewlines = {U_WB_CR, U_WB_LF, U_WB_NEWLINE};
const Classes kMarks = {U_WB_EXTEND, U_WB_FORMAT, U_WB_ZWJ};
const Classes kLetters = {U_WB_ALETTER, U_WB_HEBREW_LETTER};
const Classes kBetweenLetters = {U_WB_MIDLETTER, U_WB_MIDNUMLET, U_WB_SINGLE_QUOTE};
const Classes kBetweenDigits = {U_WB_MIDNUM, U_WB_MIDNUMLET, U_WB_SINGLE_QUOTE};
const Classes kConnected = {U_WB_ALETTER, U_WB_HEBREW_LETTER, U_WB_NUMERIC, U_WB_KATAKANA};

int class_of(char32_t c) {
  if (c == U':' || c == 0xFE55 || c == 0xFF1A) return U_WB_OTHER;
  return u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_WORD_BREAK);
}

/// A text without the marks that WB4 ignores: at each position the class of the character that its
/// marks belong to.
struct Unmarked {
  std::vector<int> classes;           ///< of characters that are not ignored
  std::vector<std::size_t> position;  ///< in `classes`, of each character of the text
};

Unmarked without_marks(const std::vector<int>& classes) {
  Unmarked result;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const bool is_ignored =
        i > 0 && kMarks.contains(classes[i]) && !kNewlines.contains(classes[i - 1]);
    if (!is_ignored) result.classes.push_back(classes[i]);
    result.position.push_back(result.classes.size() - 1);
  }
  return result;
}

/// WB5 to WB16: whether there is no boundary before position i > 0.
bool are_joined(const std::vector<int>& classes, std::size_t i) {
  const auto at = [&](std::size_t k) { return k < classes.size() ? classes[k] : -1; };
  const int a2 = at(i - 2);
  const int a = at(i - 1);
  const int b = at(i);
  const int b2 = at(i + 1);
  const auto in = [](int value, const Classes& set) { return set.contains(value); };
  if (in(a, kLetters) && in(b, kLetters)) return true;                             // WB5
  if (in(a, kLetters) && in(b, kBetweenLetters) && in(b2, kLetters)) return true;  // WB6
  if (in(a2, kLetters) && in(a, kBetweenLetters) && in(b, kLetters)) return true;  // WB7
  if (a == U_WB_HEBREW_LETTER && b == U_WB_SINGLE_QUOTE) return true;              // WB7a
  if (a == U_WB_HEBREW_LETTER && b == U_WB_DOUBLE_QUOTE && b2 == U_WB_HEBREW_LETTER) return true;
  if (a2 == U_WB_HEBREW_LETTER && a == U_WB_DOUBLE_QUOTE && b == U_WB_HEBREW_LETTER) return true;
  if (a == U_WB_NUMERIC && b == U_WB_NUMERIC) return true;                            // WB8
  if (in(a, kLetters) && b == U_WB_NUMERIC) return true;                              // WB9
  if (a == U_WB_NUMERIC && in(b, kLetters)) return true;                              // WB10
  if (a2 == U_WB_NUMERIC && in(a, kBetweenDigits) && b == U_WB_NUMERIC) return true;  // WB11
  if (a == U_WB_NUMERIC && in(b, kBetweenDigits) && b2 == U_WB_NUMERIC) return true;  // WB12
  if (a == U_WB_KATAKANA && b == U_WB_KATAKANA) return true;                          // WB13
  if ((in(a, kConnected) || a == U_WB_EXTENDNUMLET) && b == U_WB_EXTENDNUMLET) return true;
  if (a == U_WB_EXTENDNUMLET && in(b, kConnected)) return true;  // WB13b
  if (a != U_WB_REGIONAL_INDICATOR || b != U_WB_REGIONAL_INDICATOR) return false;
  std::size_t before = 0;  // WB15, WB16: pairs
  while (before < i && classes[i - 1 - before] == U_WB_REGIONAL_INDICATOR) ++before;
  return before % 2 == 1;
}

std::u32string characters_of(std::string_view text) {
  const auto units = icu::UnicodeString::fromUTF8({text.data(), static_cast<int>(text.size())});
  std::u32string result;
  for (int i = 0; i < units.length(); i = units.moveIndex32(i, 1)) {
    result += static_cast<char32_t>(units.char32At(i));
  }
  return result;
}

bool is_word(std::u32string_view segment) {
  return std::ranges::any_of(segment, [](char32_t c) {
    const bool counts = (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
    return counts && !kMarks.contains(class_of(c));
  });
}

std::string lower_of(std::u32string_view word) {
  std::string result;
  icu::UnicodeString::fromUTF8(utf8_of(word)).toLower(icu::Locale::getRoot()).toUTF8String(result);
  return result;
}

std::string joined(const std::vector<std::string>& words, std::size_t begin, std::size_t count) {
  std::string result = words[begin];
  for (std::size_t k = 1; k < count; ++k) result += " " + words[begin + k];
  return result;
}

}  // namespace

std::vector<bool> plain_boundaries(std::u32string_view text, EmojiRule emoji) {
  std::vector<int> classes;
  for (const char32_t c : text) classes.push_back(class_of(c));
  const Unmarked unmarked = without_marks(classes);
  std::vector<bool> result(text.size() + 1, true);
  for (std::size_t i = 1; i < text.size(); ++i) {
    const int a = classes[i - 1];
    const int b = classes[i];
    const auto c = static_cast<UChar32>(text[i]);
    const bool is_emoji = emoji == EmojiRule::applies && a == U_WB_ZWJ &&
                          u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
    const bool is_blank = a == U_WB_WSEGSPACE && b == U_WB_WSEGSPACE;
    if (kNewlines.contains(a) || kNewlines.contains(b)) {
      result[i] = a != U_WB_CR || b != U_WB_LF;  // WB3 to WB3b
    } else if (is_emoji || is_blank || kMarks.contains(b)) {
      result[i] = false;  // WB3c to WB4
    } else {
      result[i] = !are_joined(unmarked.classes, unmarked.position[i]);
    }
  }
  return result;
}

std::vector<std::string> plain_words(std::string_view text) {
  const std::u32string characters = characters_of(text);
  const auto is_boundary = plain_boundaries(characters, EmojiRule::is_left_out);
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= characters.size(); ++end) {
    if (!is_boundary[end]) continue;
    const auto segment = std::u32string_view(characters).substr(begin, end - begin);
    if (is_word(segment)) words.push_back(lower_of(segment));
    begin = end;
  }
  return words;
}

std::vector<std::string> plain_terms(std::string_view text, const TextOptions& options) {
  auto words = plain_words(text);
  std::erase_if(words, [](const std::string& word) { return word.size() == 1; });
  std::vector<std::string> terms;
  for (Index n = options.min_words; n <= options.max_words; ++n) {
    for (std::size_t i = 0; i + as_size(n) <= words.size(); ++i) {
      terms.push_back(joined(words, i, as_size(n)));
    }
  }
  if (options.max_characters == 0) return terms;
  for (const std::string& word : words) {
    const std::u32string padded = U" " + characters_of(word) + U" ";
    for (Index n = options.min_characters; n <= options.max_characters; ++n) {
      if (as_size(n) >= padded.size()) {
        terms.push_back("~" + utf8_of(padded));
        break;
      }
      for (std::size_t i = 0; i + as_size(n) <= padded.size(); ++i) {
        terms.push_back("~" + utf8_of(std::u32string_view(padded).substr(i, as_size(n))));
      }
    }
  }
  return terms;
}

}  // namespace mugrad::testing
