// SPDX-License-Identifier: MIT
// The units that features are measured in: methods scale them, so that units change nothing, or say
// which feature has one that cannot be scaled.
#include "support/method_name.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Powers of two near 1e-162, 1e-30, 1e30, 1e150 and 1e250: multiplying by them rounds nothing.
constexpr int kExponents[] = {-538, -100, 100, 498, 830};
/// Near 1e-310, below all normal numbers.
constexpr int kBelowNormal = -1030;

class FeatureScales : public ::testing::TestWithParam<const Method*> {
 protected:
  static Model fit(const Dataset& data, const OptionValues& values = {}) {
    return GetParam()->fit(data, values, {1}, nullptr);
  }
  static std::vector<double> scores(const Model& model, const Dataset& data) {
    const auto found = model.scores(data.x);
    return {found.values().begin(), found.values().end()};
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, FeatureScales,
                         ::testing::ValuesIn(methods().begin(), methods().end()),
                         testing::method_name);

Dataset some_data(bool sparse) {
  auto data = testing::random_problem({.rows = 60, .features = 5, .labels = 4}, 3);
  // A third of them zero, and of few digits, so that they keep these below normal numbers.
  for (double& value : data.x.dense().values()) {
    value = std::round(value * 16) / 16;
    if (std::fabs(value) < 0.4) value = 0;
  }
  data.feature_names = {"a", "b", "c", "d", "e"};
  if (sparse) data.x = as_sparse(data.x);
  return data;
}

Dataset in_other_units(Dataset data, int exponent) {
  const std::span<double> values =
      data.x.is_sparse() ? std::span(data.x.sparse().value) : data.x.dense().values();
  for (double& value : values) value = std::ldexp(value, exponent);
  return data;
}

TEST_P(FeatureScales, ChangeNoPrediction) {
  for (const bool sparse : {false, true}) {
    const auto data = some_data(sparse);
    const auto expected = scores(fit(data), data);
    for (const int exponent : kExponents) {
      const auto other = in_other_units(data, exponent);
      EXPECT_EQ(scores(fit(other), other), expected) << "2^" << exponent << ", sparse " << sparse;
    }
  }
}

TEST_P(FeatureScales, OfOneFeatureChangeNoPredictionWhereFeaturesAreStandardised) {
  const auto data = some_data(false);
  const auto expected = scores(fit(data, {{"representation", "zscore"}}), data);
  for (const int exponent : kExponents) {
    auto other = data;
    for (Index row = 0; row < other.rows(); ++row) {
      double& value = other.x.dense()(row, 2);
      value = std::ldexp(value, exponent);
    }
    EXPECT_EQ(scores(fit(other, {{"representation", "zscore"}}), other), expected)
        << "2^" << exponent;
  }
}

TEST_P(FeatureScales, BelowNormalNumbersAreRefusedByNameOrNumber) {
  for (const bool sparse : {false, true}) {
    const auto tiny = in_other_units(some_data(sparse), kBelowNormal);
    EXPECT_THAT(
        [&] {
          fit(tiny, {{"representation", "zscore"}});
        },
        ThrowsMessage<InputError>(HasSubstr("feature 'a' of random has values too small")));
    EXPECT_THAT(
        [&] {
          fit(tiny, {{"representation", "unit-row"}});
        },
        ThrowsMessage<InputError>(HasSubstr("example 1 of random has values too small")));
  }
}

TEST_P(FeatureScales, GiveFiniteScoresWhateverIsDoneWithThem) {
  for (const auto kind : representation_kinds()) {
    const std::string representation(to_string(kind));
    for (const int exponent : {-538, -100, 0}) {
      const auto data = in_other_units(some_data(false), exponent);
      for (const double score : scores(fit(data, {{"representation", representation}}), data)) {
        ASSERT_TRUE(std::isfinite(score)) << representation << " 2^" << exponent;
      }
    }
  }
}

}  // namespace
}  // namespace mugrad
