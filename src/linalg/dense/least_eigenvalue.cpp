// SPDX-License-Identifier: MIT
#include "linalg/dense/least_eigenvalue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace mugrad {
namespace {

/// The lower triangle with triangle * triangle' = A - s I; false when that has no positive pivot
/// somewhere.
bool decompose(const Matrix<double>& a, double s, Matrix<double>& triangle) {
  for (Index i = 0; i < a.rows(); ++i) {
    const auto row = triangle.row(i);
    for (Index j = 0; j <= i; ++j) {
      const auto other = triangle.row(j);
      const double rest = std::inner_product(row.begin(), row.begin() + j, other.begin(), 0.0);
      const double value = a(i, j) - (i == j ? s : 0) - rest;
      if (i == j && !(value > 0)) return false;
      row[static_cast<std::size_t>(j)] =
          i == j ? std::sqrt(value) : value / other[static_cast<std::size_t>(j)];
    }
  }
  return true;
}

/// v = (triangle * triangle')^-1 v.
void solve(const Matrix<double>& triangle, std::vector<double>& v) {
  const Index n = triangle.rows();
  for (Index i = 0; i < n; ++i) {
    auto& entry = v[static_cast<std::size_t>(i)];
    for (Index j = 0; j < i; ++j) entry -= triangle(i, j) * v[static_cast<std::size_t>(j)];
    entry /= triangle(i, i);
  }
  for (Index i = n; i-- > 0;) {
    auto& entry = v[static_cast<std::size_t>(i)];
    entry /= triangle(i, i);
    for (Index j = 0; j < i; ++j) v[static_cast<std::size_t>(j)] -= triangle(i, j) * entry;
  }
}

}  // namespace

double least_eigenvalue_bound(const Matrix<double>& matrix) {
  assert(matrix.rows() == matrix.cols());
  const auto n = static_cast<double>(matrix.rows());
  double trace = 0;
  for (Index i = 0; i < matrix.rows(); ++i) trace += matrix(i, i);
  const double margin = 10 * n * std::numeric_limits<double>::epsilon() * trace;
  Matrix<double> triangle(matrix.rows(), matrix.cols());
  if (!std::isfinite(trace) || !decompose(matrix, margin, triangle)) return 0;

  // Inverse iteration: the length of A^-1 v settles at the inverse of the least eigenvalue.
  std::vector<double> v(static_cast<std::size_t>(matrix.rows()), 1 / std::sqrt(n));
  double estimate = 0;
  for (int step = 0; step < 20; ++step) {
    solve(triangle, v);
    const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
    if (!std::isfinite(length)) return 0;
    for (double& entry : v) entry /= length;
    estimate = 1 / length;
  }
  double bound = 0.95 * estimate;
  while (bound > 2 * margin) {
    if (decompose(matrix, bound, triangle)) return bound - margin;
    bound /= 4;
  }
  return 0;
}

}  // namespace mugrad
