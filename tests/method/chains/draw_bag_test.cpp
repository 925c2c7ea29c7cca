// SPDX-License-Identifier: MIT
#include "method/chains/bag.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace mugrad {
namespace {

TEST(Bag, BootstrapCountsAsManyDrawsAsThereAreRows) {
  for (const Index rows : {1, 2, 50, 1000}) {
    const auto bag = draw_bag(Sampling::bootstrap, rows, {}, 1, 0);
    ASSERT_EQ(bag.rows.size(), bag.counts.size());
    EXPECT_EQ(std::accumulate(bag.counts.begin(), bag.counts.end(), 0.0), rows);
    EXPECT_TRUE(std::ranges::is_sorted(bag.counts));
    EXPECT_EQ(std::set(bag.rows.begin(), bag.rows.end()).size(), bag.rows.size());
    EXPECT_TRUE(std::ranges::all_of(bag.rows, [&](Index row) { return row >= 0 && row < rows; }));
  }
  // 1 - 1/e of the rows are drawn, give or take three deviations.
  const auto drawn = static_cast<double>(draw_bag(Sampling::bootstrap, 1000, {}, 1, 0).rows.size());
  EXPECT_NEAR(drawn, 632, 32);
}

TEST(Bag, SubsetHasTwoThirdsOfTheRowsOnceEach) {
  for (const Index rows : {1, 2, 100}) {
    const auto bag = draw_bag(Sampling::subset, rows, {}, 1, 0);
    EXPECT_TRUE(bag.counts.empty());
    EXPECT_EQ(std::ssize(bag.rows), rows == 100 ? 67 : 1);
    EXPECT_TRUE(std::ranges::is_sorted(bag.rows, std::ranges::less_equal{}));
  }
}

TEST(Bag, WithoutSamplingIsEveryRow) {
  EXPECT_EQ(draw_bag(Sampling::none, 4, {}, 1, 2).rows, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(Bag, DependsOnSeedAndMember) {
  for (const auto sampling : {Sampling::bootstrap, Sampling::subset}) {
    const auto rows = draw_bag(sampling, 100, {}, 1, 0).rows;
    EXPECT_EQ(draw_bag(sampling, 100, {}, 1, 0).rows, rows);
    EXPECT_NE(draw_bag(sampling, 100, {}, 1, 1).rows, rows);
    EXPECT_NE(draw_bag(sampling, 100, {}, 2, 0).rows, rows);
  }
}

TEST(Bag, BootstrapDrawsExamplesAsOftenAsTheyCount) {
  std::vector<double> weights(900, 1);
  for (std::size_t row = 0; row < 300; ++row) weights[row] = 0;
  for (std::size_t row = 300; row < 600; ++row) weights[row] = 4;
  const auto bag = draw_bag(Sampling::bootstrap, 900, weights, 1, 0);
  double heavy = 0;
  for (std::size_t i = 0; i < bag.rows.size(); ++i) {
    EXPECT_GE(bag.rows[i], 300);
    if (bag.rows[i] < 600) heavy += bag.counts[i];
  }
  EXPECT_NEAR(bag.total(), 1500, 1e-9);
  // 600 draws of 4/5: 480 expected, of deviation 10, each counting 2.5 times.
  EXPECT_NEAR(heavy, 1200, 100);
  EXPECT_TRUE(std::ranges::is_sorted(bag.counts));
}

TEST(Bag, SubsetAndAllKeepTheirWeights) {
  const std::vector<double> weights = {3, 0, 1, 3};
  const auto all = draw_bag(Sampling::none, 4, weights, 1, 0);
  EXPECT_EQ(all.rows, (std::vector<Index>{2, 0, 3}));
  EXPECT_EQ(all.counts, (std::vector<double>{1, 3, 3}));
  const auto subset = draw_bag(Sampling::subset, 4, weights, 1, 0);
  EXPECT_EQ(subset.rows.size(), 2u);
  for (std::size_t i = 0; i < subset.rows.size(); ++i) {
    EXPECT_EQ(subset.counts[i], weights[static_cast<std::size_t>(subset.rows[i])]);
  }
}

}  // namespace
}  // namespace mugrad
