// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"

#include <mugrad/core/random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mugrad {
namespace {

/// The lower triangle of a random symmetric matrix; the rest must not be read.
Matrix<double> lower_triangle(Index n, std::uint64_t seed) {
  RandomStream random(seed, "symmetric");
  Matrix<double> a(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) a(i, j) = j <= i ? random.normal() : 1e6;
  }
  return a;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

void expect_orthonormal(const Matrix<double>& rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      EXPECT_NEAR(dot(rows.row(i), rows.row(j)), i == j ? 1 : 0, 1e-12);
    }
  }
}

// Below and above the size at which LAPACK begins to divide.
class SymmetricEigenOfSize : public ::testing::TestWithParam<Index> {};

TEST_P(SymmetricEigenOfSize, MultipliesBackToTheMatrix) {
  const Index n = GetParam();
  const auto a = lower_triangle(n, 5);
  const auto eigen = symmetric_eigen(a);
  EXPECT_TRUE(std::ranges::is_sorted(eigen.values));
  expect_orthonormal(eigen.vectors);
  const auto back = eigen.apply([](double value) { return value; });
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) EXPECT_NEAR(back(i, j), a(i, j), 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, SymmetricEigenOfSize, ::testing::Values(1, 2, 25, 26, 130));

TEST(SymmetricEigen, RepeatedEigenvaluesHaveOrthonormalVectorsToo) {
  // The identity plus a matrix of ones.
  constexpr Index kSize = 60;
  Matrix<double> a(kSize, kSize);
  for (Index i = 0; i < kSize; ++i) {
    for (Index j = 0; j < kSize; ++j) a(i, j) = i == j ? 2 : 1;
  }
  const auto eigen = symmetric_eigen(a);
  for (Index k = 0; k + 1 < kSize; ++k) EXPECT_NEAR(eigen.values[as_size(k)], 1, 1e-12);
  EXPECT_NEAR(eigen.values.back(), kSize + 1, 1e-11);
  expect_orthonormal(eigen.vectors);
}

TEST(SymmetricEigen, AMatrixWithoutRowsHasNone) {
  EXPECT_TRUE(symmetric_eigen(Matrix<double>()).values.empty());
}

}  // namespace
}  // namespace mugrad
