// SPDX-License-Identifier: MIT
#include "objective/logistic.h"
#include "objective/smoothed_l1.h"
#include "objective/squared.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace mugrad {
namespace {

TEST(LogisticLoss, IsStableForLargeScores) {
  EXPECT_DOUBLE_EQ(LogisticLoss::value(1000.0, false), 1000);
  EXPECT_DOUBLE_EQ(LogisticLoss::value(1000.0, true), 0);
  EXPECT_DOUBLE_EQ(LogisticLoss::value(-1000.0, true), 1000);
  EXPECT_DOUBLE_EQ(LogisticLoss::derivative(-1000.0, false), 0);
  EXPECT_FLOAT_EQ(LogisticLoss::derivative(-1000.0F, true), -1);
}

template <class Loss>
class PointwiseLoss : public ::testing::Test {};
using Losses = ::testing::Types<LogisticLoss, SquaredLoss>;
TYPED_TEST_SUITE(PointwiseLoss, Losses);

TYPED_TEST(PointwiseLoss, DerivativesAreThoseOfTheValue) {
  constexpr double kStep = 1e-5;
  for (double z = -4; z <= 4; z += 0.5) {
    for (const bool positive : {false, true}) {
      const auto value = [&](double at) { return TypeParam::value(at, positive); };
      const auto derivative = [&](double at) { return TypeParam::derivative(at, positive); };
      const double slope = (value(z + kStep) - value(z - kStep)) / (2 * kStep);
      EXPECT_NEAR(derivative(z), slope, 1e-9);
      const double second = (derivative(z + kStep) - derivative(z - kStep)) / (2 * kStep);
      EXPECT_NEAR(TypeParam::second_derivative(z), second, 1e-9);
      EXPECT_LE(TypeParam::second_derivative(z), TypeParam::kCurvature);
    }
  }
}

TYPED_TEST(PointwiseLoss, DerivativesOfTheClassesDifferByOne) {
  for (double z = -4; z <= 4; z += 0.5) {
    EXPECT_DOUBLE_EQ(TypeParam::derivative(z, false) - TypeParam::derivative(z, true), 1);
  }
}

TEST(SmoothedL1, LiesAboveTheAbsoluteValueByAtMostTwoLogTwoPerSharpness) {
  for (const double a : {1.0, 10.0, 1e6}) {
    const SmoothedL1 smoothed{a};
    double largest = 0;
    for (int k = -400; k <= 400; ++k) {
      const double w = k / (20 * a);
      const double gap = smoothed.value(w) - std::fabs(w);
      EXPECT_GT(gap, 0);
      largest = std::max(largest, gap);
    }
    EXPECT_NEAR(largest * a / (2 * std::numbers::ln2), 1, 1e-12);
  }
}

TEST(SmoothedL1, DerivativesAreThoseOfTheValue) {
  constexpr double kStep = 1e-6;
  const SmoothedL1 smoothed{7};
  for (double w = -2; w <= 2; w += 0.125) {
    const double slope = (smoothed.value(w + kStep) - smoothed.value(w - kStep)) / (2 * kStep);
    EXPECT_NEAR(smoothed.derivative(w), slope, 1e-8);
    const double second =
        (smoothed.derivative(w + kStep) - smoothed.derivative(w - kStep)) / (2 * kStep);
    EXPECT_NEAR(smoothed.second_derivative(w), second, 1e-8);
    EXPECT_LE(smoothed.second_derivative(w), smoothed.curvature());
  }
  EXPECT_DOUBLE_EQ(smoothed.second_derivative(0.0), smoothed.curvature());
}

TEST(SmoothedL1, IsStableForLargeWeights) {
  const SmoothedL1 smoothed{1e6};
  EXPECT_DOUBLE_EQ(smoothed.value(-1000), 1000);
  EXPECT_DOUBLE_EQ(smoothed.derivative(-1000.0), -1);
  EXPECT_FLOAT_EQ(smoothed.second_derivative(1000.0F), 0);
}

}  // namespace
}  // namespace mugrad
