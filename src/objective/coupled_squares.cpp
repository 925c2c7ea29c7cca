// SPDX-License-Identifier: MIT
#include "objective/coupled_squares.h"

#include "linalg/dense/blas.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/lapack.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

/// Rows of a product per work item.
constexpr Index kPanel = 128;

Index panels_of(Index rows) noexcept { return (rows + kPanel - 1) / kPanel; }

/// Rows [begin, end) of a b.
void multiply_rows(const Matrix<double>& a, const Matrix<double>& b, Index begin, Index end,
                   Matrix<double>& to) {
  blas::multiply<double>(end - begin, b.cols(), a.cols(), {a.data() + begin * a.cols(), a.cols()},
                         {b.data(), b.cols()}, 0, to.data() + begin * to.cols(), to.cols());
}

}  // namespace

CoupledSquares::CoupledSquares(SquaresParts parts, ThreadPool& pool)
    : parts_(std::move(parts)), pool_(pool) {
  assert(parts_.gram.rows() == parts_.gram.cols());
  assert(parts_.gram.rows() == parts_.products.rows());
}

double CoupledSquares::evaluate(const Matrix<double>& weights, Matrix<double>& gradient) {
  std::vector<double> shares(as_size(panels_of(weights.rows())));
  pool_.run(std::ssize(shares), [&](Index panel) {
    const Index begin = panel * kPanel;
    const Index end = std::min(begin + kPanel, weights.rows());
    shares[as_size(panel)] = evaluate_rows(begin, end, weights, gradient);
  });
  return parts_.constant + std::accumulate(shares.begin(), shares.end(), 0.0) / 2;
}

double CoupledSquares::evaluate_rows(Index begin, Index end, const Matrix<double>& weights,
                                     Matrix<double>& gradient) const {
  multiply_rows(parts_.gram, weights, begin, end, gradient);
  const Index coupled = std::min(end, parts_.coupled_rows) - begin;
  if (coupled > 0 && parts_.coupling.size() > 0) {
    const Index labels = weights.cols();
    blas::multiply<double>(coupled, labels, labels, {weights.data() + begin * labels, labels},
                           {parts_.coupling.data(), labels}, 1, gradient.data() + begin * labels,
                           labels);
  }
  double share = 0;
  for (Index k = begin; k < end; ++k) {
    const auto slope = gradient.row(k);
    const auto weight = weights.row(k);
    const auto product = parts_.products.row(k);
    if (parts_.diagonal.size() > 0) {
      const auto diagonal = parts_.diagonal.row(k);
      for (std::size_t t = 0; t < slope.size(); ++t) slope[t] += diagonal[t] * weight[t];
    }
    for (std::size_t t = 0; t < slope.size(); ++t) {
      slope[t] -= product[t];
      share += weight[t] * (slope[t] - product[t]);
    }
  }
  return share;
}

Matrix<double> CoupledSquares::curvature() const {
  const auto of_row = diagonal_bound(parts_.gram);
  const auto of_column = diagonal_bound_of_indefinite(parts_.coupling);
  Matrix<double> bound(parts_.products.rows(), parts_.products.cols());
  double largest = 0;
  for (Index k = 0; k < bound.rows(); ++k) {
    for (Index t = 0; t < bound.cols(); ++t) {
      double entry = of_row[as_size(k)];
      if (k < parts_.coupled_rows && !of_column.empty()) {
        entry += of_column[as_size(t)];
      }
      if (parts_.diagonal.size() > 0) entry += std::max(0.0, parts_.diagonal(k, t));
      bound(k, t) = entry;
      largest = std::max(largest, entry);
    }
  }
  // For a feature that never occurs any divisor except zero will do.
  const double least = largest > 0 ? 1e-12 * largest : 1;
  for (double& entry : bound.values()) entry = std::max(entry, least);
  return bound;
}

Matrix<double> ridge_regression(const Matrix<double>& gram, const Matrix<double>& products,
                                double ridge, ThreadPool& pool) {
  Matrix<double> inverse = gram;
  for (Index k = 0; k < gram.rows(); ++k) inverse(k, k) += ridge;
  invert(inverse);
  Matrix<double> weights(products.rows(), products.cols());
  pool.run(panels_of(products.rows()), [&](Index panel) {
    const Index begin = panel * kPanel;
    multiply_rows(inverse, products, begin, std::min(begin + kPanel, products.rows()), weights);
  });
  return weights;
}

}  // namespace mugrad
