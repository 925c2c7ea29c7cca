// SPDX-License-Identifier: MIT
#include "solver/monitor.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(Monitor, JudgesAWarmStartByWhatTheToleranceIsRelativeTo) {
  // A residual that grows from nearly nothing to next to nothing has not diverged.
  Monitor monitor({.tolerance = 1e-9, .reference_residual = 1, .max_iterations = 2}, nullptr);
  EXPECT_FALSE(monitor.check(1e-8, 0));
  EXPECT_FALSE(monitor.check(1e-3, 0));
  EXPECT_EQ(monitor.check(1e-3, 0), Stop::iteration_limit);
}

TEST(Monitor, SeesARunDivergeFromAWarmStartToo) {
  Monitor monitor({.tolerance = 1e-9, .reference_residual = 1}, nullptr);
  EXPECT_FALSE(monitor.check(1e-8, 0));
  EXPECT_EQ(monitor.check(11, 0), Stop::diverged);
}

TEST(Monitor, CountsNoIterationsBeforeTheFirst) {
  const Monitor monitor({}, nullptr);
  EXPECT_EQ(monitor.report(Stop::interrupted, 0).iterations, 0);
}

}  // namespace
}  // namespace mugrad
