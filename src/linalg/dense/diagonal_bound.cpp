// SPDX-License-Identifier: MIT
#include "linalg/dense/diagonal_bound.h"

#include "linalg/dense/largest_eigenvalue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace mugrad {
namespace {

/// out += a' v.
void add_transposed_product(const Matrix<double>& a, std::span<const double> v,
                            std::span<double> out) {
  for (Index k = 0; k < a.rows(); ++k) {
    const double factor = v[static_cast<std::size_t>(k)];
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
  std::vector<double> diagonal(static_cast<std::size_t>(a.rows()));
  for (std::size_t k = 0; k < diagonal.size(); ++k) {
    diagonal[k] = a(static_cast<Index>(k), static_cast<Index>(k));
  }
  if (std::ranges::none_of(diagonal, [](double entry) { return entry > 0; })) return diagonal;
  const double largest = largest_scaled(a, diagonal, 0);
  return times(largest, std::move(diagonal));
}

std::vector<double> diagonal_bound_of_indefinite(const Matrix<double>& a) {
  assert(a.rows() == a.cols());
  std::vector<double> sums(static_cast<std::size_t>(a.rows()));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    for (const double entry : a.row(static_cast<Index>(k))) sums[k] += std::fabs(entry);
  }
  if (std::ranges::none_of(sums, [](double entry) { return entry > 0; })) return sums;
  // By Gershgorin no eigenvalue of the scaled matrix is outside [-1, 1].
  const double largest = largest_scaled(a, sums, 1) - 1;
  return times(std::clamp(largest, 0.0, 1.0), std::move(sums));
}

double spectral_norm_bound(const Matrix<double>& a) {
  if (a.size() == 0) return 0;
  std::vector<double> product(static_cast<std::size_t>(a.rows()));
  return std::sqrt(
      largest_eigenvalue_bound(a.cols(), [&](std::span<const double> v, std::span<double> out) {
        for (std::size_t k = 0; k < product.size(); ++k) {
          const auto row = a.row(static_cast<Index>(k));
          product[k] = std::inner_product(row.begin(), row.end(), v.begin(), 0.0);
        }
        std::ranges::fill(out, 0.0);
        add_transposed_product(a, product, out);
      }));
}

}  // namespace mugrad
