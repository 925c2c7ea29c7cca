// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

constexpr int kSteps = 80;
constexpr double kMargin = 1.02;

/// The symmetric tridiagonal matrix that Lanczos steps leave.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  ///< one fewer

  /// Whether an eigenvalue is larger than x: some pivot of T - x I is then positive (Sylvester).
  bool exceeds(double x) const {
    double pivot = diagonal[0] - x;
    for (std::size_t k = 1; k < diagonal.size() && pivot < 0; ++k) {
      pivot = diagonal[k] - x - beside[k - 1] * beside[k - 1] / pivot;
    }
    return pivot >= 0;
  }

  double largest_eigenvalue() const {
    double high = 0;  // Gershgorin
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      const double left = k == 0 ? 0 : std::fabs(beside[k - 1]);
      const double right = k < beside.size() ? std::fabs(beside[k]) : 0;
      high = std::max(high, diagonal[k] + left + right);
    }
    double low = 0;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = (low + high) / 2;
      (exceeds(middle) ? low : high) = middle;
    }
    return high;
  }
};

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

double largest_eigenvalue_bound(
    Index n, const std::function<void(std::span<const double>, std::span<double>)>& multiply) {
  RandomStream random(1, "lanczos");
  std::vector<double> v(as_size(n));
  for (double& entry : v) entry = random.normal();
  const double start_length = std::sqrt(dot(v, v));
  for (double& entry : v) entry /= start_length;

  std::vector<double> before(v.size(), 0);
  std::vector<double> next(v.size());
  Tridiagonal t;
  double length = 0;
  for (Index step = 0; step < std::min<Index>(kSteps, n); ++step) {
    multiply(v, next);
    t.diagonal.push_back(dot(v, next));
    if (!std::isfinite(t.diagonal.back())) return t.diagonal.back();
    for (std::size_t k = 0; k < next.size(); ++k) {
      next[k] -= t.diagonal.back() * v[k] + length * before[k];
    }
    length = std::sqrt(dot(next, next));
    // An invariant subspace: its largest eigenvalue is found exactly.
    if (length <= 1e-12 * t.diagonal[0]) break;
    t.beside.push_back(length);
    before.swap(v);
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = next[k] / length;
  }
  t.beside.resize(t.diagonal.size() - 1);
  return kMargin * t.largest_eigenvalue();
}

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
      row[as_size(j)] = i == j ? std::sqrt(value) : value / other[as_size(j)];
    }
  }
  return true;
}

/// v = (triangle * triangle')^-1 v.
void solve(const Matrix<double>& triangle, std::vector<double>& v) {
  const Index n = triangle.rows();
  for (Index i = 0; i < n; ++i) {
    auto& entry = v[as_size(i)];
    for (Index j = 0; j < i; ++j) entry -= triangle(i, j) * v[as_size(j)];
    entry /= triangle(i, i);
  }
  for (Index i = n; i-- > 0;) {
    auto& entry = v[as_size(i)];
    entry /= triangle(i, i);
    for (Index j = 0; j < i; ++j) v[as_size(j)] -= triangle(i, j) * entry;
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
  std::vector<double> v(as_size(matrix.rows()), 1 / std::sqrt(n));
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

namespace {

/// out += a' v.
void add_transposed_product(const Matrix<double>& a, std::span<const double> v,
                            std::span<double> out) {
  for (Index k = 0; k < a.rows(); ++k) {
    const double factor = v[as_size(k)];
    const auto row = a.row(k);
    for (std::size_t j = 0; j < row.size(); ++j) out[j] += factor * row[j];
  }
}

/// The largest eigenvalue of D^(-1/2) A D^(-1/2) + shift I, D the diagonal matrix given; zeros of D
/// are left out.
double largest_scaled(const Matrix<double>& a, const std::vector<double>& diagonal, double shift) {
  std::vector<double> factor(diagonal.size());
  for (std::size_t k = 0; k < factor.size(); ++k) {
    factor[k] = diagonal[k] > 0 ? 1 / std::sqrt(diagonal[k]) : 0;
  }
  std::vector<double> scaled(factor.size());
  return largest_eigenvalue_bound(a.rows(), [&](std::span<const double> v, std::span<double> out) {
    for (std::size_t k = 0; k < scaled.size(); ++k) scaled[k] = factor[k] * v[k];
    std::ranges::fill(out, 0.0);
    add_transposed_product(a, scaled, out);
    for (std::size_t k = 0; k < scaled.size(); ++k) {
      out[k] = factor[k] * out[k] + (factor[k] > 0 ? shift * v[k] : 0);
    }
  });
}

std::vector<double> times(double factor, std::vector<double> values) {
  for (double& value : values) value *= factor;
  return values;
}

}  // namespace

std::vector<double> diagonal_bound(const Matrix<double>& a) {
  assert(a.rows() == a.cols());
  std::vector<double> diagonal(as_size(a.rows()));
  for (std::size_t k = 0; k < diagonal.size(); ++k) {
    diagonal[k] = a(as_index(k), as_index(k));
  }
  if (std::ranges::none_of(diagonal, [](double entry) { return entry > 0; })) return diagonal;
  const double largest = largest_scaled(a, diagonal, 0);
  return times(largest, std::move(diagonal));
}

std::vector<double> diagonal_bound_of_indefinite(const Matrix<double>& a) {
  assert(a.rows() == a.cols());
  std::vector<double> sums(as_size(a.rows()));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    for (const double entry : a.row(as_index(k))) sums[k] += std::fabs(entry);
  }
  if (std::ranges::none_of(sums, [](double entry) { return entry > 0; })) return sums;
  // By Gershgorin no eigenvalue of the scaled matrix is outside [-1, 1].
  const double largest = largest_scaled(a, sums, 1) - 1;
  return times(std::clamp(largest, 0.0, 1.0), std::move(sums));
}

double spectral_norm_bound(const Matrix<double>& a) {
  if (a.size() == 0) return 0;
  std::vector<double> product(as_size(a.rows()));
  return std::sqrt(
      largest_eigenvalue_bound(a.cols(), [&](std::span<const double> v, std::span<double> out) {
        for (std::size_t k = 0; k < product.size(); ++k) {
          const auto row = a.row(as_index(k));
          product[k] = std::inner_product(row.begin(), row.end(), v.begin(), 0.0);
        }
        std::ranges::fill(out, 0.0);
        add_transposed_product(a, product, out);
      }));
}

}  // namespace mugrad
