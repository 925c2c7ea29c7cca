// SPDX-License-Identifier: MIT
#include "objective/coupled_squares.h"

#include "support/golden.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

using testing::inner_product;
using testing::product;
using testing::sum;
using testing::transposed;

/// More rows than a piece of work has, of which the last are not coupled.
struct Case {
  Matrix<double> a = testing::random_weights(60, 150, 1);
  Matrix<double> y = testing::random_weights(60, 4, 2);
  Matrix<double> coupling =
      sum(testing::random_weights(4, 4, 3), transposed(testing::random_weights(4, 4, 3)));
  Matrix<double> diagonal = testing::random_weights(150, 4, 4);
  Index coupled_rows = 140;

  SquaresParts parts() const {
    return {.gram = product(transposed(a), a),
            .products = product(transposed(a), y),
            .constant = inner_product(y, y) / 2,
            .coupling = coupling,
            .coupled_rows = coupled_rows,
            .diagonal = diagonal};
  }

  double value(const Matrix<double>& w) const {
    const Matrix<double> residual = sum(product(a, w), y, -1);
    double total = inner_product(residual, residual) / 2;
    const Matrix<double> related = product(w, coupling);
    for (Index k = 0; k < w.rows(); ++k) {
      for (Index t = 0; t < w.cols(); ++t) {
        if (k < coupled_rows) total += w(k, t) * related(k, t) / 2;
        total += diagonal(k, t) * w(k, t) * w(k, t) / 2;
      }
    }
    return total;
  }
};

TEST(CoupledSquares, HaveTheValueOfTheirDefinition) {
  const Case plain;
  ThreadPool pool({2});
  CoupledSquares q(plain.parts(), pool);
  const Matrix<double> w = testing::random_weights(150, 4, 9);
  Matrix<double> gradient(150, 4);
  EXPECT_NEAR(q.evaluate(w, gradient), plain.value(w), 1e-9 * std::fabs(plain.value(w)));
}

TEST(CoupledSquares, HaveTheGradientOfTheirValue) {
  const Case plain;
  ThreadPool pool({2});
  CoupledSquares q(plain.parts(), pool);
  const Matrix<double> w = testing::random_weights(150, 4, 9);
  Matrix<double> gradient(150, 4);
  q.evaluate(w, gradient);
  for (const Index k : {0, 77, 139, 140, 149}) {
    // Of a quadratic function the difference quotient is exact but for rounding.
    Matrix<double> above = w;
    Matrix<double> below = w;
    above(k, 2) += 0.5;
    below(k, 2) -= 0.5;
    EXPECT_NEAR(gradient(k, 2), plain.value(above) - plain.value(below), 1e-6);
  }
}

TEST(CoupledSquares, CurvatureNeverExceedsTheirBound) {
  const Case plain;
  ThreadPool pool({1});
  CoupledSquares q(plain.parts(), pool);
  const Matrix<double> bound = q.curvature();
  Matrix<double> at_zero(150, 4);
  q.evaluate(Matrix<double>(150, 4), at_zero);
  // Products with the Hessian turn a direction towards the one of largest curvature.
  Matrix<double> direction = testing::random_weights(150, 4, 11);
  for (int step = 0; step < 200; ++step) {
    Matrix<double> gradient(150, 4);
    q.evaluate(direction, gradient);
    const Matrix<double> bent = sum(gradient, at_zero, -1);
    double most = 0;
    for (std::size_t i = 0; i < bound.values().size(); ++i) {
      most += bound.values()[i] * direction.values()[i] * direction.values()[i];
    }
    ASSERT_LE(inner_product(direction, bent), most);
    const double length = std::sqrt(inner_product(bent, bent));
    direction = bent;
    for (double& entry : direction.values()) entry /= length;
  }
}

TEST(CoupledSquares, BoundOfAFeatureThatNeverOccursIsNotZero) {
  ThreadPool pool({1});
  const CoupledSquares q({.gram = Matrix<double>(2, 2), .products = Matrix<double>(2, 1)}, pool);
  const auto curvature = q.curvature();
  for (const double entry : curvature.values()) EXPECT_GT(entry, 0);
}

TEST(RidgeRegression, SolvesItsNormalEquations) {
  const Case plain;
  ThreadPool pool({2});
  const SquaresParts parts = plain.parts();
  const Matrix<double> w = ridge_regression(parts.gram, parts.products, 0.5, pool);
  const Matrix<double> left = sum(product(parts.gram, w), w, 0.5);
  EXPECT_LT(testing::largest_difference(left, parts.products), 1e-8);
}

}  // namespace
}  // namespace mugrad
