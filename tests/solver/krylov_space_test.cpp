// SPDX-License-Identifier: MIT
#include "solver/krylov_space.h"

#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

constexpr Index kRows = 5;
constexpr Index kCols = 3;
constexpr Index kSize = kRows * kCols;

/// product = A x, both read as one vector, entry by entry.
void multiply(const Matrix<double>& a, const Matrix<double>& x, Matrix<double>& product) {
  for (Index i = 0; i < a.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < a.cols(); ++j) sum += a(i, j) * x.values()[static_cast<std::size_t>(j)];
    product.values()[static_cast<std::size_t>(i)] = sum;
  }
}

double length(const Matrix<double>& x) {
  double squares = 0;
  for (const double entry : x.values()) squares += entry * entry;
  return std::sqrt(squares);
}

/// |b - A x| / |b|.
double true_residual(const Matrix<double>& a, const Matrix<double>& x, const Matrix<double>& b) {
  Matrix<double> left(kRows, kCols);
  multiply(a, x, left);
  for (std::size_t k = 0; k < left.values().size(); ++k) left.values()[k] -= b.values()[k];
  return length(left) / length(b);
}

Matrix<double> identity_plus(const Matrix<double>& noise) {
  auto a = noise;
  for (Index i = 0; i < a.rows(); ++i) a(i, i) += 1;
  return a;
}

TEST(KrylovSpace, SolvesAnyRegularSystemAndKnowsItsResidualAtEveryStep) {
  ThreadPool pool({1});
  KrylovSpace<double> space(kRows, kCols, kSize, pool);
  Matrix<double> x(kRows, kCols);
  Matrix<double> product(kRows, kCols);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    // Far from symmetric, and with eigenvalues all over the place.
    const auto a = identity_plus(testing::random_weights(kSize, kSize, seed, 0.5));
    const auto b = testing::random_weights(kRows, kCols, seed + 100);
    space.begin(b);
    double before = 1;
    while (!space.is_exhausted() && space.size() < kSize) {
      multiply(a, space.last(), product);
      space.extend(product);
      space.solution(x);
      EXPECT_NEAR(space.relative_residual(), true_residual(a, x, b), 1e-10);
      EXPECT_LE(space.relative_residual(), before + 1e-12);
      before = space.relative_residual();
    }
    EXPECT_LE(true_residual(a, x, b), 1e-10);
  }
}

TEST(KrylovSpace, IsExhaustedAfterAsManyProductsAsThereAreEigenvalues) {
  ThreadPool pool({1});
  KrylovSpace<double> space(kRows, kCols, kSize, pool);
  const auto u = testing::random_weights(kSize, 1, 1);
  const auto v = testing::random_weights(kSize, 1, 2);
  Matrix<double> low_rank(kSize, kSize);
  for (Index i = 0; i < kSize; ++i) {
    for (Index j = 0; j < kSize; ++j) low_rank(i, j) = u(i, 0) * v(j, 0);
  }
  const auto a = identity_plus(low_rank);  // the eigenvalues 1 and 1 + v'u
  const auto b = testing::random_weights(kRows, kCols, 3);
  Matrix<double> x(kRows, kCols);
  Matrix<double> product(kRows, kCols);
  space.begin(b);
  while (!space.is_exhausted() && space.size() < kSize) {
    multiply(a, space.last(), product);
    space.extend(product);
  }
  EXPECT_EQ(space.size(), 2);
  space.solution(x);
  EXPECT_LE(true_residual(a, x, b), 1e-12);
}

TEST(KrylovSpace, AnswersZeroWithZero) {
  ThreadPool pool({1});
  KrylovSpace<double> space(kRows, kCols, kSize, pool);
  Matrix<double> product(kRows, kCols, 1);
  space.begin(testing::random_weights(kRows, kCols, 1));
  space.extend(product);
  space.begin(Matrix<double>(kRows, kCols));  // what went before is forgotten
  EXPECT_TRUE(space.is_exhausted());
  EXPECT_EQ(space.relative_residual(), 0);
  Matrix<double> x(kRows, kCols, 5);
  space.solution(x);
  EXPECT_EQ(x, Matrix<double>(kRows, kCols));
}

TEST(KrylovSpace, SurvivesASingularMatrix) {
  ThreadPool pool({1});
  KrylovSpace<double> space(kRows, kCols, kSize, pool);
  const auto b = testing::random_weights(kRows, kCols, 1);
  Matrix<double> product(kRows, kCols);  // the matrix is zero
  Matrix<double> x(kRows, kCols, 5);
  space.begin(b);
  space.extend(product);
  EXPECT_TRUE(space.is_exhausted());
  EXPECT_EQ(space.relative_residual(), 1);
  space.solution(x);
  EXPECT_EQ(x, Matrix<double>(kRows, kCols));
}

}  // namespace
}  // namespace mugrad
