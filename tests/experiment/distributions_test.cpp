// SPDX-License-Identifier: MIT
#include "experiment/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

void expect_close(double actual, double expected, double relative) {
  EXPECT_NEAR(actual, expected, relative * std::abs(expected));
}

TEST(Distributions, RangeOfTwoIsTheirDifference) {
  for (const double q : {0.0, 0.1, 1.0, 3.0, 10.0, 30.0}) {
    expect_close(range_tail(q, 2), 2 * normal_tail(q / std::sqrt(2)), 1e-12);
  }
}

// The integral of k phi(z) [Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)], by mpmath.quad with 120
// digits.
TEST(Distributions, TailOfTheRangeIsPreciseHoweverSmallOrLarge) {
  expect_close(range_tail(0.01, 5), 0.99999999943361058, 1e-14);
  expect_close(range_tail(0.5, 3), 0.93342194513528696, 1e-13);
  expect_close(range_tail(3, 100), 0.99999664017839929, 1e-13);
  expect_close(range_tail(4, 6), 0.05307611569799567, 1e-12);
  expect_close(range_tail(10, 4), 9.2241480451318839e-12, 1e-12);
  expect_close(range_tail(12, 50), 2.6360774973249076e-14, 1e-12);
  expect_close(range_tail(20, 3), 6.2654627512876328e-45, 1e-12);
}

// The same integral solved for q by mpmath.findroot.
TEST(Distributions, PointOfTheRangeIsPreciseForAnyTail) {
  expect_close(range_point(0.999, 4), 0.19944606283427897, 1e-10);
  expect_close(range_point(0.05, 6), 4.0300920531805761, 1e-12);
  expect_close(range_point(0.05, 1000), 7.369627485138346, 1e-12);
  expect_close(range_point(1e-12, 5), 10.523017494250901, 1e-12);
  expect_close(range_point(1e-30, 3), 16.430524092209752, 1e-12);
}

// scipy.stats.studentized_range.ppf(1 - tail, k, numpy.inf)
TEST(Distributions, PointOfTheRangeIsScipys) {
  expect_close(range_point(0.5, 2), 0.9538725524089396, 1e-9);
  expect_close(range_point(0.1, 3), 2.9023802134282515, 1e-9);
  expect_close(range_point(0.01, 10), 5.156634960089622, 1e-9);
  expect_close(range_point(0.001, 20), 6.411187358406609, 1e-9);
  expect_close(range_point(0.05, 100), 6.084637537173171, 1e-9);
}

TEST(Distributions, LeastTailThereIsHasAPoint) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_GT(range_point(least, 10), range_point(1e-300, 10));
  EXPECT_TRUE(std::isfinite(range_point(least, 10)));
}

TEST(Distributions, NormalPointAndTailUndoEachOther) {
  for (const double tail : {1e-200, 1e-10, 0.025, 0.5, 0.9}) {
    expect_close(normal_tail(normal_point(tail)), tail, 1e-11);
  }
}

// scipy.stats.chi2.sf(11.07, 5), scipy.stats.f.sf(2.603, 5, 25)
TEST(Distributions, ChiSquaredAndFAreScipys) {
  expect_close(chi_squared_tail(11.07, 5), 0.050009618622405425, 1e-12);
  expect_close(fisher_f_tail(2.603, 5, 25), 0.04999915591118427, 1e-12);
  EXPECT_EQ(chi_squared_tail(0, 3), 1);
  EXPECT_EQ(fisher_f_tail(0, 3, 6), 1);
}

}  // namespace
}  // namespace mugrad
