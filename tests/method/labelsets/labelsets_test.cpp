// SPDX-License-Identifier: MIT
#include "method/labelsets/labelsets.h"

#include "support/label_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

std::vector<Index> times_drawn(const std::vector<Labelset>& sets, Index labels) {
  std::vector<Index> counts(static_cast<std::size_t>(labels), 0);
  for (const auto& set : sets) {
    for (const LabelId label : set) ++counts[static_cast<std::size_t>(label)];
  }
  return counts;
}

void expect_different_sets(const std::vector<Labelset>& sets, Index labels, Index size,
                           Index count) {
  EXPECT_EQ(std::ssize(sets), count);
  EXPECT_EQ(std::set<Labelset>(sets.begin(), sets.end()).size(), sets.size());
  for (const auto& set : sets) {
    EXPECT_EQ(std::ssize(set), size);
    EXPECT_EQ(std::ranges::adjacent_find(set, std::ranges::greater_equal{}), set.end());
    EXPECT_TRUE(set.front() >= 0 && set.back() < labels);
  }
  const auto drawn = times_drawn(sets, labels);
  EXPECT_EQ(std::accumulate(drawn.begin(), drawn.end(), Index{0}), count * size);
}

TEST(Labelsets, AreDifferentAndSumToCountTimesSizeLabels) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const auto& [labels, size, count] : {std::tuple<Index, Index, Index>{6, 3, 12},
                                              {6, 3, 20},
                                              {174, 3, 348},
                                              {5, 1, 5},
                                              {4, 4, 1},
                                              {40, 7, 80}}) {
      expect_different_sets(random_labelsets(labels, size, count, seed), labels, size, count);
      expect_different_sets(balanced_labelsets(labels, size, count, seed), labels, size, count);
    }
  }
}

TEST(Labelsets, EverySetIsEquallyLikely) {
  std::map<Labelset, int> counts;
  constexpr int kDraws = 6000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    ++counts[random_labelsets(5, 2, 1, seed).front()];
  }
  ASSERT_EQ(counts.size(), 10U);
  // 600 each; the deviation is 23.
  for (const auto& [set, count] : counts) EXPECT_NEAR(count, 600, 120);
}

TEST(Labelsets, BalancedOnesHaveEveryLabelEquallyOften) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const auto& [labels, size, count] :
         {std::tuple<Index, Index, Index>{10, 3, 4}, {30, 3, 60}, {174, 3, 58}, {7, 2, 9}}) {
      const auto drawn = times_drawn(balanced_labelsets(labels, size, count, seed), labels);
      EXPECT_GE(std::ranges::min(drawn), 1);
      EXPECT_LE(std::ranges::max(drawn) - std::ranges::min(drawn), 1);
    }
  }
}

TEST(Labelsets, DisjointOnesArePartitionsAndNoLabelIsLeftAlone) {
  for (Index labels = 1; labels <= 20; ++labels) {
    for (Index size = 1; size <= 6; ++size) {
      const auto sets = disjoint_labelsets(labels, size, 4);
      for (const Index times : times_drawn(sets, labels)) EXPECT_EQ(times, 1);
      const bool one_left = size > 1 && labels > 1 && labels % size == 1;
      EXPECT_EQ(std::ssize(sets), one_left ? labels / size : (labels + size - 1) / size);
      for (std::size_t set = 0; set + 1 < sets.size(); ++set) {
        EXPECT_EQ(std::ssize(sets[set]), size);
      }
      if (size > 1 && labels > 1) {
        EXPECT_GE(std::ssize(sets.back()), 2);
      }
    }
  }
  EXPECT_NE(disjoint_labelsets(20, 3, 1), disjoint_labelsets(20, 3, 2));
}

TEST(Labelsets, AreCountedLikeTheBinomialsTheyAre) {
  EXPECT_EQ(labelset_count(6, 3), 20);
  EXPECT_EQ(labelset_count(53, 3), 23426);
  EXPECT_EQ(labelset_count(5, 5), 1);
  EXPECT_EQ(labelset_count(40, 20), 137846528820);
  EXPECT_GT(labelset_count(983, 400), 1e100);
}

TEST(Labelsets, ClassesAreTheCombinationsThatOccurInOrder) {
  const auto labels = testing::binary_rows(
      {{1, 0, 1, 1}, {0, 1, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 0}});
  const std::vector<LabelId> set = {0, 2, 3};
  const auto [classes, of_row] = classes_of(labels, set);
  EXPECT_EQ(classes.cols, 4);
  ASSERT_EQ(classes.rows(), 5);
  EXPECT_THAT(classes.row(0), ElementsAre());
  EXPECT_THAT(classes.row(1), ElementsAre(0, 2));
  EXPECT_THAT(classes.row(2), ElementsAre(0, 2, 3));
  EXPECT_THAT(classes.row(3), ElementsAre(0, 3));
  EXPECT_THAT(classes.row(4), ElementsAre(3));
  EXPECT_THAT(of_row, ElementsAre(2, 0, 1, 4, 3, 0));
}

}  // namespace
}  // namespace mugrad
