// SPDX-License-Identifier: MIT
#include "linalg/dense/lapack.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

template <class Real>
Matrix<Real> random_matrix(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed, "lapack");
  Matrix<Real> matrix(rows, cols);
  for (Real& entry : matrix.values()) entry = static_cast<Real>(random.normal());
  return matrix;
}

template <class Real>
double dot(std::span<const Real> a, std::span<const Real> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  return sum;
}

template <class Real>
constexpr double kRounding = 200 * static_cast<double>(std::numeric_limits<Real>::epsilon());

template <class Real>
void expect_orthonormal(const Matrix<Real>& v) {
  for (Index i = 0; i < v.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      EXPECT_NEAR(dot<Real>(v.row(i), v.row(j)), i == j ? 1 : 0, kRounding<Real>) << i << ' ' << j;
    }
  }
}

/// How much of each row of `of` lies outside the span of the orthonormal rows of v.
template <class Real>
void expect_spanned(const Matrix<Real>& of, const Matrix<Real>& v) {
  for (Index i = 0; i < of.rows(); ++i) {
    std::vector<Real> left(of.row(i).begin(), of.row(i).end());
    for (Index j = 0; j < v.rows(); ++j) {
      const auto along = static_cast<Real>(dot<Real>(of.row(i), v.row(j)));
      for (std::size_t k = 0; k < left.size(); ++k) left[k] -= along * v.row(j)[k];
    }
    EXPECT_LE(std::sqrt(dot<Real>(left, left)),
              kRounding<Real> * std::sqrt(dot<Real>(of.row(i), of.row(i))));
  }
}

template <class Real>
class OrthonormalRows : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(OrthonormalRows, Reals);

TYPED_TEST(OrthonormalRows, SpanWhatTheRowsDid) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {1, 9}, {5, 5}, {7, 40}}) {
    const auto before = random_matrix<TypeParam>(rows, cols, 1);
    auto v = before;
    orthonormalise_rows(v);
    expect_orthonormal(v);
    expect_spanned(before, v);
  }
}

TYPED_TEST(OrthonormalRows, AreOrthonormalAlsoWhereRowsDepend) {
  auto before = random_matrix<TypeParam>(6, 20, 2);
  for (Index k = 0; k < 20; ++k) {
    before(2, k) = before(0, k);
    before(3, k) = before(0, k) - before(1, k);
    before(5, k) = 0;
  }
  auto v = before;
  orthonormalise_rows(v);
  expect_orthonormal(v);
  expect_spanned(before, v);
}

TYPED_TEST(OrthonormalRows, MayBeNone) {
  Matrix<TypeParam> none(0, 4);
  orthonormalise_rows(none);
  EXPECT_EQ(none.rows(), 0);
}

TEST(Inverse, IsTheKnownOne) {
  Matrix<double> a(2, 2);
  a(0, 0) = 1, a(0, 1) = 2, a(1, 0) = 3, a(1, 1) = 4;
  invert(a);
  EXPECT_NEAR(a(0, 0), -2, 1e-14);
  EXPECT_NEAR(a(0, 1), 1, 1e-14);
  EXPECT_NEAR(a(1, 0), 1.5, 1e-14);
  EXPECT_NEAR(a(1, 1), -0.5, 1e-14);
}

TEST(Inverse, TimesTheMatrixIsTheIdentity) {
  for (const Index n : {0, 1, 3, 33, 70}) {
    auto a = random_matrix<double>(n, n, 3);
    for (Index i = 0; i < n; ++i) a(i, i) += 20;  // far from singular
    auto inverse = a;
    invert(inverse);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        double sum = 0;
        for (Index k = 0; k < n; ++k) sum += a(i, k) * inverse(k, j);
        ASSERT_NEAR(sum, i == j ? 1 : 0, 1e-12);
      }
    }
  }
}

TEST(InverseOfAFactor, TimesTheFactorIsTheIdentity) {
  for (const Index n : {0, 1, 2, 9, 70}) {
    Matrix<double> u = random_matrix<double>(n, n, 5);
    for (Index i = 0; i < n; ++i) u(i, i) = 3 + static_cast<double>(i % 4);
    Matrix<double> inverse = u;  // what lies below the diagonal must not count
    invert_factor(inverse);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (j < i) {
          EXPECT_EQ(inverse(i, j), 0);
          continue;
        }
        double product = 0, size = 0;
        for (Index k = i; k <= j; ++k) {
          product += u(i, k) * inverse(k, j);
          size += std::fabs(u(i, k) * inverse(k, j));
        }
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-13 * (1 + size)) << i << ' ' << j;
      }
    }
  }
}

TEST(Inverse, OfASingularMatrixIsRefused) {
  Matrix<double> zero(3, 3);
  EXPECT_THROW(invert(zero), Error);
  Matrix<double> laplacian(2, 2, -0.5);
  laplacian(0, 0) = laplacian(1, 1) = 0.5;
  EXPECT_THROW(invert(laplacian), Error);
}

}  // namespace
}  // namespace mugrad
