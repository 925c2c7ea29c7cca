// SPDX-License-Identifier: MIT
#include "linalg/dense/largest_eigenvalue.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <cmath>
#include <numeric>
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
  std::vector<double> v(static_cast<std::size_t>(n));
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

}  // namespace mugrad
