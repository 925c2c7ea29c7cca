// SPDX-License-Identifier: MIT
#include "solver/open_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A monitor that has seen a first residual of 1: the target is the tolerance.
Monitor started(double tolerance) {
  Monitor monitor({.tolerance = tolerance}, nullptr);
  monitor.check(1, 0);
  return monitor;
}

void record(OpenTasks& open, const std::vector<double>& norms) {
  for (std::size_t t = 0; t < norms.size(); ++t) open.record(t, norms[t], 10 * norms[t]);
}

TEST(OpenTasks, LeaveWithinTheToleranceOnceThatIsWorthIt) {
  const auto monitor = started(0.1);
  OpenTasks open(5, false, 0, monitor);
  EXPECT_THAT(open.which(), IsEmpty());  // all of them
  record(open, {0.01, 0.5, 0.5, 0.5, 1});
  open.mark_done();
  EXPECT_THAT(open.done(), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(open.worth_keeping(), IsEmpty());
  record(open, {0.01, 0.5, 0.002, 0.5, 1});
  open.mark_done();
  EXPECT_THAT(open.worth_keeping(), ElementsAre(1, 3, 4));
  open.keep_columns(open.worth_keeping());
  EXPECT_THAT(open.which(), ElementsAre(1, 3, 4));
  EXPECT_DOUBLE_EQ(open.norm(2), 1);
}

TEST(OpenTasks, CountThoseThatHaveLeft) {
  const auto monitor = started(0.1);
  OpenTasks open(2, false, 0, monitor);
  record(open, {0.09, 1});
  open.mark_done();
  open.keep_columns(open.worth_keeping());
  open.record(0, 0.01, 0.5);
  EXPECT_DOUBLE_EQ(open.residual(), 0.09);
  EXPECT_DOUBLE_EQ(open.total_value(), 0.9 + 0.5);
}

TEST(OpenTasks, AResidualThatIsNotFiniteIsThatOfAll) {
  const auto monitor = started(0.1);
  OpenTasks open(2, false, 0, monitor);
  record(open, {0.5, std::numeric_limits<double>::infinity()});
  EXPECT_TRUE(std::isinf(open.residual()));
}

TEST(OpenTasks, TogetherNoneIsDoneWhileOneGains) {
  const auto monitor = started(0.1);
  OpenTasks open(2, true, 0, monitor);
  double norm = 1;
  for (int iteration = 0; iteration < 2000; ++iteration) {
    record(open, {0, norm *= 0.99});
    open.mark_done();
    ASSERT_THAT(open.done(), ElementsAre(0, 0)) << iteration;
  }
}

TEST(OpenTasks, AreDoneWhenNothingIsGainedForLongAndSoonerNearRounding) {
  const auto iterations_until_done = [](double near_rounding) {
    const auto monitor = started(1e-9);
    OpenTasks open(1, false, near_rounding, monitor);
    int iterations = 0;
    while (!open.all_done() && ++iterations < 5000) {
      open.record(0, 1e-3, 0);
      open.mark_done();
    }
    return iterations;
  };
  EXPECT_NEAR(iterations_until_done(1e-2), 100, 5);
  EXPECT_NEAR(iterations_until_done(1e-4), 1000, 5);
}

}  // namespace
}  // namespace mugrad
