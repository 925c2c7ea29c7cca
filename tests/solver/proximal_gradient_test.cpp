// SPDX-License-Identifier: MIT
#include "solver/proximal_gradient.h"

#include "support/label_rows.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::dense_rows;
using testing::product;
using testing::sum;

/// 1/2 <W, H W> - <B, W>.
class PlainQuadratic final : public QuadraticFunction {
 public:
  PlainQuadratic(Matrix<double> hessian, Matrix<double> linear)
      : hessian_(std::move(hessian)), linear_(std::move(linear)) {}

  double evaluate(const Matrix<double>& weights, Matrix<double>& gradient) override {
    ++evaluations;
    gradient = sum(product(hessian_, weights), linear_, -1);
    return testing::inner_product(weights, sum(gradient, linear_, -1)) / 2;
  }

  int evaluations = 0;

 private:
  Matrix<double> hessian_, linear_;
};

/// Of a random matrix with more columns than rows by `missing`, so that so many directions are
/// flat.
Matrix<double> random_hessian(Index size, Index missing) {
  const Matrix<double> half = testing::random_weights(size - missing, size, 5);
  return product(testing::transposed(half), half);
}

Matrix<double> uniform_curvature(const Matrix<double>& hessian, Index columns) {
  return Matrix<double>(hessian.rows(), columns, testing::spectral_norm(hessian));
}

Sparsity same_price(Index rows, double price) {
  return {.penalty = std::vector<double>(static_cast<std::size_t>(rows), price)};
}

TEST(ProximalGradient, FindsWhatTheConditionsOfAMinimumRequire) {
  for (const Index missing : {0, 3}) {
    const Matrix<double> hessian = random_hessian(8, missing);
    PlainQuadratic q(hessian, product(hessian, testing::random_weights(8, 3, 7)));
    const Sparsity sparsity = same_price(8, 0.05);
    Matrix<double> weights = testing::random_weights(8, 3, 9);
    const auto report = minimise(q, sparsity, uniform_curvature(hessian, 3), weights,
                                 {.tolerance = 0, .max_iterations = 20000});
    EXPECT_EQ(report.stop, Stop::converged);
    EXPECT_LT(report.residual, 1e-6);
    Matrix<double> gradient(8, 3);
    const double value = q.evaluate(weights, gradient);
    EXPECT_NEAR(report.objective, value + sparsity.cost(weights), 1e-12);
    EXPECT_NEAR(report.residual, testing::off_minimum(weights, gradient, 0.05), 1e-12);
  }
}

TEST(ProximalGradient, NeedsOneEvaluationPerIteration) {
  const Matrix<double> hessian = random_hessian(6, 0);
  PlainQuadratic q(hessian, testing::random_weights(6, 2, 7));
  Matrix<double> weights(6, 2);
  const auto report = minimise(q, same_price(6, 0), uniform_curvature(hessian, 2), weights, {});
  EXPECT_EQ(q.evaluations, report.iterations + 1);
}

TEST(ProximalGradient, NeverEndsAboveItsStart) {
  const Matrix<double> hessian = random_hessian(8, 2);
  const Matrix<double> curvature = uniform_curvature(hessian, 3);
  PlainQuadratic q(hessian, product(hessian, testing::random_weights(8, 3, 7)));
  const Sparsity sparsity = same_price(8, 0.3);
  double last = std::numeric_limits<double>::infinity();
  for (Index iterations = 1; iterations < 60; ++iterations) {
    Matrix<double> weights = testing::random_weights(8, 3, 9);
    const auto report =
        minimise(q, sparsity, curvature, weights, {.tolerance = 0, .max_iterations = iterations});
    EXPECT_LE(report.objective, last);
    last = report.objective;
  }
}

TEST(ProximalGradient, StopsWhereAFunctionHasNoMinimum) {
  const Matrix<double> hessian = dense_rows({{2, 0}, {0, -0.1}});
  PlainQuadratic q(hessian, dense_rows({{1}, {0.5}}));
  Matrix<double> weights = dense_rows({{3}, {-2}});
  const auto report = minimise(q, same_price(2, 0.1), Matrix<double>(2, 1, 2.0), weights, {});
  EXPECT_EQ(report.stop, Stop::diverged);
  EXPECT_TRUE(report.is_unbounded);
  for (const double weight : weights.values()) EXPECT_TRUE(std::isfinite(weight));
}

TEST(ProximalGradient, FlatDirectionsAreNotTakenForDownwardOnes) {
  const Matrix<double> hessian = random_hessian(10, 7);
  PlainQuadratic q(hessian, product(hessian, testing::random_weights(10, 2, 7)));
  Matrix<double> weights = testing::random_weights(10, 2, 9);
  const auto report = minimise(q, same_price(10, 0), uniform_curvature(hessian, 2), weights,
                               {.tolerance = 0, .max_iterations = 5000});
  EXPECT_FALSE(report.is_unbounded);
}

TEST(ProximalGradient, HoldsADiagonalAtZero) {
  const Matrix<double> hessian = random_hessian(5, 0);
  PlainQuadratic q(hessian, product(hessian, testing::random_weights(5, 3, 7)));
  Sparsity sparsity = same_price(5, 0.01);
  sparsity.zero_diagonal = 2;
  Matrix<double> weights(5, 3);
  const auto report = minimise(q, sparsity, uniform_curvature(hessian, 3), weights,
                               {.tolerance = 0, .max_iterations = 20000});
  for (Index t = 0; t < 3; ++t) EXPECT_EQ(weights(2 + t, t), 0);
  EXPECT_NE(weights(2, 1), 0);
  EXPECT_LT(report.residual, 1e-6);
}

TEST(ProximalGradient, StopsWhenTheProgressAsksToStop) {
  struct Impatient final : Progress {
    bool update(double) override { return ++calls < 4; }
    int calls = 0;
  } progress;
  const Matrix<double> hessian = random_hessian(6, 0);
  PlainQuadratic q(hessian, testing::random_weights(6, 2, 7));
  Matrix<double> weights(6, 2);
  const auto report =
      minimise(q, same_price(6, 0), uniform_curvature(hessian, 2), weights, {}, &progress);
  EXPECT_EQ(report.stop, Stop::interrupted);
  EXPECT_EQ(report.iterations, 4);
}

TEST(ProximalGradient, StaysWhereNothingIsToBeGained) {
  const Matrix<double> hessian = random_hessian(6, 0);
  PlainQuadratic q(hessian, testing::random_weights(6, 2, 7));
  Matrix<double> weights(6, 2);
  const auto report = minimise(q, same_price(6, 100), uniform_curvature(hessian, 2), weights, {});
  EXPECT_EQ(report.stop, Stop::converged);
  EXPECT_EQ(weights, Matrix<double>(6, 2));
}

}  // namespace
}  // namespace mugrad
