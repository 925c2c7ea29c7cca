// SPDX-License-Identifier: MIT
// `iterations` is a limit: of every method, by whatever way it solves.
#include "support/method_name.h"
#include "support/random_problem.h"

#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mugrad {
namespace {

/// Sees every run of a method.
class LongestRun final : public Progress {
 public:
  bool update(double) override { return true; }
  void iterate(const Iterate& iterate) override { longest = std::max(longest, iterate.iteration); }
  Index longest = 0;
};

OptionValues limited(Index iterations, OptionValues values = {}) {
  values["iterations"] = std::to_string(iterations);
  values["tolerance"] = "0";
  return values;
}

Dataset some_data() { return testing::random_problem({.rows = 60, .features = 8, .labels = 5}, 3); }

class EveryIterationLimit : public ::testing::TestWithParam<const Method*> {};

INSTANTIATE_TEST_SUITE_P(Methods, EveryIterationLimit,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         testing::method_name);

TEST_P(EveryIterationLimit, BoundsThePassesOverTheData) {
  const Method& method = *GetParam();
  if (!method.has_option("iterations") || !method.has_option("tolerance")) return;
  const auto data = some_data();
  const auto passes = [&](Index iterations) {
    LongestRun progress;
    const auto model = method.fit(data, limited(iterations), {1}, &progress);
    EXPECT_LE(progress.longest, iterations);
    return model.contents().report.solve->effort;
  };
  // Every regression takes one more pass for one more iteration, and one or two besides.
  const Index first = passes(1);
  const Index regressions = passes(2) - first;
  EXPECT_GE(regressions, 1);
  EXPECT_LE(first, 3 * regressions);
  for (const Index iterations : {3, 5, 9}) {
    EXPECT_LE(passes(iterations), first + (iterations - 1) * regressions) << iterations;
  }
}

/// More related labels than are solved together take turns, in blocks and sweeps.
TEST(IterationLimit, BoundsThePassesWhereLabelsTakeTurns) {
  const auto data = testing::random_problem({.rows = 40, .features = 3, .labels = 1510}, 3);
  for (const Index iterations : {1, 4}) {
    LongestRun progress;
    const auto model = method_named("mgd").fit(
        data, limited(iterations, {{"neighbours", "3"}, {"rho", "1e-5"}}), {}, &progress);
    EXPECT_LE(progress.longest, iterations);
    // One for the curvature that all share, one where the run starts and one where it ends, and in
    // a sweep one where a label starts; every sweep counts for an iteration at least.
    EXPECT_LE(model.contents().report.solve->effort, 2 * iterations + 3);
    EXPECT_EQ(model.contents().report.solve->stop, "iteration-limit");
  }
}

}  // namespace
}  // namespace mugrad
