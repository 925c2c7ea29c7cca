// SPDX-License-Identifier: MIT
#include "objective/logistic.h"

#include <mugrad/objective/linear_tasks.h>

#include <gtest/gtest.h>

#include <utility>

namespace mugrad {
namespace {

/// Rows in the order of their labels: sums grow to their largest before they fall again.
TEST(LinearTasks, SinglePrecisionSumsOfVeryManyRowsKeepTheirDigits) {
  constexpr Index kRows = 400'000;
  ThreadPool pool({2});
  BinaryMatrix labels;
  CsrMatrix<double> sparse;
  sparse.cols = 2;
  Matrix<double> dense(kRows, 2);
  labels.cols = 1;
  for (Index i = 0; i < kRows; ++i) {
    const bool positive = i >= kRows * 9 / 10;
    dense(i, 0) = 0.1 + 0.2 * static_cast<double>(i % 7);
    sparse.column.push_back(0);
    sparse.value.push_back(dense(i, 0));
    sparse.end_row();
    if (positive) labels.column.push_back(0);
    labels.end_row();
  }
  for (const Features& x : {Features(dense), Features(sparse)}) {
    const auto gradient_of = [&]<class Real>(Real) {
      const auto tasks = linear_tasks<Real>(x, {}, labels, {}, pool);
      Matrix<Real> weights(3, 1);
      weights(0, 0) = static_cast<Real>(LogisticLoss::log_odds(kRows / 10, kRows));
      Matrix<Real> gradient(3, 1);
      tasks->gradient({}, weights, gradient, {});
      return std::pair<double, double>(gradient(0, 0), gradient(1, 0));
    };
    const auto [intercept, slope] = gradient_of(0.0);
    const auto [float_intercept, float_slope] = gradient_of(0.0F);
    EXPECT_NEAR(float_intercept, intercept, 1e-6);
    EXPECT_NEAR(float_slope, slope, 1e-6);
  }
}

}  // namespace
}  // namespace mugrad
