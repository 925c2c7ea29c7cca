// SPDX-License-Identifier: MIT
#include <mugrad/core/random.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {
namespace {

TEST(RandomStream, IsTheSameOnEveryMachine) {
  RandomStream stream(7, "split");
  EXPECT_EQ(stream.below(1000), 264U);
  EXPECT_EQ(stream.below(1000), 574U);
}

TEST(RandomStream, DiffersBySeedPurposeAndIndex) {
  const auto first = RandomStream(1, "a", 0).next();
  EXPECT_NE(first, RandomStream(2, "a", 0).next());
  EXPECT_NE(first, RandomStream(1, "b", 0).next());
  EXPECT_NE(first, RandomStream(1, "a", 1).next());
  EXPECT_EQ(first, RandomStream(1, "a", 0).next());
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream stream(3, "test");
  std::array<int, 7> counts{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i) ++counts[stream.below(7)];
  // Six standard deviations of a binomial count.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 6 * std::sqrt(10000 * 6.0 / 7));
}

TEST(RandomStream, NormalHasMeanZeroAndVarianceOne) {
  RandomStream stream(5, "test");
  constexpr int kDraws = 100000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double draw = stream.normal();
    sum += draw;
    squares += draw * draw;
  }
  EXPECT_NEAR(sum / kDraws, 0, 6 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 6 * std::sqrt(2.0 / kDraws));
}

TEST(RandomStream, ShuffleKeepsTheItemsAndChangesTheirOrder) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  const auto before = items;
  RandomStream(9, "shuffle").shuffle(std::span(items));
  EXPECT_NE(items, before);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, before);
}

}  // namespace
}  // namespace mugrad
