// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/data/scaling.h>
#include <mugrad/objective/logistic.h>
#include <mugrad/objective/logistic_tasks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::largest_difference;
using testing::random_problem;
using testing::random_weights;

/// Values and gradient of equation (1) as plain loops, on explicitly transformed features.
struct PlainResult {
  Matrix<double> gradient;
  std::vector<double> values;
};

std::vector<double> plain_row(const Features& x, const FeatureTransform& transform, Index i) {
  std::vector<double> row(static_cast<std::size_t>(x.cols()), 0);
  x.for_each_in_row(i, [&](FeatureId k, double v) { row[static_cast<std::size_t>(k)] = v; });
  const double row_factor = transform.unit_rows ? unit_row_factor(x, i) : 1;
  for (std::size_t k = 0; k < row.size(); ++k) {
    row[k] *= row_factor;
    if (!transform.shift.empty()) row[k] = (row[k] - transform.shift[k]) * transform.factor[k];
  }
  return row;
}

PlainResult plain_reference(const Features& x, const FeatureTransform& transform,
                            const BinaryMatrix& labels, double rho, const Matrix<double>& w) {
  const double n = static_cast<double>(x.rows());
  PlainResult result{Matrix<double>(w.rows(), w.cols()),
                     std::vector<double>(static_cast<std::size_t>(w.cols()))};
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row = plain_row(x, transform, i);
    for (LabelId t = 0; t < labels.cols; ++t) {
      double z = w(0, t);
      for (std::size_t k = 0; k < row.size(); ++k) z += row[k] * w(static_cast<Index>(k) + 1, t);
      const bool positive = std::ranges::binary_search(labels.row(i), t);
      result.values[static_cast<std::size_t>(t)] +=
          (std::log(1 + std::exp(z)) - (positive ? z : 0)) / n;
      const double r = (1 / (1 + std::exp(-z)) - (positive ? 1 : 0)) / n;
      result.gradient(0, t) += r;
      for (std::size_t k = 0; k < row.size(); ++k) {
        result.gradient(static_cast<Index>(k) + 1, t) += r * row[k];
      }
    }
  }
  for (Index k = 1; k < w.rows(); ++k) {
    for (Index t = 0; t < w.cols(); ++t) {
      result.gradient(k, t) += rho * w(k, t);
      result.values[static_cast<std::size_t>(t)] += rho / 2 * w(k, t) * w(k, t);
    }
  }
  return result;
}

TEST(LogisticLoss, IsStableForLargeScores) {
  EXPECT_DOUBLE_EQ(LogisticLoss::value(1000.0, false), 1000);
  EXPECT_DOUBLE_EQ(LogisticLoss::value(1000.0, true), 0);
  EXPECT_DOUBLE_EQ(LogisticLoss::value(-1000.0, true), 1000);
  EXPECT_DOUBLE_EQ(LogisticLoss::derivative(-1000.0, false), 0);
  EXPECT_FLOAT_EQ(LogisticLoss::derivative(-1000.0F, true), -1);
}

TEST(LogisticLoss, DerivativesAreThoseOfTheValue) {
  constexpr double kStep = 1e-5;
  for (double z = -4; z <= 4; z += 0.5) {
    for (const bool positive : {false, true}) {
      const double slope =
          (LogisticLoss::value(z + kStep, positive) - LogisticLoss::value(z - kStep, positive)) /
          (2 * kStep);
      EXPECT_NEAR(LogisticLoss::derivative(z, positive), slope, 1e-9);
      const double bend = (LogisticLoss::derivative(z + kStep, positive) -
                           LogisticLoss::derivative(z - kStep, positive)) /
                          (2 * kStep);
      EXPECT_NEAR(LogisticLoss::second_derivative(z), bend, 1e-9);
      EXPECT_LE(LogisticLoss::second_derivative(z), LogisticLoss::kCurvature);
    }
  }
}

/// Shapes at and around where panels and chunks of the pass end.
const testing::ProblemShape kShapes[] = {
    {.rows = 1, .features = 3, .labels = 2},    {.rows = 40, .features = 1, .labels = 1},
    {.rows = 63, .features = 4, .labels = 63},  {.rows = 64, .features = 4, .labels = 64},
    {.rows = 65, .features = 4, .labels = 65},  {.rows = 257, .features = 7, .labels = 129},
    {.rows = 700, .features = 9, .labels = 3},  {.rows = 2100, .features = 3, .labels = 5},
    {.rows = 50, .features = 130, .labels = 6}, {.rows = 30, .features = 3, .labels = 300},
};

void expect_plain_reference(const Dataset& data, ScalingKind kind) {
  const auto weights = random_weights(data.features() + 1, data.labels(), 3);
  const auto transform = feature_transform(fit_scaling(data.x, kind));
  const auto expected = plain_reference(data.x, transform, data.y, 0.1, weights);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    ThreadPool pool({2});
    const auto tasks = logistic_tasks<double>(x, transform, data.y, 0.1, pool);
    Matrix<double> gradient(weights.rows(), weights.cols());
    std::vector<double> values(expected.values.size());
    tasks->gradient(weights, gradient, values);
    // Means of at most 2100 terms of order one.
    EXPECT_LE(largest_difference(gradient, expected.gradient), 1e-12);
    for (std::size_t t = 0; t < values.size(); ++t) {
      EXPECT_NEAR(values[t], expected.values[t], 1e-12);
    }
  }
}

TEST(LogisticTasks, EveryPassEqualsThePlainReference) {
  for (auto shape : kShapes) {
    for (const double density : {1.0, 0.2}) {
      shape.feature_probability = density;
      const auto data = random_problem(shape, 11);
      for (const auto kind : {ScalingKind::none, ScalingKind::zscore, ScalingKind::unit_row}) {
        expect_plain_reference(data, kind);
      }
    }
  }
}

TEST(LogisticTasks, HessianProductIsTheDerivativeOfTheGradient) {
  constexpr double kStep = 1e-5;
  const auto data = random_problem({.rows = 90, .features = 6, .labels = 70}, 5);
  const auto transform = feature_transform(fit_scaling(data.x, ScalingKind::zscore));
  const auto weights = random_weights(7, 70, 1);
  const auto direction = random_weights(7, 70, 2, 1);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    ThreadPool pool({1});
    const auto tasks = logistic_tasks<double>(x, transform, data.y, 0.1, pool);
    auto ahead = weights;
    auto behind = weights;
    for (std::size_t k = 0; k < ahead.values().size(); ++k) {
      ahead.values()[k] += kStep * direction.values()[k];
      behind.values()[k] -= kStep * direction.values()[k];
    }
    Matrix<double> product(7, 70);
    Matrix<double> up(7, 70);
    Matrix<double> down(7, 70);
    tasks->hessian_product(weights, direction, product);
    tasks->gradient(ahead, up, {});
    tasks->gradient(behind, down, {});
    for (std::size_t k = 0; k < up.values().size(); ++k) {
      EXPECT_NEAR(product.values()[k], (up.values()[k] - down.values()[k]) / (2 * kStep), 1e-8);
    }
  }
}

TEST(LogisticTasks, SinglePrecisionFollowsDouble) {
  const auto data = random_problem({.rows = 500, .features = 20, .labels = 10}, 8);
  ThreadPool pool({1});
  const auto exact = logistic_tasks<double>(data.x, {}, data.y, 0.1, pool);
  const auto single = logistic_tasks<float>(data.x, {}, data.y, 0.1, pool);
  const auto weights = random_weights(21, 10, 4);
  Matrix<float> rounded(21, 10);
  for (std::size_t k = 0; k < weights.values().size(); ++k) {
    rounded.values()[k] = static_cast<float>(weights.values()[k]);
  }
  Matrix<double> expected(21, 10);
  Matrix<float> actual(21, 10);
  exact->gradient(weights, expected, {});
  single->gradient(rounded, actual, {});
  for (std::size_t k = 0; k < expected.values().size(); ++k) {
    EXPECT_NEAR(static_cast<double>(actual.values()[k]), expected.values()[k], 1e-5);
  }
}

TEST(LogisticTasks, ThreadsDoNotChangeASingleBit) {
  for (const auto& shape : kShapes) {
    const auto data = random_problem(shape, 21);
    const auto weights = random_weights(shape.features + 1, shape.labels, 9);
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      std::vector<Matrix<double>> results;
      for (const int threads : {1, 2, 4}) {
        ThreadPool pool({threads});
        const auto tasks = logistic_tasks<double>(x, {}, data.y, 0.1, pool);
        results.emplace_back(weights.rows(), weights.cols());
        tasks->gradient(weights, results.back(), {});
      }
      EXPECT_EQ(results[0], results[1]);
      EXPECT_EQ(results[0], results[2]);
    }
  }
}

/// The steepest curvature of any task at a point, found by power steps.
double steepest(TaskSet<double>& tasks, const Matrix<double>& at, Matrix<double> direction) {
  Matrix<double> product(at.rows(), at.cols());
  double largest = 0;
  for (int step = 0; step < 50; ++step) {
    tasks.hessian_product(at, direction, product);
    for (Index t = 0; t < at.cols(); ++t) {
      double squares = 0;
      double curvature = 0;
      for (Index k = 0; k < at.rows(); ++k) {
        squares += direction(k, t) * direction(k, t);
        curvature += direction(k, t) * product(k, t);
      }
      largest = std::max(largest, curvature / squares);
    }
    direction = product;
  }
  return largest;
}

TEST(LogisticTasks, CurvatureBoundsEveryHessian) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto data = random_problem({.rows = 30, .features = 6, .labels = 3}, seed);
    ThreadPool pool({1});
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      const auto tasks = logistic_tasks<double>(x, {}, data.y, 0.1, pool);
      const auto direction = random_weights(7, 3, seed + 100, 1);
      EXPECT_LE(steepest(*tasks, random_weights(7, 3, seed, 0.1), direction), tasks->curvature());
      // At zero every example weighs a quarter: there the bound is reached, up to its margin and
      // the rho that it counts for the intercept too.
      EXPECT_GE(1.03 * steepest(*tasks, Matrix<double>(7, 3), direction) + 0.1, tasks->curvature());
    }
  }
}

}  // namespace
}  // namespace mugrad
