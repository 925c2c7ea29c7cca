// SPDX-License-Identifier: MIT
#include "data/text/vocabulary.h"

#include "support/plain_terms.h"
#include "support/random_texts.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> learned(const std::vector<std::string>& texts, const TextOptions& options,
                                 int threads = 1) {
  ThreadPool pool(Threads{threads});
  return learn_vocabulary(testing::views_of(texts), options, pool);
}

std::vector<std::string> plain_vocabulary(const std::vector<std::string>& texts,
                                          const TextOptions& options) {
  std::map<std::string, Index> documents;
  for (const std::string& text : texts) {
    const auto terms = testing::plain_terms(text, options);
    for (const std::string& term : std::set(terms.begin(), terms.end())) ++documents[term];
  }
  std::erase_if(documents, [&](const auto& term) {
    const auto share = static_cast<double>(term.second) / static_cast<double>(texts.size());
    return term.second < options.min_documents || share > options.max_document_share;
  });
  std::vector<std::pair<Index, std::string>> order;
  order.reserve(documents.size());
  for (const auto& [term, count] : documents) order.emplace_back(-count, term);
  std::ranges::sort(order);
  if (std::ssize(order) > options.max_terms) order.resize(as_size(options.max_terms));
  std::vector<std::string> result;
  result.reserve(order.size());
  for (const auto& [count, term] : order) result.push_back(term);
  std::ranges::sort(result);
  return result;
}

TEST(Vocabulary, HasTheTermsOfEnoughTextsInTheOrderOfTheirBytes) {
  const std::vector<std::string> texts = {"zebra apple apple", "Apple été", "zebra ÉTÉ", "fig"};
  EXPECT_THAT(learned(texts, {.max_words = 1}), ElementsAre("apple", "zebra", "été"));
  EXPECT_THAT(learned(texts, {.max_words = 1, .min_documents = 1}),
              ElementsAre("apple", "fig", "zebra", "été"));
  EXPECT_THAT(learned(texts, {.max_words = 1, .min_documents = 3}), IsEmpty());
}

TEST(Vocabulary, LeavesOutTermsOfTooLargeAShareOfAllTexts) {
  std::vector<std::string> texts(100, "");
  for (std::size_t i = 0; i < 30; ++i) texts[i] += "thirty ";
  for (std::size_t i = 0; i < 29; ++i) texts[i] += "fewer ";
  // 0.29 * 100 is less than 29 in double precision.
  EXPECT_THAT(learned(texts, {.max_words = 1, .max_document_share = 0.29}), ElementsAre("fewer"));
  EXPECT_THAT(learned(texts, {.max_words = 1, .max_document_share = 0.3}),
              ElementsAre("fewer", "thirty"));
}

TEST(Vocabulary, KeepsTheTermsOfTheMostTextsAndOfTiesTheFirst) {
  const std::vector<std::string> texts = {"cc bb aa", "aa cc bb", "cc dd", "dd cc cc cc"};
  TextOptions options = {.max_words = 1, .max_terms = 1};
  EXPECT_THAT(learned(texts, options), ElementsAre("cc"));
  options.max_terms = 2;
  EXPECT_THAT(learned(texts, options), ElementsAre("aa", "cc"));
  options.max_terms = 3;
  EXPECT_THAT(learned(texts, options), ElementsAre("aa", "bb", "cc"));
}

TEST(Vocabulary, OfTextsWithoutWordsIsEmpty) {
  EXPECT_THAT(learned({}, {.min_documents = 1}), IsEmpty());
  EXPECT_THAT(learned({"", " .", "a 1 😀"}, {.min_documents = 1}), IsEmpty());
}

TEST(Vocabulary, OfRandomTextsIsThatOfTheDefinitionWithAnyNumberOfThreads) {
  const auto texts = testing::random_texts(3000, 4);  // three blocks
  const std::vector<TextOptions> several = {
      {},
      {.min_documents = 1, .max_terms = 500},
      {.max_words = 3, .min_documents = 5, .max_document_share = 0.3, .max_terms = 1000},
      {.max_words = 1, .min_characters = 2, .max_characters = 4, .max_terms = 777}};
  for (const auto& options : several) {
    const auto expected = plain_vocabulary(texts, options);
    ASSERT_FALSE(expected.empty());
    for (const int threads : {1, 2, 3, 7}) {
      EXPECT_EQ(learned(texts, options, threads), expected) << threads << " threads";
    }
  }
}

TEST(Vocabulary, DoesNotDependOnHowTextsAreDividedAmongCalls) {
  const auto texts = testing::random_texts(2500, 5);
  const auto views = testing::views_of(texts);
  const TextOptions options = {.max_document_share = 0.5};
  const auto expected = learned(texts, options);
  ThreadPool pool(Threads{2});
  for (const std::size_t piece : {std::size_t{100}, std::size_t{999}, std::size_t{2400}}) {
    VocabularyLearner learner(options);
    for (std::size_t begin = 0; begin < views.size(); begin += piece) {
      const auto count = std::min(piece, views.size() - begin);
      learner.add(std::span(views).subspan(begin, count), pool);
    }
    EXPECT_EQ(learner.vocabulary(), expected) << piece;
  }
}

TEST(Vocabulary, NewTermsAreTheMostFrequentForWhichThereIsRoom) {
  const std::vector<std::string> texts = {"aa bb cc dd", "aa bb cc", "aa bb", "ee ff"};
  const TextOptions options = {.max_words = 1, .min_documents = 1, .max_terms = 4};
  ThreadPool pool(Threads{1});
  const auto views = testing::views_of(texts);
  const auto found = learn_new_terms(views, std::vector<std::string>{"aa", "zz"}, options, pool);
  EXPECT_THAT(found.terms, ::testing::ElementsAre("bb", "cc"));
  EXPECT_EQ(found.left_out, 3);
  const std::vector<std::string> full = {"u", "v", "w", "x", "y"};
  EXPECT_THAT(learn_new_terms(views, full, options, pool).terms, ::testing::IsEmpty());
  EXPECT_EQ(learn_new_terms(views, full, options, pool).left_out, 6);
}

TEST(Vocabulary, IsLearnedWithLessThanAHundredBytesPerTerm) {
  std::vector<std::string> texts;
  texts.reserve(50'000);
  for (int i = 0; i < 50'000; ++i) texts.push_back(fmt::format("w{} v{}", i, i));
  ThreadPool pool(Threads{1});
  VocabularyLearner learner({});
  learner.add(testing::views_of(texts), pool);
  EXPECT_EQ(learner.terms(), 150'000);
  EXPECT_LE(learner.bytes(), 90.0 * 150'000);
  EXPECT_GE(learner.bytes(), 40.0 * 150'000);
}

TEST(Vocabulary, LearningUpdatesItsProgressForEveryMebibyteAndCanBeStopped) {
  const std::vector<std::string> texts(4000, std::string(1000, 'x') + " y y y");
  ThreadPool pool(Threads{2});
  const auto views = testing::views_of(texts);
  int calls = 0;
  double last_share = 0;
  ProgressFunction patient([&](double share) {
    EXPECT_GE(share, last_share);
    last_share = share;
    ++calls;
    return true;
  });
  learn_vocabulary(views, {}, pool, &patient);
  EXPECT_GE(calls, 4);
  EXPECT_EQ(last_share, 1);
  for (int last = 1; last <= calls; ++last) {
    int made = 0;
    ProgressFunction impatient([&](double) { return ++made < last; });
    EXPECT_THROW(learn_vocabulary(views, {}, pool, &impatient), InterruptedError);
    EXPECT_EQ(made, last);
  }
}

TEST(Vocabulary, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(learned({}, {.min_words = 0}), UsageError);
}

}  // namespace
}  // namespace mugrad
