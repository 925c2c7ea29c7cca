// SPDX-License-Identifier: MIT
#include "solver/step_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

TEST(StepSearch, TakesStepsThatDoNotGoFarBeyondTheLowestPoint) {
  StepSearch search(3);
  for (std::size_t t = 0; t < 3; ++t) search.begin(t, -1);
  // The slopes at the ends: still down, a little up, as steep as before but up.
  search.decide(std::vector<double>{0.5, 1.4, 2}, std::vector<char>{0, 0, 0},
                std::vector<char>{0, 0, 0});
  EXPECT_THAT(search.accepted(), ElementsAre(1, 1, 0));
  EXPECT_THAT(search.fresh(), ElementsAre(1, 1, 0));
  EXPECT_THAT(search.trial_slopes(), ElementsAre(-1, -1, -1));
  EXPECT_DOUBLE_EQ(search.steps()[2], 0.5);  // where the slope vanishes if it grows evenly
}

TEST(StepSearch, GoesATenthAsFarAfterInfinity) {
  StepSearch search(1);
  search.begin(0, -2);
  search.decide(std::vector<double>{0}, std::vector<char>{1}, std::vector<char>{0});
  EXPECT_THAT(search.accepted(), ElementsAre(0));
  EXPECT_DOUBLE_EQ(search.steps()[0], 0.1);
  search.decide(std::vector<double>{0.1}, std::vector<char>{0}, std::vector<char>{0});
  EXPECT_THAT(search.accepted(), ElementsAre(1));
  EXPECT_DOUBLE_EQ(search.trial_slopes()[0], -0.2);
}

TEST(StepSearch, GivesUpADirectionAlongWhichNoStepIsShortEnough) {
  StepSearch search(1);
  search.begin(0, -1);
  int trials = 0;
  while (!search.is_misled(0) && ++trials < 100) {
    search.decide(std::vector<double>{1e9}, std::vector<char>{0}, std::vector<char>{0});
  }
  EXPECT_LT(trials, 20);
  EXPECT_THAT(search.fresh(), ElementsAre(1));
  search.begin(0, -1);
  EXPECT_FALSE(search.is_misled(0));
  EXPECT_DOUBLE_EQ(search.steps()[0], 1);
}

TEST(StepSearch, ColumnsThatAreDoneTakeNoPart) {
  StepSearch search(2);
  search.begin(0, -1);
  search.begin(1, -1);
  search.decide(std::vector<double>{0, 0}, std::vector<char>{0, 0}, std::vector<char>{1, 0});
  EXPECT_THAT(search.accepted(), ElementsAre(0, 1));
  EXPECT_THAT(search.trial_slopes(), ElementsAre(0, -1));
  search.keep_columns(std::vector<Index>{1});
  EXPECT_THAT(search.accepted(), ElementsAre(1));
}

}  // namespace
}  // namespace mugrad
