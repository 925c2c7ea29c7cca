// SPDX-License-Identifier: MIT
#include "experiment/shared_expansion.h"

#include "support/random_problem.h"

#include <mugrad/method/method.h>
#include <mugrad/model/scorer.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

Dataset rows_for(std::uint64_t seed) {
  return testing::random_problem({.rows = 200, .features = 7, .labels = 3}, seed);
}

Model trained(const std::string& method, const OptionValues& values) {
  return method_named(method).fit(rows_for(1), values, Threads{1}, nullptr);
}

Matrix<double> scores_of(const Model& model, const Dataset& data) {
  Matrix<double> scores(data.rows(), data.labels());
  Scorer(model).scores(data.x, 0, data.rows(), scores);
  return scores;
}

const OptionValues kGaussian = {{"representation", "gaussian"}, {"centres", "150"}};

TEST(SharedExpansion, KeepsEveryBitOfTheScores) {
  const Dataset test = rows_for(2);
  // A linear head, one of chains, one of distances to centres, and one of training rows.
  for (const char* const method : {"mgd", "ecc", "lift", "mlknn"}) {
    const Model model = trained(method, kGaussian);
    SharedExpansion shared(test, Threads{2});
    const auto pair = shared.expanded(model, nullptr);
    ASSERT_TRUE(pair) << method;
    EXPECT_EQ(pair->test.x.cols(), 7 + 150) << method;
    EXPECT_EQ(scores_of(pair->model, pair->test), scores_of(model, test)) << method;
  }
}

TEST(SharedExpansion, ExpandsRowsOnceForEqualFeaturesAndAnewForOthers) {
  const Dataset test = rows_for(2);
  SharedExpansion shared(test, Threads{1});
  const auto rows_of = [&](const Model& model) {
    return shared.expanded(model, nullptr)->test.x.dense().data();
  };
  auto weaker = kGaussian, wider = kGaussian;
  weaker["rho"] = "0.5";
  wider["width"] = "0.3";
  const auto first = rows_of(trained("mgd", kGaussian));
  EXPECT_EQ(rows_of(trained("mgd", weaker)), first);
  const Model other = trained("mgd", wider);
  const auto pair = shared.expanded(other, nullptr);
  EXPECT_EQ(scores_of(pair->model, pair->test), scores_of(other, test));
}

TEST(SharedExpansion, HasNothingForModelsWithoutGaussianFeatures) {
  const Dataset test = rows_for(2);
  SharedExpansion shared(test, Threads{1});
  EXPECT_FALSE(shared.expanded(trained("mgd", {}), nullptr));
}

}  // namespace
}  // namespace mugrad
