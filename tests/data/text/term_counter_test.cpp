// SPDX-License-Identifier: MIT
#include "data/text/term_counter.h"

#include "data/text/term_hash.h"
#include "data/text/vocabulary.h"
#include "support/plain_terms.h"
#include "support/random_texts.h"

#include <mugrad/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using Strings = std::vector<std::string>;

CsrMatrix<double> counted(const Strings& texts, const Strings& vocabulary,
                          const TextOptions& options, int threads = 1) {
  ThreadPool pool(Threads{threads});
  return TermCounter(vocabulary, options).count(testing::views_of(texts), pool);
}

/// The counts of terms that have a column.
template <class ColumnOf>
CsrMatrix<double> plain_counts(const Strings& texts, const TextOptions& options, Index cols,
                               const ColumnOf& column_of) {
  CsrMatrix<double> result{.cols = cols};
  for (const std::string& text : texts) {
    std::map<Index, int> counts;
    for (const std::string& term : testing::plain_terms(text, options)) {
      if (const Index column = column_of(term); column >= 0) ++counts[column];
    }
    for (const auto& [column, count] : counts) {
      result.column.push_back(static_cast<FeatureId>(column));
      result.value.push_back(options.sublinear ? 1 + std::log(count) : count);
    }
    result.end_row();
  }
  return result;
}

TEST(TermCounter, CountsTheTermsOfTheVocabularyInEachText) {
  const Strings vocabulary = {"cat", "dog", "the cat", "été"};
  const TextOptions options = {.sublinear = false};
  const auto counts =
      counted({"The cat, the cat!", "été DOG bird", "", "bird a 1"}, vocabulary, options);
  EXPECT_EQ(
      counts,
      (CsrMatrix<double>{
          .cols = 4, .row_start = {0, 2, 4, 4, 4}, .column = {0, 2, 1, 3}, .value = {2, 2, 1, 1}}));
}

TEST(TermCounter, AddsTheLogarithmOfTheCount) {
  const auto counts = counted({"cat cat cat dog"}, {"cat", "dog"}, {});
  EXPECT_EQ(counts.at(0, 0), 1 + std::log(3.0));
  EXPECT_EQ(counts.at(0, 1), 1);
}

TEST(TermCounter, OfNoTextsOrWithoutAVocabularyHasNoEntries) {
  EXPECT_EQ(counted({}, {"cat"}, {}), (CsrMatrix<double>{.cols = 1}));
  EXPECT_EQ(counted({"cat", ""}, {}, {}), (CsrMatrix<double>{.cols = 0, .row_start = {0, 0, 0}}));
}

TEST(TermCounter, CountsOfRandomTextsAreThoseOfTheDefinitionWithAnyNumberOfThreads) {
  const auto texts = testing::random_texts(3000, 6);
  const std::vector<TextOptions> several = {
      {},
      {.sublinear = false},
      {.min_words = 2, .max_words = 3},
      {.max_words = 1, .min_characters = 2, .max_characters = 4}};
  for (const auto& options : several) {
    ThreadPool pool(Threads{1});
    const auto vocabulary = learn_vocabulary(testing::views_of(texts), options, pool);
    const auto expected =
        plain_counts(texts, options, std::ssize(vocabulary), [&](const std::string& term) {
          const auto found = std::ranges::lower_bound(vocabulary, term);
          const bool is_known = found != vocabulary.end() && *found == term;
          return is_known ? Index{found - vocabulary.begin()} : Index{-1};
        });
    ASSERT_GT(expected.nonzeros(), 0);
    for (const int threads : {1, 2, 3, 7}) {
      EXPECT_EQ(counted(texts, vocabulary, options, threads), expected) << threads << " threads";
    }
  }
}

TEST(TermCounter, HashedTermsAreCountedByTheLowestBitsOfTheirHash) {
  const auto texts = testing::random_texts(1500, 7);
  for (const int bits : {1, 8, 20, 30}) {
    const TextOptions options = {.hash_bits = bits, .sublinear = false};
    const auto expected =
        plain_counts(texts, options, Index{1} << bits, [&](const std::string& term) {
          return static_cast<Index>(term_hash(term) % (std::uint64_t{1} << bits));
        });
    for (const int threads : {1, 2, 3, 7}) {
      EXPECT_EQ(counted(texts, {}, options, threads), expected) << threads << " threads";
    }
  }
}

TEST(TermCounter, CountsATextTheSameWhateverTextsAreBesideIt) {
  const auto texts = testing::random_texts(1200, 8);
  ThreadPool pool(Threads{2});
  const auto views = testing::views_of(texts);
  const TermCounter counter(learn_vocabulary(views, {}, pool), {});
  const auto together = counter.count(views, pool);
  for (std::size_t i = 1020; i < 1030; ++i) {  // around the end of a block
    const auto alone = counter.count({&views[i], 1}, pool);
    const auto row = static_cast<Index>(i);
    EXPECT_TRUE(std::ranges::equal(alone.row_columns(0), together.row_columns(row)));
    EXPECT_TRUE(std::ranges::equal(alone.row_values(0), together.row_values(row)));
  }
}

TEST(TermCounter, LongTextsAreBlocksOfTheirOwn) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += "cat dog ";
  const auto counts =
      counted({text, "cat", text}, {"cat", "cat dog", "dog"}, {.sublinear = false}, 2);
  EXPECT_EQ(counts.at(0, 0), 40'000);
  EXPECT_EQ(counts.at(0, 1), 40'000);
  EXPECT_EQ(counts.at(1, 0), 1);
  EXPECT_EQ(counts.at(2, 2), 40'000);
}

TEST(TermCounter, UpdatesItsProgressAndCanBeStopped) {
  const Strings texts(4000, std::string(1000, 'x') + " cat");
  const auto views = testing::views_of(texts);
  ThreadPool pool(Threads{2});
  const TermCounter counter(Strings{"cat"}, {});
  std::vector<double> shares;
  ProgressFunction patient([&](double share) {
    shares.push_back(share);
    return true;
  });
  EXPECT_EQ(counter.count(views, pool, &patient).nonzeros(), 4000);
  EXPECT_GE(shares.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.front(), 0);
  EXPECT_EQ(shares.back(), 1);
  for (std::size_t last = 1; last <= shares.size(); ++last) {
    std::size_t made = 0;
    ProgressFunction impatient([&](double) { return ++made < last; });
    EXPECT_THROW(counter.count(views, pool, &impatient), InterruptedError);
    EXPECT_EQ(made, last);
  }
}

TEST(TermCounter, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(TermCounter({}, {.hash_bits = 31}), UsageError);
}

}  // namespace
}  // namespace mugrad
