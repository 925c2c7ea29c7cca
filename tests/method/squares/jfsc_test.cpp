// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/jfsc.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::all_weights;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::PlainSquares;
using testing::product;
using testing::sum;
using testing::transposed;

JfscOptions exact(double relation, double fisher, double sparsity) {
  return {.relation = relation,
          .fisher = fisher,
          .sparsity = sparsity,
          .smoothing = 0.01,
          .tolerance = 1e-13,
          .max_iterations = 100000};
}

/// The gradient of the sum of distances: each row of A' times its residual's direction.
Matrix<double> distance_slope(const PlainSquares& plain, const Matrix<double>& w,
                              double smoothing) {
  Matrix<double> residual = sum(product(plain.a, w), plain.y, -1);
  for (Index i = 0; i < residual.rows(); ++i) {
    double squares = 0;
    for (const double entry : residual.row(i)) squares += entry * entry;
    for (double& entry : residual.row(i)) entry /= std::fmax(std::sqrt(squares), smoothing);
  }
  return product(transposed(plain.a), residual);
}

double sum_of_distances(const PlainSquares& plain, const Matrix<double>& w) {
  const Matrix<double> residual = sum(product(plain.a, w), plain.y, -1);
  double total = 0;
  for (Index i = 0; i < residual.rows(); ++i) {
    double squares = 0;
    for (const double entry : residual.row(i)) squares += entry * entry;
    total += std::sqrt(squares);
  }
  return total;
}

/// S as the method is described: per column of A and label, n (v + v' - (m - m')^2).
Matrix<double> plain_scatter(const PlainSquares& plain) {
  Matrix<double> scatter(plain.a.cols(), plain.y.cols());
  for (Index k = 0; k < scatter.rows(); ++k) {
    for (Index t = 0; t < scatter.cols(); ++t) {
      double count[2] = {}, mean[2] = {}, variance[2] = {};
      const auto side = [&](Index i) { return plain.y(i, t) > 0 ? 1 : 0; };
      for (Index i = 0; i < plain.a.rows(); ++i) {
        ++count[side(i)];
        mean[side(i)] += plain.a(i, k);
      }
      for (const int s : {0, 1}) mean[s] /= count[s];
      for (Index i = 0; i < plain.a.rows(); ++i) {
        const double off = plain.a(i, k) - mean[side(i)];
        variance[side(i)] += off * off / count[side(i)];
      }
      const double apart = mean[1] - mean[0];
      scatter(k, t) = count[1] * (variance[0] + variance[1] - apart * apart);
    }
  }
  return scatter;
}

double cost(const Matrix<double>& w, double price) {
  double total = 0;
  for (const double weight : w.values()) total += price * std::fabs(weight);
  return total;
}

TEST(Jfsc, MeetsTheConditionsOfAMinimumOfDistancesAndCosts) {
  const auto data = testing::random_problem({.rows = 60, .features = 6, .labels = 4}, 3);
  const PlainSquares plain(data);
  const auto model = fit(data, exact(0, 0, 0.8));
  const auto weights = all_weights(model);
  EXPECT_LT(testing::off_minimum(weights, distance_slope(plain, weights, 0.01), 0.8), 1e-4);
  EXPECT_GT(testing::nonzeros(weights), 0);
  EXPECT_EQ(model.contents().report.solve->stop, "converged");
}

TEST(Jfsc, OfOneLabelIsLeastAbsoluteDeviationsWithCosts) {
  const auto data = testing::random_problem({.rows = 40, .features = 4, .labels = 1}, 3);
  const PlainSquares plain(data);
  JfscOptions options = exact(1, 0, 0.5);
  options.smoothing = 1e-3;
  const auto weights = all_weights(fit(data, options));
  EXPECT_LT(testing::off_minimum(weights, distance_slope(plain, weights, 1e-3), 0.5), 1e-3);
  // No step along a coordinate lessens the deviations themselves, smoothing aside: it changes
  // each of 40 by half a thousandth at the most.
  const double here = sum_of_distances(plain, weights) + cost(weights, 0.5);
  for (Index k = 0; k < weights.rows(); ++k) {
    for (double step = 1e-3; step < 2; step *= 2) {
      for (const double way : {step, -step}) {
        Matrix<double> moved = weights;
        moved(k, 0) += way;
        EXPECT_GE(sum_of_distances(plain, moved) + cost(moved, 0.5), here - 40 * 0.5e-3);
      }
    }
  }
}

TEST(Jfsc, OfOneLabelWithoutInformationIsTheMedian) {
  Dataset data{.name = "two thirds", .x = Matrix<double>(30, 2)};
  data.y.cols = 1;
  for (Index i = 0; i < 30; ++i) {
    if (i % 3 != 0) data.y.column.push_back(0);
    data.y.end_row();
  }
  EXPECT_NEAR(fit(data, exact(0, 0, 0.01)).scores(data.x)(0, 0), 1, 0.01);
}

TEST(Jfsc, MeetsTheConditionsOfAMinimumWithRelationsAndScatter) {
  const auto data = testing::random_problem({.rows = 60, .features = 6, .labels = 4}, 3);
  const PlainSquares plain(data);
  const auto model = fit(data, exact(0.5, 0.3, 0.2));
  const auto weights = all_weights(model);
  const auto fisher = plain_scatter(plain);
  auto slope = sum(distance_slope(plain, weights, 0.01), product(weights, plain.laplacian(0.5)));
  for (std::size_t i = 0; i < slope.values().size(); ++i) {
    slope.values()[i] += 0.3 * std::fmax(0.0, fisher.values()[i]) * weights.values()[i];
  }
  EXPECT_LT(testing::off_minimum(weights, slope, 0.2), 1e-4);
}

TEST(Jfsc, TellsThatTheAuthorsRelationLeavesNoMinimumAndStops) {
  const auto data = testing::random_problem({.rows = 30, .features = 6, .labels = 4}, 3);
  JfscOptions options = exact(50, 0, 0.01);
  options.indefinite = true;
  const auto model = fit(data, options);
  EXPECT_EQ(model.contents().report.solve->stop, "diverged");
  EXPECT_THAT(model.contents().report.warnings, Contains(HasSubstr("unbounded below")));
  const auto scores = model.scores(data.x);
  for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
}

TEST(Jfsc, IsTheSameForDenseAndSparseFeaturesHoweverScaled) {
  const auto data = testing::random_problem(
      {.rows = 50, .features = 5, .labels = 3, .feature_probability = 0.5}, 3);
  Dataset sparse = data;
  sparse.x = testing::as_sparse(data.x);
  for (const auto representation : {RepresentationKind::unit_row, RepresentationKind::zscore}) {
    JfscOptions options = exact(0.1, 0.1, 0.3);
    options.representation = representation;
    EXPECT_LT(testing::largest_difference(fit(sparse, options).scores(sparse.x),
                                          fit(data, options).scores(data.x)),
              1e-4);
  }
}

TEST(Jfsc, LabelsOfOneClassPredictTheirRate) {
  auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  data.y.cols = 4;
  const auto model = fit(data, JfscOptions{});
  EXPECT_DOUBLE_EQ(model.scores(data.x)(7, 3), 0.5 / 41);
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(3));
}

TEST(Jfsc, TrainsOnHardlyAnything) {
  for (const Index rows : {1, 2, 3}) {
    const auto data = testing::random_problem({.rows = rows, .features = 3, .labels = 2}, 3);
    const auto model = fit(data, JfscOptions{});
    const auto scores = model.scores(data.x);
    for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
  }
}

TEST(Jfsc, StopsWhenItsProgressAsksToStop) {
  struct Impatient final : Progress {
    bool update(double) override { return false; }
  } progress;
  const auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  EXPECT_THROW(fit(data, JfscOptions{}, &progress), InterruptedError);
}

TEST(Jfsc, RefusesOptionsOutOfRange) {
  const auto data = testing::random_problem({.rows = 10, .features = 2, .labels = 2}, 3);
  EXPECT_THROW(fit(data, JfscOptions{.fisher = -1}), UsageError);
  EXPECT_THROW(fit(data, JfscOptions{.smoothing = 0}), UsageError);
}

/// A label that the sign of the one feature tells exactly: its means are far apart.
Dataset telling_data() {
  Dataset data{.name = "telling", .x = Matrix<double>(40, 2)};
  data.y.cols = 1;
  for (Index i = 0; i < 40; ++i) {
    data.x.dense()(i, 0) = i % 2 == 0 ? 1 : -1;
    data.x.dense()(i, 1) = 0.1 * static_cast<double>(i % 5);
    if (i % 2 == 0) data.y.column.push_back(0);
    data.y.end_row();
  }
  return data;
}

TEST(Jfsc, FeaturesThatTellClassesApartHaveNegativeScatterWhichCountsAsNone) {
  const auto data = telling_data();
  const PlainSquares plain(data);
  const auto scatter = plain_scatter(plain);
  ASSERT_LT(scatter(1, 0), -1);
  const auto model = fit(data, exact(0, 0.5, 0.2));
  const auto weights = all_weights(model);
  auto slope = distance_slope(plain, weights, 0.01);
  for (std::size_t i = 0; i < slope.values().size(); ++i) {
    slope.values()[i] += 0.5 * std::fmax(0.0, scatter.values()[i]) * weights.values()[i];
  }
  EXPECT_LT(testing::off_minimum(weights, slope, 0.2), 1e-3);
}

TEST(Jfsc, NegativeScatterLeavesNoMinimumAndTheWarningSaysThatItIsTheScatter) {
  const auto data = telling_data();
  JfscOptions options = exact(0, 100, 0.01);
  options.indefinite = true;
  const auto model = fit(data, options);
  EXPECT_EQ(model.contents().report.solve->stop, "diverged");
  EXPECT_THAT(model.contents().report.warnings,
              Contains(::testing::AllOf(HasSubstr("unbounded below"),
                                        HasSubstr("the scatter of features"))));
  EXPECT_THAT(model.contents().report.warnings, Not(Contains(HasSubstr("1 - cosine"))));
  const auto scores = model.scores(data.x);
  for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
}

TEST(Jfsc, ScatterThatIsSmallBesideTheCurvatureOfDistancesMayBeNegative) {
  const auto data = telling_data();
  const PlainSquares plain(data);
  const auto scatter = plain_scatter(plain);
  JfscOptions options = exact(0, 0.01, 0.5);
  options.indefinite = true;
  const auto weights = all_weights(fit(data, options));
  auto slope = distance_slope(plain, weights, 0.01);
  for (std::size_t i = 0; i < slope.values().size(); ++i) {
    slope.values()[i] += 0.01 * scatter.values()[i] * weights.values()[i];
  }
  EXPECT_LT(testing::off_minimum(weights, slope, 0.5), 1e-3);
}

TEST(Jfsc, ProgressIsUpdatedWithinTheStepsOfARound) {
  struct Counter final : Progress {
    bool update(double) override { return ++calls > 0; }
    int calls = 0;
  } counter;
  const auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  const auto model = fit(data, JfscOptions{}, &counter);
  EXPECT_GT(counter.calls, model.contents().report.solve->effort / 2);
}

}  // namespace
}  // namespace mugrad
