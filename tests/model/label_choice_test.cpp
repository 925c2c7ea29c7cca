// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<double> kScores = {0.5, 0.9, 0.5, 0.1};

TEST(LabelChoice, ThresholdIsReachedWhenEqual) {
  EXPECT_THAT(LabelChoice::by_threshold({0.5, 0.5, 0.6, 0.05}).choose(kScores),
              ElementsAre(1, 0, 3));
  EXPECT_THAT(LabelChoice::by_threshold({1, 1, 1, 1}).choose(kScores), IsEmpty());
}

TEST(LabelChoice, TopAreTheBestWithTiesByTheLowerLabel) {
  EXPECT_THAT(LabelChoice::top(2).choose(kScores), ElementsAre(1, 0));
  EXPECT_THAT(LabelChoice::top(3).choose(kScores), ElementsAre(1, 0, 2));
  EXPECT_THAT(LabelChoice::top(9).choose(kScores), ElementsAre(1, 0, 2, 3));
  EXPECT_THROW(LabelChoice::top(0), UsageError);
}

}  // namespace
}  // namespace mugrad
