// SPDX-License-Identifier: MIT
#include "data/text/word_reader.h"

#include "support/plain_terms.h"
#include "support/random_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <memory>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using testing::EmojiRule;
using ::testing::IsEmpty;
using testing::utf8_of;

std::vector<std::string> words_of(std::string_view text) {
  WordReader reader(text);
  std::vector<std::string> words;
  for (std::string word; reader.next(word); word.clear()) words.push_back(word);
  return words;
}

TEST(WordReader, WordsHaveALetterOrDigitAndAreLowerCase) {
  EXPECT_THAT(words_of("The quick (\"brown\") fox -- 42!"),
              ElementsAre("the", "quick", "brown", "fox", "42"));
  EXPECT_THAT(words_of("ÀÉ Straße ДА ǅ"), ElementsAre("àé", "straße", "да", "ǆ"));
  EXPECT_THAT(words_of(""), IsEmpty());
  EXPECT_THAT(words_of(" .,;:'\"-_ __ \n\r\n … « »"), IsEmpty());
}

TEST(WordReader, ApostrophesAndPointsJoinLettersOnBothSides) {
  EXPECT_THAT(words_of("don't 'quoted' e.g. it’s O''Neil"),
              ElementsAre("don't", "quoted", "e.g", "it’s", "o", "neil"));
  EXPECT_THAT(words_of("www.example.org l·l re-read a,b"),
              ElementsAre("www.example.org", "l·l", "re", "read", "a", "b"));
}

TEST(WordReader, CommasAndPointsJoinDigitsOnBothSides) {
  EXPECT_THAT(words_of("1,000.50 3;4 5, 6. 7.x x.8 1'000"),
              ElementsAre("1,000.50", "3;4", "5", "6", "7", "x", "x", "8", "1'000"));
}

TEST(WordReader, UnderscoresJoinAndColonsDoNot) {
  EXPECT_THAT(words_of("snake_case __init__ _1 a:b 12:30 ＡＢ：Ｃ"),
              ElementsAre("snake_case", "__init__", "_1", "a", "b", "12", "30", "ａｂ", "ｃ"));
}

TEST(WordReader, MarksBelongToTheCharacterBeforeThem) {
  EXPECT_THAT(words_of("cafe\u0301 co\u00ADop x\u0308\u200Dy \u0301z"),
              ElementsAre("cafe\u0301", "co\u00ADop", "x\u0308\u200Dy", "z"));
  // Composed and decomposed forms are different words.
  EXPECT_THAT(words_of("é e\u0301"), ElementsAre("é", "e\u0301"));
}

TEST(WordReader, VowelSignsOfHindiStayInTheirWord) {
  EXPECT_THAT(words_of("नमस्ते दुनिया।"), ElementsAre("नमस्ते", "दुनिया"));
}

TEST(WordReader, QuotesAreInHebrewWords) {
  EXPECT_THAT(words_of("צה\"ל ג' \"שלום\" ab\"c"), ElementsAre("צה\"ל", "ג'", "שלום", "ab", "c"));
}

TEST(WordReader, ScriptsWithoutBlanksGiveOneWordPerCharacterButKatakana) {
  EXPECT_THAT(words_of("東京 です"), ElementsAre("東", "京", "で", "す"));
  EXPECT_THAT(words_of("ラーメンを"), ElementsAre("ラーメン", "を"));
  // A vowel sign stays with its consonant.
  EXPECT_THAT(words_of("ที่นี่"), ElementsAre("ที่", "นี่"));
  EXPECT_THAT(words_of("한국어 서울"), ElementsAre("한국어", "서울"));
}

TEST(WordReader, EmojiAndFlagsAreNoWords) {
  EXPECT_THAT(words_of("😀 👨\u200D👩\u200D👧 🇩🇪🇫🇷 👍🏽 ©™"), IsEmpty());
  EXPECT_THAT(words_of("ok👍🏽ok 🇩🇪de"), ElementsAre("ok", "ok", "de"));
  EXPECT_THAT(words_of("1\uFE0F\u20E3"), ElementsAre("1\uFE0F\u20E3"));
}

TEST(WordReader, NumbersOfAllKindsAreWords) {
  EXPECT_THAT(words_of("½ x² Ⅻ ٣٤"), ElementsAre("½", "x", "²", "ⅻ", "٣٤"));
}

TEST(WordReader, LowerCaseMayDependOnTheWordAndChangeItsLength) {
  EXPECT_THAT(words_of("ΟΔΟΣ ΣΑΣ Σ. İI ȺK"), ElementsAre("οδος", "σας", "σ", "i\u0307i", "ⱥk"));
}

TEST(WordReader, BytesThatAreNotUtf8EndWords) {
  EXPECT_THAT(words_of("ab\xFF"
                       "cd\xC3"),
              ElementsAre("ab", "cd"));
  EXPECT_THAT(words_of("\xED\xA0\x80x\xF4\x90\x80\x80y\xC0\xAFz"), ElementsAre("x", "y", "z"));
  EXPECT_THAT(words_of("a'\xE2\x80"), ElementsAre("a"));
}

TEST(WordReader, NulIsLikeABlank) {
  EXPECT_THAT(words_of(std::string_view("a\0b", 3)), ElementsAre("a", "b"));
}

TEST(WordReader, LongWordsAreWhole) {
  const std::string letters(1'000'000, 'x');
  EXPECT_THAT(words_of(letters + " y"), ElementsAre(letters, "y"));
  std::string marked = "e";
  for (int i = 0; i < 100'000; ++i) marked += "\u0301";
  EXPECT_THAT(words_of(marked + "." + marked), ElementsAre(marked + "." + marked));
}

TEST(WordReader, KindsAreThoseOfIcuForAsciiToo) {
  for (char32_t c = 0; c < 128; ++c) {
    if (c == U':') continue;
    const CharacterKind from_icu = character_kind::beyond_ascii(c);
    EXPECT_EQ(kind_of(c).word_break, from_icu.word_break) << static_cast<unsigned>(c);
    EXPECT_EQ(kind_of(c).is_letter_or_digit, from_icu.is_letter_or_digit)
        << static_cast<unsigned>(c);
  }
}

TEST(WordReader, EveryCharacterAloneAndBetweenLettersIsAsByTheDefinition) {
  for (char32_t c = 1; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const std::string text = utf8_of(std::u32string{c, U' ', U'a', c, U'b', U'1', c, U'2'});
    ASSERT_EQ(words_of(text), testing::plain_words(text)) << static_cast<unsigned>(c);
  }
}

TEST(WordReader, WordsOfRandomTextsAreThoseOfTheDefinition) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = utf8_of(testing::random_characters(random, 24));
    ASSERT_EQ(words_of(text), testing::plain_words(text)) << text;
  }
}

/// Whether ICU divides texts with such characters by dictionaries, or by rules of its own, which
/// depend on its version.
bool is_special_for_icu(char32_t character) {
  if (character == U'@' || character == U':' || character == 0xFE55 || character == 0xFF1A) {
    return true;
  }
  const auto c = static_cast<UChar32>(character);
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &error);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         script == USCRIPT_HANGUL || u_getIntPropertyValue(c, UCHAR_WORD_BREAK) == U_WB_KATAKANA ||
         u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

/// The definition of the tests against ICU's own implementation.
TEST(WordReader, BoundariesByTheDefinitionAreThoseOfIcu) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> icu(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), error));
  ASSERT_TRUE(U_SUCCESS(error));
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::u32string text = testing::random_characters(random, 24);
    std::erase_if(text, is_special_for_icu);
    const auto units = icu::UnicodeString::fromUTF8(utf8_of(text));
    icu->setText(units);
    const auto expected = testing::plain_boundaries(text, EmojiRule::applies);
    for (std::size_t k = 0; k <= text.size() && !text.empty(); ++k) {
      const int at = units.moveIndex32(0, static_cast<int>(k));
      ASSERT_EQ(icu->isBoundary(at) != 0, expected[k]) << utf8_of(text) << " at " << k;
    }
  }
}

}  // namespace
}  // namespace mugrad
