// SPDX-License-Identifier: MIT
#include "model/model_bytes.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(ModelBytes, CountNamesAndStatisticsBesideWeights) {
  constexpr std::size_t kFeatures = 1000;
  ModelContents contents;
  EXPECT_EQ(bytes_of(contents), sizeof(Index));  // the start of the first relation
  contents.weights = Matrix<float>(kFeatures, 2);
  EXPECT_EQ(bytes_of(contents), sizeof(Index) + kFeatures * 2 * sizeof(float));
  const double before = bytes_of(contents);
  contents.feature_names.assign(kFeatures, std::string(100, 'x'));
  contents.representation.mean.assign(kFeatures, 0);
  contents.representation.deviation.assign(kFeatures, 1);
  const double more = bytes_of(contents) - before;
  EXPECT_GE(more, kFeatures * (100.0 + 2 * sizeof(double) + sizeof(std::string)));
  EXPECT_LE(more, kFeatures * (150.0 + 2 * sizeof(double) + sizeof(std::string)));
}

}  // namespace
}  // namespace mugrad
