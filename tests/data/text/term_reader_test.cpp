// SPDX-License-Identifier: MIT
#include "data/text/term_reader.h"

#include "support/plain_terms.h"
#include "support/random_texts.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> terms_of(std::string_view text, const TextOptions& options) {
  std::vector<std::string> terms;
  TermReader reader(options);
  reader.read(text, [&](std::string_view term) { terms.emplace_back(term); });
  return terms;
}

TextOptions characters(Index least, Index most) {
  return {.max_words = 0, .min_characters = least, .max_characters = most};
}

TEST(TermReader, TermsAreWordsAndTheirNGrams) {
  EXPECT_THAT(terms_of("One two, three", {.max_words = 1}), ElementsAre("one", "two", "three"));
  EXPECT_THAT(terms_of("One two, three", {}),
              ElementsAre("one", "two", "one two", "three", "two three"));
  EXPECT_THAT(terms_of("One two, three", {.min_words = 3, .max_words = 5}),
              ElementsAre("one two three"));
  EXPECT_THAT(terms_of("One", {.min_words = 2}), IsEmpty());
}

TEST(TermReader, TermsOfATextAreThoseOfItsReader) {
  for (const auto& text : testing::random_texts(50, 7)) {
    const TextOptions options{.max_words = 3, .min_characters = 2, .max_characters = 4};
    EXPECT_EQ(terms_of_text(text, options), terms_of(text, options));
  }
  EXPECT_THROW(terms_of_text("one", {.max_words = 0}), UsageError);
}

TEST(TermReader, SingleLettersAndDigitsOfAsciiAreLeftOut) {
  EXPECT_THAT(terms_of("a cat I 7 see K", {}), ElementsAre("cat", "see", "cat see"));
  EXPECT_THAT(terms_of("à 猫 7\u0301", {.max_words = 1}), ElementsAre("à", "猫", "7\u0301"));
}

TEST(TermReader, CharactersAreTakenFromWordsWithABlankOnBothSides) {
  EXPECT_THAT(terms_of("été no", characters(3, 3)),
              ElementsAre("~ ét", "~été", "~té ", "~ no", "~no "));
  EXPECT_THAT(terms_of("no", characters(1, 2)),
              ElementsAre("~ ", "~n", "~o", "~ ", "~ n", "~no", "~o "));
}

TEST(TermReader, AShortWordGivesItselfOnce) {
  EXPECT_THAT(terms_of("no", characters(4, 9)), ElementsAre("~ no "));
  EXPECT_THAT(terms_of("no", characters(6, 9)), ElementsAre("~ no "));
}

TEST(TermReader, NGramsOfCharactersAreNeverWords) {
  EXPECT_THAT(terms_of("concat cat", {.max_words = 1, .min_characters = 3, .max_characters = 3}),
              ElementsAre("concat", "~ co", "~con", "~onc", "~nca", "~cat", "~at ", "cat", "~ ca",
                          "~cat", "~at "));
}

TEST(TermReader, TextsDoNotDependOnThoseBefore) {
  TermReader reader({});
  std::vector<std::string> terms;
  const auto take = [&](std::string_view term) { terms.emplace_back(term); };
  reader.read("one two", take);
  terms.clear();
  reader.read("three", take);
  EXPECT_THAT(terms, ElementsAre("three"));
  terms.clear();
  reader.read("", take);
  EXPECT_THAT(terms, IsEmpty());
}

TEST(TermReader, TermsOfRandomTextsAreThoseOfTheDefinition) {
  const std::vector<TextOptions> several = {
      {},
      {.min_words = 2, .max_words = 4},
      characters(1, 3),
      characters(5, 5),
      {.max_words = 1, .min_characters = 2, .max_characters = 6}};
  for (const auto& options : several) {
    for (const std::string& text : testing::random_texts(1000, 3)) {
      auto terms = terms_of(text, options);
      auto expected = testing::plain_terms(text, options);
      std::ranges::sort(terms);
      std::ranges::sort(expected);
      ASSERT_EQ(terms, expected) << text;
    }
  }
}

TEST(TermReader, TextsThatAreTooLongAreRefused) {
  TermReader reader({});
  const char start = 'x';  // no byte is read
  EXPECT_THROW(reader.read({&start, TermReader::kMostBytes + 1}, [](std::string_view) {}),
               InputError);
}

std::string refusal_of(const TextOptions& options) {
  try {
    check_text_options(options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(TextOptions, OutOfRangeAreRefused) {
  EXPECT_EQ(refusal_of({}), "");
  EXPECT_EQ(refusal_of({.min_words = 0}),
            "TextOptions::min_words must be between 1 and 100, got 0");
  EXPECT_EQ(refusal_of({.max_words = 101}),
            "TextOptions::max_words must be between 1 and 100, got 101");
  EXPECT_EQ(refusal_of({.min_words = 3}),
            "TextOptions::max_words must be between 3 and 100, got 2");
  EXPECT_EQ(refusal_of({.max_words = 0}),
            "texts have no terms if TextOptions::max_words and TextOptions::max_characters are 0");
  EXPECT_EQ(refusal_of({.max_characters = 3}),
            "TextOptions::min_characters must be between 1 and 100, got 0");
  EXPECT_EQ(refusal_of({.min_characters = 3}),
            "TextOptions::max_characters must be between 3 and 100, got 0");
  EXPECT_EQ(refusal_of({.min_documents = 0}),
            "TextOptions::min_documents must be at least 1, got 0");
  EXPECT_EQ(refusal_of({.max_document_share = 0}),
            "TextOptions::max_document_share must be above 0 and at most 1, got 0");
  EXPECT_NE(refusal_of({.max_document_share = 1.5}), "");
  EXPECT_NE(refusal_of({.max_document_share = std::numeric_limits<double>::quiet_NaN()}), "");
  EXPECT_EQ(refusal_of({.max_terms = 0}),
            "TextOptions::max_terms must be between 1 and 2147483647, got 0");
  EXPECT_EQ(refusal_of({.hash_bits = 31}),
            "TextOptions::hash_bits must be between 0 and 30, got 31");
  EXPECT_NE(refusal_of({.hash_bits = -1}), "");
}

}  // namespace
}  // namespace mugrad
