// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/lapack.h"

#include <mugrad/core/random.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

/// V' diag(values) V with random orthonormal rows in V.
Matrix<double> with_spectrum(const std::vector<double>& values, std::uint64_t seed) {
  const auto n = std::ssize(values);
  RandomStream random(seed, "spectrum");
  Matrix<double> v(n, n);
  for (double& entry : v.values()) entry = random.normal();
  orthonormalise_rows(v);
  Matrix<double> a(n, n);
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < n; ++i) {
      const double times = values[static_cast<std::size_t>(k)] * v(k, i);
      for (Index j = 0; j < n; ++j) a(i, j) += times * v(k, j);
    }
  }
  return a;
}

template <class Real>
auto times(const Matrix<double>& a, Index& calls) {
  return [&a, &calls](const Matrix<Real>& v, Matrix<Real>& out) {
    ++calls;
    for (Index i = 0; i < a.rows(); ++i) {
      for (Index t = 0; t < v.cols(); ++t) {
        double sum = 0;
        for (Index k = 0; k < a.cols(); ++k) sum += a(i, k) * static_cast<double>(v(k, t));
        out(i, t) = static_cast<Real>(sum);
      }
    }
  };
}

template <class Real>
void expect_orthonormal(const Matrix<Real>& v, double tolerance) {
  for (Index i = 0; i < v.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = 0;
      for (Index k = 0; k < v.cols(); ++k) {
        sum += static_cast<double>(v(i, k)) * static_cast<double>(v(j, k));
      }
      ASSERT_NEAR(sum, i == j ? 1 : 0, tolerance) << i << ' ' << j;
    }
  }
}

TEST(LeadingEigenpairs, DoNotDependOnEarlierCalls) {
  const auto pairs_of = [](Index n) {
    std::vector<double> spectrum;
    for (Index k = 0; k < n; ++k) spectrum.push_back(1 / static_cast<double>(k + 1));
    Index calls = 0;
    return leading_eigenpairs<double>(n, 5, times<double>(with_spectrum(spectrum, 1), calls));
  };
  const auto first = pairs_of(40);
  const auto larger = pairs_of(60);
  const auto again = pairs_of(40);
  EXPECT_EQ(again.values, first.values);
  EXPECT_EQ(again.vectors, first.vectors);
  EXPECT_EQ(pairs_of(60).vectors, larger.vectors);
}

TEST(LeadingEigenpairs, OfASmallMatrixAreAllAndExact) {
  for (const Index n : {1, 2, 7, 12}) {
    std::vector<double> values;
    for (Index k = 0; k < n; ++k) values.push_back(static_cast<double>(k * k));  // one is zero
    const auto a = with_spectrum(values, 1);
    const auto exact = symmetric_eigen(a);
    Index calls = 0;
    const auto pairs =
        leading_eigenpairs<double>(n, std::min<Index>(n, 4), times<double>(a, calls));
    EXPECT_EQ(pairs.products, calls);
    EXPECT_EQ(calls, 1);
    ASSERT_EQ(std::ssize(pairs.values), n);
    expect_orthonormal(pairs.vectors, 1e-12);
    for (Index k = 0; k < n; ++k) {
      EXPECT_NEAR(pairs.values[static_cast<std::size_t>(k)],
                  exact.values[static_cast<std::size_t>(n - 1 - k)], 1e-11);
      double along = 0;  // the sign of a vector is free
      for (Index i = 0; i < n; ++i) along += pairs.vectors(k, i) * exact.vectors(n - 1 - k, i);
      EXPECT_NEAR(std::fabs(along), 1, 1e-10);
    }
  }
}

template <class Real>
void expect_large_ones_found(double orthonormal_within) {
  std::vector<double> values(300, 1);
  for (std::size_t k = 0; k < 20; ++k) values[k] = 100 + 20 * static_cast<double>(20 - k);
  const auto a = with_spectrum(values, 2);
  Index calls = 0;
  const auto pairs = leading_eigenpairs<Real>(300, 20, times<Real>(a, calls));
  EXPECT_EQ(pairs.products, calls);
  EXPECT_EQ(calls, 3);
  ASSERT_EQ(pairs.values.size(), 20U);
  expect_orthonormal(pairs.vectors, orthonormal_within);
  // Two iterations lessen the share of the flat rest by (1/120)^2 or more.
  for (std::size_t k = 0; k < 20; ++k) EXPECT_NEAR(pairs.values[k], values[k], 0.02 * values[k]);
}

TEST(LeadingEigenpairs, OfALargeMatrixTellTheLargeOnesFromTheRest) {
  expect_large_ones_found<double>(1e-12);
  expect_large_ones_found<float>(1e-5);
}

TEST(LeadingEigenpairs, OfAMatrixOfLowRankAreFollowedByZeros) {
  std::vector<double> values(40, 0);
  values[0] = 3;
  values[1] = 2;
  const auto a = with_spectrum(values, 3);
  Index calls = 0;
  const auto pairs = leading_eigenpairs<double>(40, 5, times<double>(a, calls));
  expect_orthonormal(pairs.vectors, 1e-12);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(pairs.values[k], values[k], 1e-12);
    EXPECT_GE(pairs.values[k], 0);
  }
}

TEST(LeadingEigenpairs, OfNoMatrixAreNone) {
  const auto pairs =
      leading_eigenpairs<double>(0, 0, [](const Matrix<double>&, Matrix<double>&) {});
  EXPECT_TRUE(pairs.values.empty());
}

}  // namespace
}  // namespace mugrad
