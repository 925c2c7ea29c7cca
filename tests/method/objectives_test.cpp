// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using testing::largest_difference;
using testing::random_problem;
using ::testing::ThrowsMessage;

Dataset some_data() { return random_problem({.rows = 80, .features = 6, .labels = 5}, 1); }

MgdOptions exact() {
  return {.sigma = 0.3, .tolerance = 1e-10, .precision = Precision::double_precision};
}

const Matrix<double>& weights_of(const Model& model) {
  return std::get<Matrix<double>>(model.contents().weights);
}

double size_of(const Matrix<double>& matrix) {
  double sum = 0;
  for (const double value : matrix.values()) sum += std::fabs(value);
  return sum;
}

TEST(FitMgdObjective, SquaredLossGivesLinearScoresThatSeparateAsLogisticOnesDo) {
  const auto data = some_data();
  auto options = exact();
  options.loss = LossKind::squared;
  const auto model = fit(data, options);
  EXPECT_EQ(model.contents().head, Head(IndependentHead{Link::identity}));
  EXPECT_EQ(model.contents().report.solve->stop, "converged");
  EXPECT_EQ(model.contents().options.at("loss"), "squared");
  const auto scores = model.scores(data.x);
  for (Index t = 0; t < 5; ++t) {
    double positives = 0;
    double mean = 0;
    for (Index i = 0; i < data.rows(); ++i) {
      positives += std::ranges::binary_search(data.y.row(i), static_cast<LabelId>(t)) ? 1 : 0;
      mean += scores(i, t);
    }
    // The intercept is free and not transferred, so residuals sum to zero.
    EXPECT_NEAR(mean, positives, 1e-6);
  }
}

TEST(FitMgdObjective, SquaredLossTakesAnyFiniteThreshold) {
  EXPECT_EQ(fit(some_data(), {.loss = LossKind::squared, .threshold = -3}).contents().thresholds[0],
            -3);
}

TEST(FitMgdObjective, LabelWithOneClassScoresItsBaseRateUnderSquaredLoss) {
  auto data = some_data();
  data.y.cols = 6;  // label 5 never occurs
  const auto scores = fit(data, {.loss = LossKind::squared}).scores(data.x);
  for (Index i = 0; i < data.rows(); ++i) EXPECT_NEAR(scores(i, 5), 0.5 / 81, 1e-12);
}

TEST(FitMgdObjective, SmoothedL1ShrinksWeights) {
  const auto data = some_data();
  for (const auto loss : {LossKind::logistic, LossKind::squared}) {
    auto options = exact();
    options.loss = loss;
    const auto without = fit(data, options);
    options.l1 = 0.01;
    const auto with = fit(data, options);
    EXPECT_EQ(with.contents().report.solve->stop, "converged");
    EXPECT_LT(size_of(weights_of(with)), 0.99 * size_of(weights_of(without)));
  }
}

TEST(FitMgdObjective, PositiveWeightEqualsRepeatingPositives) {
  // With one label alone and a weight of 2, each positive example might as well stand there twice;
  // the L2 is per example and grows with their number.
  const auto data = random_problem({.rows = 60, .features = 4, .labels = 1}, 7);
  std::vector<Index> rows;
  for (Index i = 0; i < data.rows(); ++i) rows.insert(rows.end(), data.y.row(i).size() + 1, i);
  const auto repeated = select_rows(data, rows);
  const double growth = static_cast<double>(rows.size()) / 60;
  auto options = exact();
  options.sigma = 0;
  options.representation = RepresentationKind::none;
  options.rho = 0.1;
  const auto expected = fit(repeated, options);
  options.rho = 0.1 * growth;
  options.positive_weight = 2;
  EXPECT_LE(largest_difference(weights_of(fit(data, options)), weights_of(expected)), 1e-8);
}

TEST(FitMgdObjective, OneWeightForAllEqualsTheSamePerLabel) {
  auto data = some_data();
  data.y.cols = 6;  // one label is constant: weights are those of the labels that are left
  auto options = exact();
  options.positive_weight = 3;
  const auto one = fit(data, options);
  options.positive_weight = 1;
  options.positive_weights = {3, 3, 3, 3, 3, 7};
  EXPECT_EQ(weights_of(fit(data, options)), weights_of(one));
  options.sigma = 0;
  options.positive_weights = {1, 1, 5, 1, 1, 1};
  const auto changed = fit(data, options);
  options.positive_weights.clear();
  const auto plain = fit(data, options);
  for (Index t = 0; t < 5; ++t) {
    double largest = 0;
    for (Index k = 0; k < 6; ++k) {
      largest = std::max(largest, std::fabs(weights_of(changed)(k, t) - weights_of(plain)(k, t)));
    }
    EXPECT_EQ(largest > 1e-3, t == 2);
    EXPECT_EQ(largest > 1e-7, t == 2);
  }
}

TEST(FitMgdObjective, OptionsOutOfRangeAreRefusedWithTheirValue) {
  const auto data = some_data();
  const auto refused = [&](const MgdOptions& options, const std::string& words) {
    EXPECT_THAT([&] { fit(data, options); }, ThrowsMessage<UsageError>(HasSubstr(words)));
  };
  refused({.l1 = -1}, "l1 must be >= 0, got -1");
  refused({.l1_sharpness = 0}, "the sharpness of l1 must be > 0, got 0");
  refused({.positive_weight = 0}, "the weight of positives must be > 0, got 0");
  refused({.positive_weights = {1, 2}}, "there are 2 weights of positives for 5 labels");
  refused({.positive_weights = {1, 1, 1, -2, 1}},
          "the weight of positives of label '3' must be > 0, got -2");
  refused({.loss = LossKind::squared, .threshold = std::numeric_limits<double>::infinity()},
          "threshold must be finite, got inf");
}

TEST(LossNames, AreReadBackAndOthersRefused) {
  for (const auto loss : {LossKind::logistic, LossKind::squared}) {
    EXPECT_EQ(loss_named(to_string(loss)), loss);
  }
  EXPECT_THAT(
      [] { loss_named("hinge"); },
      ThrowsMessage<UsageError>("there is no loss 'hinge': choose one of logistic, squared"));
}

}  // namespace
}  // namespace mugrad
