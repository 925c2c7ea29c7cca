// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mugrad {
namespace {

/// H D H with the reflection H = I - 2 u u', u of length one: a full matrix of known eigenvalues.
Matrix<double> with_eigenvalues(const std::vector<double>& eigenvalues) {
  const Index n = std::ssize(eigenvalues);
  std::vector<double> u(eigenvalues.size());
  double squares = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    u[k] = 1 + static_cast<double>(k % 5);
    squares += u[k] * u[k];
  }
  const auto reflection = [&](Index i, Index j) {
    const auto a = static_cast<std::size_t>(i);
    const auto b = static_cast<std::size_t>(j);
    return (i == j ? 1.0 : 0.0) - 2 * u[a] * u[b] / squares;
  };
  Matrix<double> result(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) {
        result(i, j) +=
            reflection(i, k) * eigenvalues[static_cast<std::size_t>(k)] * reflection(k, j);
      }
    }
  }
  return result;
}

TEST(LeastEigenvalueBound, IsFromBelowAndWithinATenth) {
  for (const double least : {0.001, 0.5, 1.9}) {
    std::vector<double> eigenvalues(60);
    for (std::size_t k = 0; k < eigenvalues.size(); ++k) {
      eigenvalues[k] = 2 + static_cast<double>(k);
    }
    eigenvalues[17] = least;
    const double bound = least_eigenvalue_bound(with_eigenvalues(eigenvalues));
    EXPECT_LE(bound, least);
    EXPECT_GE(bound, 0.9 * least);
  }
}

TEST(LeastEigenvalueBound, IsZeroWhereNothingCanBeTold) {
  EXPECT_EQ(least_eigenvalue_bound(with_eigenvalues({3, 0, 1})), 0);
  EXPECT_EQ(least_eigenvalue_bound(with_eigenvalues({1e20, 1, 1})), 0);
  EXPECT_EQ(least_eigenvalue_bound(Matrix<double>(4, 4)), 0);
  EXPECT_EQ(least_eigenvalue_bound(Matrix<double>(2, 2, std::nan(""))), 0);
}

}  // namespace
}  // namespace mugrad
