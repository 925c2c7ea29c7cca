// SPDX-License-Identifier: MIT
#include "method/common/stages.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace mugrad {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

class Shares final : public Observer {
 public:
  bool observe(const IterationState&) override { return goes_on; }
  bool observe_share(double share) override {
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
  stages.begin({.tolerance = 1e-2, .max_iterations = 1000});
  stages.observe({.iteration = 1, .residual = 0.1, .first_residual = 1});
  stages.observe({.iteration = 2, .residual = 0.9, .first_residual = 1});  // it rose
  stages.observe_within(0.3);
  stages.check();
  stages.observe({.iteration = 3, .residual = 0, .first_residual = 1});
  EXPECT_THAT(shares.told, ElementsAre(DoubleEq(0.75), DoubleEq(0.75), DoubleEq(0.75),
                                       DoubleEq(0.75), DoubleEq(1)));
}

TEST(Stages, StopWhenTheObserverSaysSo) {
  Shares shares;
  shares.goes_on = false;
  Stages stages(&shares);
  EXPECT_FALSE(stages.tell(0.5));
  EXPECT_FALSE(stages.observe({}));
  EXPECT_FALSE(stages.observe_within(0));
  EXPECT_FALSE(Interruption(stages).observe({}));
  EXPECT_THROW(stages.advance(0.6), InterruptedError);
  EXPECT_THROW(stages.check(), InterruptedError);
  Stages unwatched(nullptr);
  EXPECT_TRUE(unwatched.tell(0.5));
  EXPECT_NO_THROW(unwatched.check());
}

}  // namespace
}  // namespace mugrad
