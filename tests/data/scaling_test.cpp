// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/data/scaling.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>

namespace mugrad {
namespace {

using testing::as_sparse;

Features from_rows(const std::vector<std::vector<double>>& rows) {
  Matrix<double> x(std::ssize(rows), std::ssize(rows.front()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < x.cols(); ++k) {
      x(i, k) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
    }
  }
  return x;
}

TEST(Scaling, MeanAndDeviationAreThoseOfThePopulation) {
  const auto x = from_rows({{1, 0}, {3, 0}, {5, 6}});
  for (const auto& features : {x, as_sparse(x)}) {
    const auto scaling = fit_scaling(features, ScalingKind::zscore);
    EXPECT_DOUBLE_EQ(scaling.mean[0], 3);
    EXPECT_DOUBLE_EQ(scaling.mean[1], 2);
    EXPECT_DOUBLE_EQ(scaling.deviation[0], std::sqrt(8.0 / 3));
    EXPECT_DOUBLE_EQ(scaling.deviation[1], std::sqrt(8.0));
  }
}

TEST(Scaling, ConstantFeatureHasNoDeviationHoweverItsMeanRounds) {
  // The mean of 0.1 ten times is not 0.1 in floating point.
  const auto x = from_rows(std::vector<std::vector<double>>(10, {0.1, 0}));
  const auto scaling = fit_scaling(x, ScalingKind::zscore);
  EXPECT_EQ(scaling.deviation[0], 0);
  EXPECT_EQ(scaling.deviation[1], 0);
  EXPECT_EQ(feature_transform(scaling).factor[0], 0);
}

TEST(Scaling, OfPartsIsThatOfAllRows) {
  const auto x = from_rows({{1, 0, 2}, {3, 0, 2}, {5, 6, 2}, {0, 1, 2}});
  const auto all = fit_scaling(x, ScalingKind::zscore);
  // What each of two parts hands in, in the order of the calls; each then gets what both make.
  const Features parts[] = {from_rows({{1, 0, 2}, {3, 0, 2}}), from_rows({{5, 6, 2}, {0, 1, 2}})};
  std::vector<std::vector<double>> handed_in;
  for (const bool is_first : {true, false}) {
    std::size_t call = 0;
    const auto combine = [&](auto&& both) {
      return [&, both](std::span<double> mine) {
        if (is_first) {
          handed_in.emplace_back(mine.begin(), mine.end());
          return;
        }
        const auto& other = handed_in[call++];
        for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = both(mine[k], other[k]);
      };
    };
    // The first part must know the means before it hands in deviations: they are given to it.
    std::size_t sums = 0;
    const auto add = combine(std::plus<>());
    const OtherRows others{.sum =
                               [&](std::span<double> mine) {
                                 add(mine);
                                 if (is_first && sums++ == 3) {
                                   for (std::size_t k = 0; k < mine.size(); ++k)
                                     mine[k] = 2 * all.mean[k];
                                 }
                               },
                           .least = combine([](double a, double b) { return std::fmin(a, b); }),
                           .largest = combine([](double a, double b) { return std::fmax(a, b); })};
    const auto scaling = fit_scaling(parts[is_first ? 0 : 1], ScalingKind::zscore, {}, others);
    if (is_first) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_DOUBLE_EQ(scaling.mean[k], all.mean[k]);
      EXPECT_DOUBLE_EQ(scaling.deviation[k], all.deviation[k]);
    }
  }
}

TEST(Scaling, LargeOffsetDoesNotSpoilTheDeviation) {
  const auto x = from_rows({{1e9 + 1}, {1e9 + 2}, {1e9 + 3}});
  EXPECT_NEAR(fit_scaling(x, ScalingKind::zscore).deviation[0], std::sqrt(2.0 / 3), 1e-6);
}

TEST(Scaling, TinyAndHugeValuesHaveTheDeviationThatTheyHaveInOtherUnits) {
  const auto ordinary = from_rows({{1, 0, 0.5}, {3, 0, -2}, {5, 6, 7}});
  for (const auto& unscaled : {ordinary, as_sparse(ordinary)}) {
    const auto expected = fit_scaling(unscaled, ScalingKind::zscore);
    for (const int exponent : {-1030, -538, -401, -399, 399, 401, 498, 1015}) {
      auto x = unscaled;
      const std::span<double> values =
          x.is_sparse() ? std::span(x.sparse().value) : x.dense().values();
      for (double& value : values) value = std::ldexp(value, exponent);
      const auto found = fit_scaling(x, ScalingKind::zscore);
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(found.mean[k], std::ldexp(expected.mean[k], exponent)) << exponent;
        EXPECT_EQ(found.deviation[k], std::ldexp(expected.deviation[k], exponent)) << exponent;
      }
    }
  }
}

TEST(Scaling, FeatureOfTinyValuesIsNotConstant) {
  const auto x = from_rows({{1e-162}, {3e-162}, {2e-162}});
  const auto scaling = fit_scaling(x, ScalingKind::zscore);
  EXPECT_NEAR(scaling.deviation[0] / 1e-162, std::sqrt(2.0 / 3), 1e-12);
  EXPECT_NEAR(feature_transform(scaling).factor[0] * 1e-162, std::sqrt(1.5), 1e-12);
}

TEST(Scaling, UnitRowsHaveLengthOneAndZeroRowsStay) {
  const auto x = from_rows({{3, 4}, {0, 0}, {1e200, 0}});
  EXPECT_DOUBLE_EQ(unit_row_factor(x, 0), 0.2);
  EXPECT_DOUBLE_EQ(unit_row_factor(x, 1), 1);
  EXPECT_DOUBLE_EQ(unit_row_factor(x, 2), 1e-200);
}

TEST(Scaling, NamesGoBothWaysAndUnknownOnesListTheKnown) {
  for (const auto kind : {ScalingKind::zscore, ScalingKind::none, ScalingKind::unit_row}) {
    EXPECT_EQ(scaling_named(to_string(kind)), kind);
  }
  try {
    scaling_named("minmax");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "there is no scaling 'minmax': choose one of zscore, none, unit-row");
  }
}

}  // namespace
}  // namespace mugrad
