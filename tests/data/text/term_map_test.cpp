// SPDX-License-Identifier: MIT
#include "data/text/term_map.h"

#include "data/text/term_hash.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace mugrad {
namespace {

TEST(TermMap, NumbersTermsInTheOrderInWhichTheyAreAdded) {
  for (const bool collides : {false, true}) {  // the worst hash and a good one
    TermMap terms;
    std::map<std::string, std::uint32_t> expected;
    std::mt19937_64 random(1);
    const int count = collides ? 500 : 20'000;
    for (int i = 0; i < count; ++i) {
      const std::string term(random() % 40, static_cast<char>('a' + random() % 26));
      const std::uint64_t hash = collides ? 7 : term_hash(term);
      const auto [entry, is_new] =
          expected.try_emplace(term, static_cast<std::uint32_t>(expected.size()));
      EXPECT_EQ(terms.find(term, hash), is_new ? TermMap::kNone : entry->second);
      ASSERT_EQ(terms.add(term, hash), entry->second);
    }
    ASSERT_EQ(terms.size(), expected.size());
    for (const auto& [term, number] : expected) EXPECT_EQ(terms.term(number), term);
  }
}

TEST(TermMap, PrefetchingChangesNothing) {
  TermMap terms;
  terms.prefetch(std::vector<std::uint32_t>{1, 2, 3});  // of an empty map
  std::vector<std::uint32_t> hashes;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    hashes.push_back(i % 2 == 0 ? 7 : 1'000'000 * i);  // half of them collide
    EXPECT_EQ(terms.add(std::to_string(i), hashes.back()), i);
    hashes.push_back(hashes.back() + 1);  // of no term
    terms.prefetch(hashes);
  }
  terms.prefetch({});
  EXPECT_EQ(terms.size(), 1000U);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(terms.find(std::to_string(i), hashes[2 * i]), i);
    EXPECT_EQ(terms.find(std::to_string(i) + "x", hashes[2 * i]), TermMap::kNone);
  }
}

TEST(TermMap, IsEmptyAfterClear) {
  TermMap terms;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(terms.find("1", 1), TermMap::kNone);
    for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(terms.add(std::to_string(i), i), i);
    terms.clear();
    EXPECT_EQ(terms.size(), 0U);
  }
}

TEST(TermMap, ReleasesAfterClearWhatIsFarMoreThanWasUsed) {
  TermMap terms;
  const auto fill = [&](std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) terms.add(std::to_string(i), term_hash({}) + i);
    terms.clear();
    return terms.bytes();
  };
  const double small = fill(1000);
  EXPECT_LT(fill(1000), 2 * small);
  const double large = fill(1'000'000);
  EXPECT_GT(large, 20'000'000);
  fill(1000);
  EXPECT_LT(fill(1000), large / 10);
  EXPECT_EQ(terms.find("1", term_hash({}) + 1), TermMap::kNone);
}

TEST(TermMap, KeepsNoHugeTermAfterClear) {
  TermMap terms;
  terms.add(std::string(std::size_t{8} << 20U, 'x'), 1);
  terms.clear();
  EXPECT_LT(terms.bytes(), 1 << 20);
  EXPECT_EQ(terms.add("short", 1), 0U);
  EXPECT_EQ(terms.term(0), "short");
}

TEST(TermMap, TermsMayBeLongerThanItsPiecesOfMemory) {
  TermMap terms;
  const std::string two_mebibytes(std::size_t{2} << 20U, 'x');
  terms.add("short", 1);
  terms.add(two_mebibytes, 2);
  terms.add("short too", 3);
  EXPECT_EQ(terms.term(0), "short");
  EXPECT_EQ(terms.term(1), two_mebibytes);
  EXPECT_EQ(terms.term(2), "short too");
}

TEST(TermHash, IsTheSameOnEveryMachine) {
  EXPECT_EQ(term_hash(""), 0x2D06800538D394C2U);  // of the specification of XXH3
  EXPECT_EQ(term_hash("cat"), 0x42548A8A111C54EEU);
  EXPECT_EQ(term_hash("the cat"), 0xAB243B8774E852F8U);
  EXPECT_EQ(term_hash("東京"), 0x469B7AB5870CF9B6U);
  EXPECT_EQ(term_hash(std::string(300, 'x')), 0xA5D1B4607DC83554U);
}

}  // namespace
}  // namespace mugrad
