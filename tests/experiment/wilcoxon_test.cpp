// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Wilcoxon against_zero(std::span<const double> values) {
  return wilcoxon_signed_rank(values, std::vector<double>(values.size()), true);
}

/// 1, 2, -3, -4, -5, 6, 7, 8, ...: (-1)**(i // 3) * i
std::vector<double> alternating(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 1; i <= count; ++i) {
    values.push_back((i / 3 % 2 == 0 ? 1 : -1) * static_cast<double>(i));
  }
  return values;
}

// scipy.stats.wilcoxon([0.5, 1.25, 3, -2.5, 7, 4, 10], [0, 0, 1, 0, 1.5, 8.5, 1])
TEST(WilcoxonTest, IsExactWhereAllDifferByDifferentAmounts) {
  const std::array a{0.5, 1.25, 3.0, -2.5, 7.0, 4.0, 10.0};
  const std::array b{0.0, 0.0, 1.0, 0.0, 1.5, 8.5, 1.0};
  const auto result = wilcoxon_signed_rank(a, b, true);
  EXPECT_EQ(result.wins, 5);
  EXPECT_EQ(result.losses, 2);
  EXPECT_EQ(result.ties, 0);
  EXPECT_EQ(result.statistic, 9);
  EXPECT_EQ(result.p, 0.46875);
  EXPECT_TRUE(result.exact);
}

// scipy.stats.wilcoxon([(-1)**(i // 3) * i for i in range(1, n + 1)], correction=False), which is
// exact up to n = 50.
TEST(WilcoxonTest, FiftyPairsAreCountedAndMoreAreApproximated) {
  const auto fifty = against_zero(alternating(50));
  EXPECT_EQ(fifty.statistic, 600);
  EXPECT_NEAR(fifty.p, 0.7232586770768918, 1e-13);
  EXPECT_TRUE(fifty.exact);
  const auto more = against_zero(alternating(51));
  EXPECT_EQ(more.statistic, 651);
  EXPECT_NEAR(more.p, 0.9104415563099536, 1e-13);
  EXPECT_FALSE(more.exact);
}

TEST(WilcoxonTest, ManyEqualAmountsAreApproximatedAndCorrectedFor) {
  // 60 amounts of 1 share the rank 30.5; 20 are lost: statistic 610, z = (40 - 20) / sqrt(60).
  std::vector<double> values(60, 1);
  std::fill_n(values.begin(), 20, -1);
  const auto result = against_zero(values);
  EXPECT_EQ(result.statistic, 610);
  EXPECT_NEAR(result.p, std::erfc(20 / std::sqrt(60.0) / std::sqrt(2.0)), 1e-14);
  EXPECT_FALSE(result.exact);
}

/// The share of all ways to give signs to these amounts whose smaller sum of ranks, doubled so that
/// it is whole, is at most `statistic`.
double share_as_extreme(const std::vector<int>& amounts, int statistic) {
  std::vector<int> ranks;  // doubled: one more than those below, and those alike, both counted
  int all = 0;
  for (const int amount : amounts) {
    const auto below = std::ranges::count_if(amounts, [&](int other) { return other < amount; });
    ranks.push_back(static_cast<int>(2 * below + std::ranges::count(amounts, amount) + 1));
    all += ranks.back();
  }
  unsigned extreme = 0;
  for (unsigned signs = 0; signs < 1U << amounts.size(); ++signs) {
    int sum = 0;
    for (unsigned i = 0; i < amounts.size(); ++i) sum += (signs >> i & 1U) != 0 ? ranks[i] : 0;
    extreme += std::min(sum, all - sum) <= statistic ? 1U : 0U;
  }
  return std::ldexp(extreme, -static_cast<int>(amounts.size()));
}

TEST(WilcoxonTest, EqualAmountsAreCountedExactlyAndEqualPairsAreLeftOut) {
  EXPECT_TRUE(rc::check([] {
    const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 11));
    const auto amounts = *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(1, 5));
    const auto lost = *rc::gen::container<std::vector<bool>>(n, rc::gen::arbitrary<bool>());
    std::vector<double> values{0, 0};
    for (std::size_t i = 0; i < n; ++i) values.push_back(lost[i] ? -amounts[i] : amounts[i]);
    const auto result = against_zero(values);
    RC_ASSERT(result.ties == 2);
    RC_ASSERT(result.exact);
    RC_ASSERT(result.p == share_as_extreme(amounts, static_cast<int>(2 * result.statistic)));
  }));
}

TEST(WilcoxonTest, EqualPairsAreLeftOut) {
  const std::array<double, 10> a{125, 115, 130, 140, 140, 115, 140, 125, 140, 135};
  const std::array<double, 10> b{110, 122, 125, 120, 140, 124, 123, 137, 135, 145};
  const auto result = wilcoxon_signed_rank(a, b, true);
  EXPECT_EQ(result.wins, 5);
  EXPECT_EQ(result.losses, 4);
  EXPECT_EQ(result.ties, 1);
  EXPECT_EQ(result.statistic, 18);
  EXPECT_EQ(result.p, share_as_extreme({15, 7, 5, 20, 9, 17, 12, 5, 10}, 36));
  EXPECT_TRUE(result.exact);
}

TEST(WilcoxonTest, PairsThatAreAllEqualDoNotDiffer) {
  const std::array a{0.5, 0.25};
  const auto result = wilcoxon_signed_rank(a, a, true);
  EXPECT_EQ(result.ties, 2);
  EXPECT_EQ(result.statistic, 0);
  EXPECT_EQ(result.p, 1);
  EXPECT_FALSE(result.exact);
}

TEST(WilcoxonTest, ExactPIsTheShareOfSignsThatAreAsExtreme) {
  for (std::size_t n = 1; n <= 10; ++n) {
    std::vector<double> values(n);
    for (unsigned signs = 0; signs < 1U << n; signs += 7) {
      unsigned lost = 0;
      for (unsigned i = 0; i < n; ++i) {
        const bool negative = (signs >> i & 1U) != 0;
        values[i] = negative ? -(i + 1.0) : i + 1.0;
        if (negative) lost += i + 1;
      }
      const auto all = static_cast<unsigned>(n * (n + 1) / 2);
      const unsigned statistic = std::min(lost, all - lost);
      unsigned extreme = 0;
      for (unsigned other = 0; other < 1U << n; ++other) {
        unsigned sum = 0;
        for (unsigned i = 0; i < n; ++i) sum += (other >> i & 1U) * (i + 1);
        extreme += std::min(sum, all - sum) <= statistic ? 1U : 0U;
      }
      const auto result = against_zero(values);
      EXPECT_EQ(result.statistic, statistic);
      EXPECT_EQ(result.p, std::ldexp(extreme, -static_cast<int>(n))) << n << ' ' << signs;
    }
  }
}

TEST(WilcoxonTest, SwappedSidesOrDirectionSwapWinsAndKeepP) {
  EXPECT_TRUE(rc::check([] {
    const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 60));
    const auto side = [&] {
      const auto levels = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(0, 1000));
      return std::vector<double>(levels.begin(), levels.end());
    };
    const auto a = side();
    const auto b = side();
    const auto result = wilcoxon_signed_rank(a, b, true);
    RC_ASSERT(result.wins + result.losses + result.ties == static_cast<Index>(count));
    RC_ASSERT(result.p > 0 && result.p <= 1);
    for (const auto& other :
         {wilcoxon_signed_rank(b, a, true), wilcoxon_signed_rank(a, b, false)}) {
      RC_ASSERT(other.wins == result.losses && other.losses == result.wins);
      RC_ASSERT(other.statistic == result.statistic);
      RC_ASSERT(other.p == result.p);
      RC_ASSERT(other.exact == result.exact);
    }
  }));
}

TEST(WilcoxonTest, RefusesSidesOfUnequalLengthNoneAtAllAndWhatIsNotFinite) {
  EXPECT_THAT(
      [] {
        wilcoxon_signed_rank(std::array{1.0, 2.0}, std::array{1.0}, true);
      },
      ThrowsMessage<UsageError>(HasSubstr("got 2 and 1")));
  EXPECT_THROW(wilcoxon_signed_rank({}, {}, true), UsageError);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(
        [&] {
          wilcoxon_signed_rank(std::array{1.0, bad}, std::array{1.0, 2.0}, true);
        },
        ThrowsMessage<UsageError>(HasSubstr("first value 1 must be a finite number")));
    EXPECT_THAT(
        [&] {
          wilcoxon_signed_rank(std::array{1.0, 2.0}, std::array{bad, 2.0}, true);
        },
        ThrowsMessage<UsageError>(HasSubstr("second value 0 must be a finite number")));
  }
}

}  // namespace
}  // namespace mugrad
