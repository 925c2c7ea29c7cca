// SPDX-License-Identifier: MIT
#include <mugrad/data/generator.h>
#include <mugrad/method/method.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace mugrad {
namespace {

class WeightsOf : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Methods, WeightsOf, ::testing::Values("mgd", "br", "cc", "ecc"));

TEST_P(WeightsOf, AreSingleUnlessDoubleIsAskedForWhichScoresNearlyTheSame) {
  const Dataset data = generate({.rows = 120, .features = 10, .labels = 6, .seed = 5}).data;
  const Method& method = method_named(GetParam());
  const Model usual = method.fit(data, {{"tolerance", "1e-6"}}, {}, nullptr);
  const Model wide =
      method.fit(data, {{"tolerance", "1e-6"}, {"precision", "double"}}, {}, nullptr);
  EXPECT_TRUE(std::holds_alternative<Matrix<float>>(usual.contents().weights));
  EXPECT_TRUE(std::holds_alternative<Matrix<double>>(wide.contents().weights));
  const auto a = usual.scores(data.x);
  const auto b = wide.scores(data.x);
  double apart = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) {
    apart = std::max(apart, std::fabs(a.values()[k] - b.values()[k]));
  }
  // Rounding to 24 bits, and what is left at a tolerance of 1e-6. A chain may turn at a label whose
  // probability is 1/2 but for that, which none of these is.
  EXPECT_LT(apart, 1e-4);
  EXPECT_GT(apart, 0);
}

}  // namespace
}  // namespace mugrad
