// SPDX-License-Identifier: MIT
#include "linalg/dense/row_space.h"

#include "linalg/dense/blas.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/scaled_rows.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr Index kMostRows = 2000;  // whose products are decomposed in a few seconds
constexpr Index kLeastSaving = 2;  // a pass must be this much shorter to make up for that

/// a' b, for matrices with as many rows.
Matrix<double> transposed_product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> result(a.cols(), b.cols());
  blas::multiply<double>(a.cols(), b.cols(), a.rows(), {a.data(), a.cols(), true},
                         {b.data(), b.cols()}, 0, result.data(), b.cols());
  return result;
}

/// The weights without the intercepts, in double.
template <class Real>
Matrix<double> without_intercepts(const Matrix<Real>& weights) {
  Matrix<double> rest(weights.rows() - 1, weights.cols());
  std::ranges::transform(weights.values().subspan(as_size(weights.cols())), rest.values().begin(),
                         [](Real weight) { return static_cast<double>(weight); });
  return rest;
}

template <class Real>
Matrix<Real> with_intercepts(std::span<const Real> intercepts, const Matrix<double>& rest) {
  Matrix<Real> weights(rest.rows() + 1, rest.cols());
  std::ranges::copy(intercepts, weights.row(0).begin());
  std::ranges::transform(rest.values(), weights.row(1).begin(),
                         [](double weight) { return static_cast<Real>(weight); });
  return weights;
}

}  // namespace

bool RowSpace::pays(Index rows, Index stored) noexcept {
  return rows > 1 && rows <= kMostRows && kLeastSaving * rows * rows <= stored;
}

double RowSpace::bytes(Index rows, Index features) noexcept {
  const auto n = static_cast<double>(rows);
  return (n * static_cast<double>(features) + kEigenMatrices * n * n) * sizeof(double);
}

RowSpace::RowSpace(const Features& x, const FeatureTransform& transform)
    : rows_(transformed_rows(x, transform)) {
  const Index n = rows_.rows();
  Matrix<double> products(n, n);
  blas::multiply<double>(n, n, rows_.cols(), {rows_.data(), rows_.cols()},
                         {rows_.data(), rows_.cols(), true}, 0, products.data(), n);
  const SymmetricEigen eigen = symmetric_eigen(products);
  // Smaller ones are rounding.
  constexpr double kRounding = 1e-14;
  const double least = kRounding * static_cast<double>(n) * std::fmax(0, eigen.values.back());
  const auto first = std::ranges::upper_bound(eigen.values, least) - eigen.values.begin();
  const Index rank = n - first;
  combination_ = Matrix<double>(n, rank);
  coordinates_ = Matrix<double>(n, rank);
  for (Index k = 0; k < rank; ++k) {
    const Index from = n - 1 - k;  // largest first
    const double length = std::sqrt(eigen.values[as_size(from)]);
    for (Index i = 0; i < n; ++i) {
      combination_(i, k) = eigen.vectors(from, i) / length;
      coordinates_(i, k) = eigen.vectors(from, i) * length;
    }
  }
}

template <class Real>
Matrix<Real> RowSpace::expanded(const Matrix<Real>& weights) const {
  const auto inner = without_intercepts(weights);
  Matrix<double> of_rows(rows_.rows(), inner.cols());
  blas::multiply<double>(of_rows.rows(), inner.cols(), inner.rows(),
                         {combination_.data(), combination_.cols()}, {inner.data(), inner.cols()},
                         0, of_rows.data(), inner.cols());
  return with_intercepts<Real>(weights.row(0), transposed_product(rows_, of_rows));
}

Matrix<double> RowSpace::projected(const Matrix<double>& weights) const {
  const auto inner = without_intercepts(weights);
  Matrix<double> of_rows(rows_.rows(), inner.cols());
  blas::multiply<double>(of_rows.rows(), inner.cols(), inner.rows(), {rows_.data(), rows_.cols()},
                         {inner.data(), inner.cols()}, 0, of_rows.data(), inner.cols());
  return with_intercepts<double>(weights.row(0), transposed_product(combination_, of_rows));
}

template Matrix<float> RowSpace::expanded<float>(const Matrix<float>&) const;
template Matrix<double> RowSpace::expanded<double>(const Matrix<double>&) const;

}  // namespace mugrad
