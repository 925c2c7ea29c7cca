// SPDX-License-Identifier: MIT
#include "objective/logistic_kernels.h"

#include "linalg/pass/panels.h"
#include "objective/logistic.h"
#include "support/every_target.h"

#include <cmath>
#include <limits>
#include <vector>

namespace mugrad {
namespace {

/// Scores of both signs from those too small to matter to those at and beyond where exp underflows
/// and overflows, in a whole number of cache lines.
template <class Real>
std::vector<Real> telling_scores() {
  constexpr auto kLimits = std::numeric_limits<Real>();
  std::vector<Real> scores = {0, kLimits.min(), kLimits.denorm_min(), kLimits.max(),
                              kLimits.infinity()};
  for (double z = 1e-9; z < 2000; z *= 1.0007) scores.push_back(static_cast<Real>(z));
  for (double z = 86; z < 105; z += 0.01) scores.push_back(static_cast<Real>(z));
  for (double z = 707; z < 750; z += 0.01) scores.push_back(static_cast<Real>(z));
  const auto positive = scores.size();
  for (std::size_t k = 0; k < positive; ++k) scores.push_back(-scores[k]);
  scores.resize((scores.size() + 63) / 64 * 64, Real{1});
  return scores;
}

template <class Real>
AlignedBuffer<Real> aligned(const std::vector<Real>& values) {
  AlignedBuffer<Real> buffer(std::ssize(values));
  std::ranges::copy(values, buffer.data());
  return buffer;
}

/// Within a few units in the last place of a more precise value, or less than the smallest normal
/// number away from it.
template <class Real>
void expect_close(Real actual, long double expected, double units, Real z) {
  constexpr auto kLimits = std::numeric_limits<Real>();
  if (std::isinf(expected)) {
    EXPECT_EQ(actual, static_cast<Real>(expected)) << z;
    return;
  }
  const long double allowed = units * kLimits.epsilon() * std::fabs(expected);
  EXPECT_LE(std::fabs(static_cast<long double>(actual) - expected),
            std::max<long double>(allowed, kLimits.min()))
      << z;
}

template <class Real>
class LogisticKernels : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LogisticKernels, Reals);

TYPED_TEST(LogisticKernels, SlopesAreThoseOfTheLossOverTheWholeRangeOnEveryTarget) {
  const auto scores = telling_scores<TypeParam>();
  testing::for_each_target([&] {
    auto z = aligned(scores);
    logistic_slopes(1, z.size(), z.data());
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const auto exact = static_cast<long double>(scores[k]);
      expect_close(z.data()[k], LogisticLoss::derivative(exact, false), 4, scores[k]);
    }
  });
}

TYPED_TEST(LogisticKernels, CurvaturesAreThoseOfTheLossOverTheWholeRangeOnEveryTarget) {
  const auto scores = telling_scores<TypeParam>();
  const auto ones = aligned(std::vector<TypeParam>(scores.size(), TypeParam{1}));
  testing::for_each_target([&] {
    auto z = aligned(scores);
    logistic_curvature_times(1, z.size(), ones.data(), z.data());
    for (std::size_t k = 0; k < scores.size(); ++k) {
      // h (1 - h) loses its digits where h is near 1: taken at -|z|, where it is the same.
      const auto exact = -std::fabs(static_cast<long double>(scores[k]));
      expect_close(z.data()[k], LogisticLoss::second_derivative(exact), 6, scores[k]);
    }
  });
}

TYPED_TEST(LogisticKernels, ValuesAndCurvaturesAreSummedByColumnOnEveryTarget) {
  const auto scores = telling_scores<TypeParam>();
  constexpr Index kWidth = 32;
  const Index rows = std::ssize(scores) / kWidth;
  testing::for_each_target([&] {
    for (Index row = 0; row < rows; ++row) {  // one by one: no sum hides a small one
      auto z =
          aligned(std::vector(scores.begin() + row * kWidth, scores.begin() + (row + 1) * kWidth));
      const std::vector<TypeParam> before(z.data(), z.data() + kWidth);
      AlignedBuffer<double> values(kWidth);
      AlignedBuffer<double> curvatures(kWidth);
      logistic_slopes_and_sums(1, kWidth, z.data(), values.data(), curvatures.data());
      auto slopes = aligned(before);
      logistic_slopes(1, kWidth, slopes.data());
      for (Index t = 0; t < kWidth; ++t) {
        const auto score = before[static_cast<std::size_t>(t)];
        const auto exact = static_cast<long double>(score);
        expect_close(static_cast<TypeParam>(values.data()[t]), LogisticLoss::value(exact, false), 6,
                     score);
        expect_close(static_cast<TypeParam>(curvatures.data()[t]),
                     LogisticLoss::second_derivative(-std::fabs(exact)), 6, score);
        EXPECT_EQ(z.data()[t], slopes.data()[t]);
      }
    }
  });
}

TYPED_TEST(LogisticKernels, CurvaturesOfManyRowsAreSummedWithAndWithoutValues) {
  const auto scores = telling_scores<TypeParam>();
  constexpr Index kWidth = 32;
  const Index rows = std::ssize(scores) / kWidth;
  testing::for_each_target([&] {
    auto z = aligned(scores);
    auto z_too = aligned(scores);
    AlignedBuffer<double> values(kWidth), curvatures(kWidth), curvatures_alone(kWidth);
    logistic_slopes_and_sums(rows, kWidth, z.data(), values.data(), curvatures.data());
    logistic_slopes_and_sums(rows, kWidth, z_too.data(), nullptr, curvatures_alone.data());
    for (Index t = 0; t < kWidth; ++t) {
      double expected = 0;
      for (Index row = 0; row < rows; ++row) {
        const double score = scores[static_cast<std::size_t>(row * kWidth + t)];
        expected += LogisticLoss::second_derivative(-std::fabs(score));
      }
      const double allowed = 100 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
      EXPECT_NEAR(curvatures.data()[t], expected, allowed * expected);
      EXPECT_EQ(curvatures_alone.data()[t], curvatures.data()[t]);
    }
    for (Index k = 0; k < rows * kWidth; ++k) ASSERT_EQ(z_too.data()[k], z.data()[k]);
  });
}

TYPED_TEST(LogisticKernels, SumsAddAllRowsToWhatWasThere) {
  constexpr Index kWidth = 16;
  testing::for_each_target([&] {
    for (const Index rows : {0, 1, 5}) {
      AlignedBuffer<TypeParam> z(rows * kWidth);
      AlignedBuffer<double> values(kWidth);
      AlignedBuffer<double> curvatures(kWidth);
      std::fill_n(values.data(), kWidth, 3.0);
      logistic_slopes_and_sums(rows, kWidth, z.data(), values.data(), curvatures.data());
      for (Index t = 0; t < kWidth; ++t) {
        EXPECT_NEAR(values.data()[t], 3 + static_cast<double>(rows) * std::log(2), 1e-6);
        EXPECT_EQ(curvatures.data()[t], static_cast<double>(rows) / 4);
      }
    }
  });
}

TYPED_TEST(LogisticKernels, WhatIsNotANumberStaysSo) {
  testing::for_each_target([] {
    const std::vector<TypeParam> scores(16, std::numeric_limits<TypeParam>::quiet_NaN());
    auto slopes = aligned(scores);
    auto curvatures = aligned(scores);
    auto sums = aligned(scores);
    AlignedBuffer<double> values(16);
    AlignedBuffer<double> curvature_sums(16);
    logistic_slopes(1, 16, slopes.data());
    logistic_curvature_times(1, 16, aligned(std::vector<TypeParam>(16, 1)).data(),
                             curvatures.data());
    logistic_slopes_and_sums(1, 16, sums.data(), values.data(), curvature_sums.data());
    for (Index t = 0; t < 16; ++t) {
      EXPECT_TRUE(std::isnan(slopes.data()[t]) && std::isnan(curvatures.data()[t]));
      EXPECT_TRUE(std::isnan(values.data()[t]) && std::isnan(curvature_sums.data()[t]));
    }
  });
}

}  // namespace
}  // namespace mugrad
