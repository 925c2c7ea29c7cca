// SPDX-License-Identifier: MIT
#include "support/label_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

using testing::dense_rows;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Few levels, so that equals are common.
Matrix<double> random_table() {
  const auto methods = static_cast<std::size_t>(*rc::gen::inRange(2, 8));
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(*rc::gen::inRange(2, 8)));
  for (auto& row : rows) {
    const auto levels = *rc::gen::container<std::vector<int>>(methods, rc::gen::inRange(-4, 5));
    row.assign(levels.begin(), levels.end());
  }
  return dense_rows(rows);
}

Matrix<double> mapped(Matrix<double> table, double (*map)(double)) {
  for (double& value : table.values()) value = map(value);
  return table;
}

TEST(Ranks, TheBestIsOneAndEqualsShareTheMean) {
  const auto table = dense_rows({{0.9, 0.7, 0.9, 0.1}, {5, 5, 5, 5}});
  EXPECT_EQ(ranks(table, true), dense_rows({{1.5, 3, 1.5, 4}, {2.5, 2.5, 2.5, 2.5}}));
  EXPECT_EQ(ranks(table, false), dense_rows({{3.5, 2, 3.5, 1}, {2.5, 2.5, 2.5, 2.5}}));
}

TEST(Ranks, InfinitiesAreRankedLikeOtherValues) {
  EXPECT_EQ(ranks(dense_rows({{0, kInfinity, -kInfinity}}), true), dense_rows({{2, 1, 3}}));
}

TEST(Ranks, WhatIsNotANumberIsRefusedWithItsPlace) {
  EXPECT_THAT(
      [] {
        ranks(dense_rows({{1, 2, 3}, {4, 5, kNan}}), true);
      },
      ThrowsMessage<UsageError>(HasSubstr("set 1: the value of method 2")));
}

TEST(Ranks, OfEachSetSumToTheSame) {
  EXPECT_TRUE(rc::check([] {
    const auto ranked = ranks(random_table(), *rc::gen::arbitrary<bool>());
    const auto k = static_cast<double>(ranked.cols());
    for (Index set = 0; set < ranked.rows(); ++set) {
      const auto row = ranked.row(set);
      RC_ASSERT(std::accumulate(row.begin(), row.end(), 0.0) == k * (k + 1) / 2);
    }
  }));
}

TEST(Ranks, DoNotChangeUnderAnIncreasingMapAndTurnUnderADecreasingOne) {
  EXPECT_TRUE(rc::check([] {
    const auto table = random_table();
    const bool larger = *rc::gen::arbitrary<bool>();
    const auto ranked = ranks(table, larger);
    RC_ASSERT(ranks(mapped(table, [](double x) { return std::exp(x) + x; }), larger) == ranked);
    RC_ASSERT(ranks(mapped(table, [](double x) { return -x * x * x; }), !larger) == ranked);
  }));
}

// t = numpy.array([[1, 2, 2, 3], [4, 4, 4, 1], [0, 0, 5, 5], [2, 1, 3, 3], [7, 8, 7, 9]])
// c, p = scipy.stats.friedmanchisquare(*t.T); f = 4 * c / (15 - c); scipy.stats.f.sf(f, 3, 12)
TEST(FriedmanTest, IsCorrectedForEqualRanks) {
  const auto result = friedman(
      dense_rows({{1, 2, 2, 3}, {4, 4, 4, 1}, {0, 0, 5, 5}, {2, 1, 3, 3}, {7, 8, 7, 9}}), false);
  EXPECT_THAT(result.mean_ranks, ElementsAre(1.8, 2.2, 2.8, 3.2));
  EXPECT_NEAR(result.chi_squared, 4.243902439024395, 1e-13);
  EXPECT_NEAR(result.p, 0.23630301075293722, 1e-13);
  EXPECT_NEAR(result.f, 1.5782312925170094, 1e-13);
  EXPECT_NEAR(result.f_p, 0.24601249472344067, 1e-13);
}

// scipy.stats.friedmanchisquare([9, 8, 7], [1, 2, 3], [5, 5, 5])
TEST(FriedmanTest, FIsInfiniteWhereAllSetsRankAlike) {
  const auto result = friedman(dense_rows({{9, 1, 5}, {8, 2, 5}, {7, 3, 5}}), true);
  EXPECT_THAT(result.mean_ranks, ElementsAre(1, 3, 2));
  EXPECT_EQ(result.chi_squared, 6);
  EXPECT_NEAR(result.p, 0.04978706836786395, 1e-15);
  EXPECT_EQ(result.f, kInfinity);
  EXPECT_EQ(result.f_p, 0);
  // With equals in every set the limit is met as well.
  EXPECT_EQ(friedman(dense_rows({{1, 2, 2}, {3, 4, 4}, {0, 7, 7}}), true).f, kInfinity);
}

TEST(FriedmanTest, MethodsThatNoSetTellsApartAreAlike) {
  const auto result = friedman(dense_rows({{1, 1, 1}, {2, 2, 2}}), true);
  EXPECT_THAT(result.mean_ranks, ElementsAre(2, 2, 2));
  EXPECT_EQ(result.chi_squared, 0);
  EXPECT_EQ(result.p, 1);
  EXPECT_EQ(result.f, 0);
  EXPECT_EQ(result.f_p, 1);
}

TEST(FriedmanTest, DoesNotDependOnTheOrderOfSetsOrOnTheSignOfValues) {
  EXPECT_TRUE(rc::check([] {
    const auto table = random_table();
    auto turned = mapped(table, [](double x) { return -x; });
    std::ranges::swap_ranges(turned.row(0), turned.row(turned.rows() - 1));
    const auto result = friedman(table, true);
    const auto other = friedman(turned, false);
    RC_ASSERT(result.mean_ranks == other.mean_ranks);
    RC_ASSERT(result.chi_squared == other.chi_squared);
    RC_ASSERT(result.f == other.f);
    RC_ASSERT(result.p >= 0 && result.p <= 1 && result.f_p >= 0 && result.f_p <= 1);
  }));
}

TEST(FriedmanTest, NeedsTwoSetsAndTwoMethods) {
  EXPECT_THAT(
      [] {
        friedman(dense_rows({{1, 2, 3}}), true);
      },
      ThrowsMessage<UsageError>(HasSubstr("at least 2 sets and 2 methods, got 1 x 3")));
  EXPECT_THROW(friedman(dense_rows({{1}, {2}}), true), UsageError);
  EXPECT_THROW(friedman({}, true), UsageError);
  EXPECT_THROW(friedman(dense_rows({{1, 2}, {kNan, 1}}), true), UsageError);
}

}  // namespace
}  // namespace mugrad
