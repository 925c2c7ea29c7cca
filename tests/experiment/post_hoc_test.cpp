// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Distance = double (*)(Index methods, Index sets, double alpha);

/// For 2, 3, ..., 10 methods: the distance in units of sqrt(k (k + 1) / (6 N)).
void expect_critical_values(Distance distance, double alpha, std::array<double, 9> expected) {
  for (Index k = 2; k <= 10; ++k) {
    const double unit = std::sqrt(static_cast<double>(k * (k + 1)) / (6 * 7.0));
    EXPECT_NEAR(distance(k, 7, alpha) / unit, expected[static_cast<std::size_t>(k - 2)], 0.0005)
        << "of " << k << " methods at " << alpha;
  }
}

// Table 5 of Demsar (2006), recomputed: scipy.stats.studentized_range.ppf(1 - alpha, k, inf) /
// sqrt(2) and scipy.stats.norm.isf(alpha / (2 * (k - 1))), to three decimals.
TEST(CriticalDistance, HasTheValuesOfDemsarsTables) {
  expect_critical_values(nemenyi_critical_distance, 0.05,
                         {1.960, 2.344, 2.569, 2.728, 2.850, 2.948, 3.031, 3.102, 3.164});
  expect_critical_values(nemenyi_critical_distance, 0.10,
                         {1.645, 2.052, 2.291, 2.460, 2.589, 2.693, 2.780, 2.855, 2.920});
  expect_critical_values(bonferroni_dunn_critical_distance, 0.05,
                         {1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773});
  expect_critical_values(bonferroni_dunn_critical_distance, 0.10,
                         {1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539});
}

TEST(CriticalDistance, OfTwoMethodsIsTheSameForBothTests) {
  for (const double alpha : {1e-6, 0.05, 0.5, 0.99}) {
    EXPECT_NEAR(nemenyi_critical_distance(2, 5, alpha),
                bonferroni_dunn_critical_distance(2, 5, alpha), 1e-13);
  }
}

TEST(CriticalDistance, GrowsWithMethodsAndShrinksWithSetsAndAlpha) {
  for (const Distance distance : {nemenyi_critical_distance, bonferroni_dunn_critical_distance}) {
    for (Index k = 2; k < 40; k += 7) {
      EXPECT_LT(distance(k, 6, 0.05), distance(k + 1, 6, 0.05));
      EXPECT_NEAR(distance(k, 6, 0.05), 2 * distance(k, 24, 0.05), 1e-12);
      EXPECT_LT(distance(k, 6, 0.06), distance(k, 6, 0.05));
      EXPECT_LT(distance(k, 6, 0.999), distance(k, 6, 0.9));
    }
  }
}

TEST(CriticalDistance, RefusesTooFewMethodsOrSetsAndAlphaOutOfRange) {
  for (const Distance distance : {nemenyi_critical_distance, bonferroni_dunn_critical_distance}) {
    EXPECT_THROW(distance(1, 6, 0.05), UsageError);
    EXPECT_THROW(distance(6, 0, 0.05), UsageError);
    for (const double alpha : {0.0, 1.0, -0.1, 1.5, kNan}) {
      EXPECT_THAT([&] { distance(6, 6, alpha); },
                  ThrowsMessage<UsageError>(HasSubstr("alpha must lie between 0 and 1")));
    }
  }
}

TEST(GroupsAlike, AreTheLongestRunsThatTheDistanceDoesNotBreak) {
  const std::array mean_ranks{3.0, 1.0, 2.0, 5.5};
  EXPECT_THAT(groups_alike(mean_ranks, 1.5),
              ElementsAre(ElementsAre(1, 2), ElementsAre(2, 0), ElementsAre(3)));
  EXPECT_THAT(groups_alike(mean_ranks, 3), ElementsAre(ElementsAre(1, 2, 0), ElementsAre(0, 3)));
  EXPECT_THAT(groups_alike(mean_ranks, 100), ElementsAre(ElementsAre(1, 2, 0, 3)));
}

TEST(GroupsAlike, ADifferenceOfTheDistanceItselfSeparates) {
  EXPECT_THAT(groups_alike(std::array{1.0, 3.0}, 2), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(GroupsAlike, EqualRanksAreTogether) {
  EXPECT_THAT(groups_alike(std::array{2.0, 2.0, 2.0}, 1e-9), ElementsAre(ElementsAre(0, 1, 2)));
  EXPECT_THAT(groups_alike({}, 1), IsEmpty());
}

TEST(GroupsAlike, TwoMethodsShareAGroupExactlyWhenTheyDifferByLess) {
  EXPECT_TRUE(rc::check([] {
    std::vector<double> mean_ranks;
    for (const int level : *rc::gen::container<std::vector<int>>(8, rc::gen::inRange(2, 16))) {
      mean_ranks.push_back(level / 2.0);
    }
    const double distance = *rc::gen::inRange(1, 12) / 4.0;
    Matrix<double> together(8, 8);
    for (const auto& group : groups_alike(mean_ranks, distance)) {
      for (const Index a : group) {
        for (const Index b : group) together(a, b) = 1;
      }
    }
    for (std::size_t a = 0; a < 8; ++a) {
      for (std::size_t b = 0; b < 8; ++b) {
        const bool alike = std::abs(mean_ranks[a] - mean_ranks[b]) < distance;
        RC_ASSERT((together(static_cast<Index>(a), static_cast<Index>(b)) == 1) == alike);
      }
    }
  }));
}

TEST(GroupsAlike, RefusesARankThatIsNotANumberAndADistanceThatIsNoDistance) {
  EXPECT_THAT(
      [] {
        groups_alike(std::array{1.0, kNan}, 1);
      },
      ThrowsMessage<UsageError>(HasSubstr("mean rank 1 must be a finite number")));
  for (const double distance : {0.0, -1.0, kNan}) {
    EXPECT_THROW(groups_alike(std::array{1.0, 2.0}, distance), UsageError);
  }
}

// By hand: sorted 0.01 x 4, 0.02 x 3, 0.03 x 2 (below its predecessor, so raised), 0.5 x 1.
TEST(Holm, MultipliesByTheHypothesesLeftAndNeverFalls) {
  EXPECT_THAT(holm(std::array{0.5, 0.01, 0.03, 0.02}),
              ElementsAre(DoubleEq(0.5), DoubleEq(0.04), DoubleEq(0.06), DoubleEq(0.06)));
  EXPECT_THAT(holm(std::array{0.02, 0.021, 0.9}),
              ElementsAre(DoubleEq(0.06), DoubleEq(0.06), DoubleEq(0.9)));
}

TEST(Holm, IsAtMostOneAndLeavesASingleTestAlone) {
  EXPECT_THAT(holm(std::array{0.4, 1.0, 0.6}), ElementsAre(1, 1, 1));
  EXPECT_THAT(holm(std::array{0.03}), ElementsAre(0.03));
  EXPECT_THAT(holm(std::array{0.0, 0.0}), ElementsAre(0, 0));
  EXPECT_THAT(holm({}), IsEmpty());
}

TEST(Holm, RefusesWhatIsNoProbability) {
  for (const double p : {-0.1, 1.1, kNan}) {
    EXPECT_THAT(
        [&] {
          holm(std::array{0.5, p});
        },
        ThrowsMessage<UsageError>(HasSubstr("p 1 must lie between 0 and 1")));
  }
}

}  // namespace
}  // namespace mugrad
