// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/experiment/statistics.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Summary, DeviationDividesByOneLessThanTheCount) {
  const auto summary = summarise(std::array{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0});
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.deviation, std::sqrt(32.0 / 7));
  EXPECT_EQ(summary.count, 8);
}

TEST(Summary, FarFromZeroTheDeviationStaysPrecise) {
  EXPECT_DOUBLE_EQ(summarise(std::array{1e9 + 1, 1e9 + 2, 1e9 + 3}).deviation, 1);
}

TEST(Summary, OneValueHasNoDeviation) {
  const auto summary = summarise(std::array{0.25});
  EXPECT_EQ(summary.mean, 0.25);
  EXPECT_TRUE(std::isnan(summary.deviation));
  EXPECT_EQ(summary.count, 1);
}

TEST(Summary, RefusesNothingAndWhatIsNotFinite) {
  EXPECT_THROW(summarise({}), UsageError);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(
        [&] {
          summarise(std::array{1.0, bad});
        },
        ThrowsMessage<UsageError>(HasSubstr("value 1 must be a finite number")));
  }
}

}  // namespace
}  // namespace mugrad
