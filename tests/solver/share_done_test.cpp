// SPDX-License-Identifier: MIT
#include "solver/monitor.h"

#include <gtest/gtest.h>

#include <limits>

namespace mugrad {
namespace {

Iterate iterate(Index iteration, double residual) {
  return {.iteration = iteration, .residual = residual, .first_residual = 8};
}

TEST(ShareDone, IsTheLargerOfIterationsAndDigits) {
  const Stopping stopping{.tolerance = 1e-4, .max_iterations = 100};
  EXPECT_DOUBLE_EQ(share_done(iterate(0, 8), stopping), 0);
  EXPECT_NEAR(share_done(iterate(10, 8e-1), stopping), 0.25, 1e-12);
  EXPECT_DOUBLE_EQ(share_done(iterate(50, 8e-1), stopping), 0.5);
  EXPECT_DOUBLE_EQ(share_done(iterate(1, 8e-5), stopping), 1);
  EXPECT_DOUBLE_EQ(share_done(iterate(1, 80), stopping), 0.01);
}

TEST(ShareDone, WithoutAToleranceIterationsAloneCount) {
  const Stopping stopping{.tolerance = 0, .max_iterations = 10};
  EXPECT_DOUBLE_EQ(share_done(iterate(0, 8), stopping), 0);
  EXPECT_DOUBLE_EQ(share_done(iterate(3, 1e-9), stopping), 0.3);
}

TEST(ShareDone, AllIsDoneAtAResidualOfZeroOrLess) {
  for (const double tolerance : {0.0, 1e-4}) {
    EXPECT_EQ(share_done(iterate(1, 0), {.tolerance = tolerance}), 1);
    EXPECT_EQ(share_done(iterate(1, -1e-9), {.tolerance = tolerance}), 1);
  }
}

TEST(ShareDone, DigitsAreThoseDownToWhatTheToleranceIsRelativeTo) {
  const Stopping stopping{.tolerance = 1e-3, .reference_residual = 80};
  EXPECT_NEAR(share_done(iterate(0, 0.8), stopping), 0.5, 1e-12);
  EXPECT_EQ(share_done(iterate(0, 0.08), stopping), 1);
}

TEST(ShareDone, ResidualsThatAreNoNumbersCountForNothing) {
  const Stopping stopping{.tolerance = 1e-4, .max_iterations = 4};
  EXPECT_DOUBLE_EQ(share_done(iterate(1, std::numeric_limits<double>::quiet_NaN()), stopping),
                   0.25);
  EXPECT_DOUBLE_EQ(share_done(iterate(1, std::numeric_limits<double>::infinity()), stopping), 0.25);
}

}  // namespace
}  // namespace mugrad
