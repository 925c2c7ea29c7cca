// SPDX-License-Identifier: MIT
#include "method/draw_bag.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace mugrad {
namespace {

TEST(Bag, BootstrapCountsAsManyDrawsAsThereAreRows) {
  for (const Index rows : {1, 2, 50, 1000}) {
    const auto bag = draw_bag(Sampling::bootstrap, rows, 1, 0);
    ASSERT_EQ(bag.rows.size(), bag.counts.size());
    EXPECT_EQ(std::accumulate(bag.counts.begin(), bag.counts.end(), 0.0), rows);
    EXPECT_TRUE(std::ranges::is_sorted(bag.counts));
    EXPECT_EQ(std::set(bag.rows.begin(), bag.rows.end()).size(), bag.rows.size());
    EXPECT_TRUE(std::ranges::all_of(bag.rows, [&](Index row) { return row >= 0 && row < rows; }));
  }
  // 1 - 1/e of the rows are drawn, give or take three deviations.
  const auto drawn = static_cast<double>(draw_bag(Sampling::bootstrap, 1000, 1, 0).rows.size());
  EXPECT_NEAR(drawn, 632, 32);
}

TEST(Bag, SubsetHasTwoThirdsOfTheRowsOnceEach) {
  for (const Index rows : {1, 2, 100}) {
    const auto bag = draw_bag(Sampling::subset, rows, 1, 0);
    EXPECT_TRUE(bag.counts.empty());
    EXPECT_EQ(std::ssize(bag.rows), rows == 100 ? 67 : 1);
    EXPECT_TRUE(std::ranges::is_sorted(bag.rows, std::ranges::less_equal{}));
  }
}

TEST(Bag, WithoutSamplingIsEveryRow) {
  EXPECT_EQ(draw_bag(Sampling::none, 4, 1, 2).rows, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(Bag, DependsOnSeedAndMember) {
  for (const auto sampling : {Sampling::bootstrap, Sampling::subset}) {
    const auto rows = draw_bag(sampling, 100, 1, 0).rows;
    EXPECT_EQ(draw_bag(sampling, 100, 1, 0).rows, rows);
    EXPECT_NE(draw_bag(sampling, 100, 1, 1).rows, rows);
    EXPECT_NE(draw_bag(sampling, 100, 2, 0).rows, rows);
  }
}

}  // namespace
}  // namespace mugrad
