// SPDX-License-Identifier: MIT
// What is published of ML-kNN on the public sets.
#include "support/public_sets.h"

#include <mugrad/method/mlknn.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(PublishedSets, MlknnReachesTheKnownMetricsOnEmotions) {
  const auto data = testing::public_set("emotions");
  if (!data) GTEST_SKIP() << "emotions is not on this machine: set MUGRAD_DATA or fetch it";
  const auto precision = [&](RepresentationKind representation) {
    return testing::mean_metrics(*data, 10,
                                 [&](const Dataset& train) {
                                   return fit(train,
                                              MlknnOptions{.representation = representation});
                                 })
        .at("average-precision");
  };
  // Madjarov et al. (2012) report 0.694, on features as they are.
  EXPECT_NEAR(precision(RepresentationKind::none), 0.694, 0.015);
  EXPECT_NEAR(precision(RepresentationKind::zscore), 0.80, 0.01);
}

}  // namespace
}  // namespace mugrad
