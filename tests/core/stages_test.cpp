// SPDX-License-Identifier: MIT
#include "core/stages.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace mugrad {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

class Shares final : public Progress {
 public:
  bool update(double share) override {
    told.push_back(share);
    return goes_on;
  }
  std::vector<double> told;
  bool goes_on = true;
};

TEST(Stages, TellWhatIsDoneOfTheWholeAndNeverLess) {
  Shares shares;
  Stages stages(&shares);
  stages.enter(0.5, 1);
  stages.update(0.5);
  stages.update(0.2);  // it fell
  stages.check();
  stages.enter(0.6, 0.8);  // a stage that begins before the end of the last
  stages.update(0);
  stages.enter(0.8, 1);
  stages.update(7);
  EXPECT_THAT(shares.told, ElementsAre(DoubleEq(0.75), DoubleEq(0.75), DoubleEq(0.75),
                                       DoubleEq(0.75), DoubleEq(1)));
}

TEST(Stages, StopWhenTheProgressAsksToStop) {
  Shares shares;
  shares.goes_on = false;
  Stages stages(&shares);
  EXPECT_FALSE(stages.update(0.5));
  EXPECT_THROW(advance(&shares, 0.6), InterruptedError);
  EXPECT_THROW(stages.advance(0.6), InterruptedError);
  EXPECT_THROW(stages.check(), InterruptedError);
  Stages unwatched(nullptr);
  EXPECT_TRUE(unwatched.update(0.5));
  EXPECT_NO_THROW(unwatched.check());
  EXPECT_NO_THROW(advance(nullptr, 0.5));
}

}  // namespace
}  // namespace mugrad
