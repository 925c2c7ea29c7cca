// SPDX-License-Identifier: MIT
#include "method/camel/label_lasso.h"

#include "support/label_rows.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

using testing::binary_rows;
using testing::random_problem;

double sign_of(const BinaryMatrix& labels, Index row, Index label) {
  return std::ranges::binary_search(labels.row(row), static_cast<LabelId>(label)) ? 1 : -1;
}

/// Y_k' (y_j - Y s), in plain loops over the examples.
double along_rest(const BinaryMatrix& labels, const Matrix<double>& s, Index j, Index k) {
  double sum = 0;
  for (Index row = 0; row < labels.rows(); ++row) {
    double rest = sign_of(labels, row, j);
    for (Index l = 0; l < labels.cols; ++l) rest -= sign_of(labels, row, l) * s(l, j);
    sum += sign_of(labels, row, k) * rest;
  }
  return sum;
}

Matrix<double> correlations(const BinaryMatrix& labels, int threads) {
  ThreadPool pool({threads});
  Stages stages(nullptr);
  return label_correlations(labels, stages, pool);
}

/// The conditions of optimality of every column.
void expect_optimal(const BinaryMatrix& labels) {
  const auto s = correlations(labels, 2);
  for (Index j = 0; j < labels.cols; ++j) {
    double largest = 0;
    for (Index k = 0; k < labels.cols; ++k) {
      if (k != j)
        largest = std::max(
            largest, std::fabs(along_rest(labels, Matrix<double>(labels.cols, labels.cols), j, k)));
    }
    const double strength = largest / 100;
    EXPECT_EQ(s(j, j), 0);
    for (Index k = 0; k < labels.cols; ++k) {
      if (k == j) continue;
      const double along = along_rest(labels, s, j, k);
      if (s(k, j) == 0) {
        EXPECT_LE(std::fabs(along), strength + 1e-5 * largest);
      } else {
        EXPECT_NEAR(along, std::copysign(strength, s(k, j)), 1e-5 * largest);
      }
    }
  }
}

TEST(LabelLasso, EveryColumnIsOptimal) {
  expect_optimal(random_problem({.rows = 60, .features = 1, .labels = 7}, 3).y);
  expect_optimal(
      random_problem({.rows = 200, .features = 1, .labels = 12, .label_probability = 0.03}, 4).y);
}

TEST(LabelLasso, CopiesAndConstantLabelsAreNoObstacle) {
  expect_optimal(
      binary_rows({{1, 1, 0, 0}, {0, 0, 0, 1}, {1, 1, 0, 1}, {0, 0, 0, 0}, {1, 1, 0, 0}}));
}

TEST(LabelLasso, WeightsOfALabelStandInItsColumn) {
  // Label 1 is label 0 but for one example; label 2 has nothing to do with either.
  const auto labels = binary_rows(
      {{1, 1, 1}, {1, 1, 0}, {0, 0, 1}, {0, 0, 0}, {1, 0, 1}, {1, 1, 0}, {0, 0, 1}, {0, 0, 0}});
  const auto agreement = signed_agreement(labels);
  const auto of_second = label_lasso(agreement, 1, lasso_strength(agreement, 1));
  const auto s = correlations(labels, 1);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(s(k, 1), of_second[static_cast<std::size_t>(k)]);
  EXPECT_GT(s(0, 1), 0.5);
}

TEST(LabelLasso, OneLabelFollowsFromNothing) {
  EXPECT_EQ(correlations(binary_rows({{1}, {0}}), 1)(0, 0), 0);
}

}  // namespace
}  // namespace mugrad
