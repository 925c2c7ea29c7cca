// SPDX-License-Identifier: MIT
#include "learner/row_regression.h"

#include "support/random_problem.h"

#include <mugrad/data/representation.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/transfer/transfer.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::random_problem;

constexpr Stopping kExact = {.tolerance = 1e-11};

/// The same regression by the solver of all tasks, on a data set of these rows alone.
Matrix<double> reference(const Features& x, const FeatureTransform& transform,
                         const std::vector<std::int32_t>& positives,
                         const std::vector<std::int32_t>& negatives, double rho) {
  std::vector<Index> rows(positives.begin(), positives.end());
  rows.insert(rows.end(), negatives.begin(), negatives.end());
  BinaryMatrix labels{.cols = 1};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i < positives.size()) labels.column.push_back(0);
    labels.end_row();
  }
  ThreadPool pool({1});
  const auto tasks =
      linear_tasks<double>(select_rows(x, rows), transform, labels, {.rho = rho}, pool);
  const auto transfer = scalar_transfer<double>(no_transfer(1).mbar, Intercepts::own, pool);
  Matrix<double> weights(x.cols() + 1, 1);
  find_equilibrium<double>(*tasks, *transfer, weights, {.stopping = kExact}, pool);
  return weights;
}

/// From a solved regression to intercept and weights of every feature.
Matrix<double> weights_of(const RowRegression& regression, Index features) {
  Matrix<double> weights(features + 1, 1);
  weights(0, 0) = regression.intercept();
  for (std::size_t k = 0; k < regression.weights().size(); ++k) {
    weights(regression.features()[k] + 1, 0) = regression.weights()[k];
  }
  return weights;
}

TEST(RowRegression, EqualsTheRegressionOnADataSetOfItsRowsAlone) {
  const auto data =
      random_problem({.rows = 60, .features = 12, .labels = 1, .feature_probability = 0.5}, 7);
  const std::vector<std::int32_t> positives = {1, 4, 9, 16, 25, 36, 49}, negatives = {2, 3, 5, 7};
  for (const auto kind : representation_kinds()) {
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      const auto transform = feature_transform(fit_representation(x, kind));
      const Design<double> design(x, transform);
      RowRegression regression(design);
      const auto result = regression.solve(positives, negatives, 0.02, kExact);
      EXPECT_EQ(result.stop, Stop::converged);
      const auto expected = reference(x, transform, positives, negatives, 0.02);
      const auto found = weights_of(regression, x.cols());
      for (Index k = 0; k < expected.rows(); ++k) {
        EXPECT_NEAR(found(k, 0), expected(k, 0), 1e-8) << to_string(kind) << ' ' << k;
      }
    }
  }
}

TEST(RowRegression, WhatWasSolvedBeforeLeavesNoTrace) {
  const auto data = random_problem({.rows = 30, .features = 4, .labels = 1}, 8);
  const Design<double> design(as_sparse(data.x), {});
  const std::vector<std::int32_t> a = {0, 1, 2, 3, 4}, b = {5, 6}, c = {7, 8, 9};
  RowRegression fresh(design), used(design);
  used.solve(a, b, 0.5, {});
  used.solve(b, c, 0.1, {});
  fresh.solve(b, c, 0.1, {});
  EXPECT_EQ(weights_of(used, 4), weights_of(fresh, 4));
}

TEST(RowRegression, SeparableRowsWithoutPenaltyComeToAnEnd) {
  const auto data = random_problem({.rows = 10, .features = 30, .labels = 1}, 9);
  const Design<double> design(data.x, {});
  const std::vector<std::int32_t> positives = {0, 1, 2}, negatives = {3, 4, 5, 6};
  for (const double tolerance : {1e-4, 0.0}) {
    RowRegression regression(design);
    const auto result = regression.solve(positives, negatives, 0, {.tolerance = tolerance});
    EXPECT_LT(result.residual, 1e-3 * result.first_residual);
    for (const double weight : regression.weights()) EXPECT_TRUE(std::isfinite(weight));
  }
}

TEST(RowRegression, OneRowOfEachClassAndFeaturesThatSayNothing) {
  const Design<double> design(Features(Matrix<double>(4, 3)), {});
  const std::vector<std::int32_t> positives = {0}, negatives = {1, 2};
  RowRegression regression(design);
  const auto result = regression.solve(positives, negatives, 0.01, kExact);
  EXPECT_NEAR(regression.intercept(), std::log(0.5), 1e-8);
  EXPECT_NEAR(result.value, -(std::log(1 / 3.0) + 2 * std::log(2 / 3.0)) / 3, 1e-12);
}

TEST(RowRegression, SaysWhenItMayNotGoOn) {
  const auto data = random_problem({.rows = 30, .features = 4, .labels = 1}, 8);
  const Design<double> design(data.x, {});
  const std::vector<std::int32_t> a = {0, 1, 2, 3, 4}, b = {5, 6, 7, 8};
  RowRegression regression(design);
  const auto result = regression.solve(a, b, 0.01, {.tolerance = 1e-8, .max_iterations = 1});
  EXPECT_EQ(result.stop, Stop::iteration_limit);
  EXPECT_GT(result.residual, 1e-8 * result.first_residual);
}

}  // namespace
}  // namespace mugrad
