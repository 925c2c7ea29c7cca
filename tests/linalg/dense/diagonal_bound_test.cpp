// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

/// The eigenvalues of Diag(diagonal) - a.
std::vector<double> slack(const Matrix<double>& a, const std::vector<double>& diagonal) {
  Matrix<double> rest(a.rows(), a.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    rest(i, i) = diagonal[static_cast<std::size_t>(i)];
    for (Index j = 0; j < a.cols(); ++j) rest(i, j) -= a(i, j);
  }
  return symmetric_eigen(rest).values;
}

Matrix<double> random_semidefinite(Index size, std::uint64_t seed) {
  const Matrix<double> half = testing::random_weights(size / 2 + 1, size, seed);
  return testing::product(testing::transposed(half), half);
}

TEST(DiagonalBound, IsAboveTheMatrixAndHardlyMoreThanNeeded) {
  for (const Index size : {1, 2, 7, 30}) {
    const Matrix<double> a = random_semidefinite(size, 3);
    auto bound = diagonal_bound(a);
    EXPECT_GE(slack(a, bound).front(), -1e-9);
    for (double& entry : bound) entry *= 0.97;
    EXPECT_LT(slack(a, bound).front(), 0);
  }
}

TEST(DiagonalBound, OfAnIndefiniteMatrixIsAboveItToo) {
  for (const Index size : {1, 2, 7, 30}) {
    Matrix<double> a = testing::random_weights(size, size, 4);
    a = testing::sum(a, testing::transposed(a));
    EXPECT_GE(slack(a, diagonal_bound_of_indefinite(a)).front(), -1e-9);
  }
}

TEST(DiagonalBound, OfNothingIsNothing) {
  EXPECT_TRUE(diagonal_bound(Matrix<double>()).empty());
  EXPECT_TRUE(diagonal_bound_of_indefinite(Matrix<double>()).empty());
  EXPECT_EQ(spectral_norm_bound(Matrix<double>()), 0);
  EXPECT_EQ(diagonal_bound(Matrix<double>(2, 2)), std::vector<double>(2, 0.0));
  EXPECT_EQ(diagonal_bound_of_indefinite(Matrix<double>(2, 2)), std::vector<double>(2, 0.0));
}

TEST(DiagonalBound, ARowOfZerosHasZero) {
  Matrix<double> a(3, 3);
  a(0, 0) = 2;
  a(2, 2) = 3;
  a(0, 2) = a(2, 0) = 1;
  const auto bound = diagonal_bound(a);
  EXPECT_EQ(bound[1], 0);
  EXPECT_GE(slack(a, bound).front(), -1e-12);
}

TEST(SpectralNormBound, IsAtMostOnePercentAboveTheNorm) {
  for (const Index cols : {1, 4, 20}) {
    const Matrix<double> a = testing::random_weights(12, cols, 6);
    const double norm = testing::spectral_norm(a);
    EXPECT_GE(spectral_norm_bound(a), norm * (1 - 1e-9));
    EXPECT_LE(spectral_norm_bound(a), 1.011 * norm);
  }
}

}  // namespace
}  // namespace mugrad
