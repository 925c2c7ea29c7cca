// SPDX-License-Identifier: MIT
#include "linalg/dense/blas.h"
#include "linalg/dense/lapack.h"

#include <mugrad/core/random.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

Matrix<double> random_matrix(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed, "cholesky");
  Matrix<double> matrix(rows, cols);
  for (double& entry : matrix.values()) entry = random.normal();
  return matrix;
}

TEST(Cholesky, SolvesWhatAMatrixTimesItselfGives) {
  for (const Index n : {0, 1, 3, 33, 70}) {
    const auto a = random_matrix(2 * n, n, 3);
    Matrix<double> gram(n, n);
    if (n > 0) blas::multiply_with_itself(2 * n, n, a.data(), gram.data());
    for (Index i = 0; i < n; ++i) {
      for (Index j = i; j < n; ++j) {
        double sum = 0;
        for (Index k = 0; k < 2 * n; ++k) sum += a(k, i) * a(k, j);
        ASSERT_NEAR(gram(i, j), sum, 1e-12 * static_cast<double>(2 * n + 1));
      }
    }
    const auto expected = random_matrix(1, n, 4);
    std::vector<double> x(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        x[static_cast<std::size_t>(i)] += gram(std::min(i, j), std::max(i, j)) * expected(0, j);
      }
    }
    ASSERT_TRUE(factor_positive_definite(gram));
    solve_factored(gram, x);
    for (Index i = 0; i < n; ++i) {
      EXPECT_NEAR(x[static_cast<std::size_t>(i)], expected(0, i), 1e-9);
    }
  }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  Matrix<double> a(2, 2, 2);
  a(0, 0) = a(1, 1) = 1;
  EXPECT_FALSE(factor_positive_definite(a));
}

TEST(Cholesky, RefusesPivotsThatAreASmallerShareThanAsked) {
  Matrix<double> a(2, 2, 1);
  a(1, 1) = 1 + 1e-6;  // the second pivot is 1e-6
  Matrix<double> strict = a;
  EXPECT_TRUE(factor_positive_definite(a, 1e-7));
  EXPECT_FALSE(factor_positive_definite(strict, 1e-5));
}

}  // namespace
}  // namespace mugrad
