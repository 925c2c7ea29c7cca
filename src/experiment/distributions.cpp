// SPDX-License-Identifier: MIT
#include "experiment/distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace mugrad {

double chi_squared_tail(double x, double freedom) {
  return cdf(complement(boost::math::chi_squared(freedom), x));
}

double fisher_f_tail(double f, double freedom, double rest_freedom) {
  return cdf(complement(boost::math::fisher_f(freedom, rest_freedom), f));
}

double student_t_tail(double t, double freedom) {
  return cdf(complement(boost::math::students_t(freedom), t));
}

double normal_tail(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

double normal_point(double tail) {
  const double representable = std::max(tail, std::numeric_limits<double>::min());
  return quantile(complement(boost::math::normal(), representable));
}

// With the largest variable at z, the range is below q if the other k - 1 lie in (z - q, z).
// Subtracting this from Phi(z)^(k-1) under the integral keeps small tails precise:
//   k int phi(z) Phi(z)^(k-1) [1 - (1 - Phi(z-q) / Phi(z))^(k-1)] dz
double range_tail(double q, Index k) {
  assert(q >= 0 && k >= 2);
  const auto others = static_cast<double>(k - 1);
  const auto density = [&](double z) {
    const double below = normal_tail(-z);
    const double phi = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    return phi * std::pow(below, others) *
           -std::expm1(others * std::log1p(-normal_tail(q - z) / below));
  };
  // Small tails come from z near q / 2, all others from z of the usual size of variables.
  const double least = -10;
  const double largest = q / 2 + 12;
  constexpr unsigned kDepth = 12;
  constexpr double kTolerance = 1e-13;
  return (others + 1) * boost::math::quadrature::gauss_kronrod<double, 61>::integrate(
                            density, least, largest, kDepth, kTolerance);
}

double range_point(double tail, Index k) {
  assert(tail > 0 && tail < 1 && k >= 2);
  // A single pair exceeds q less often than the range; the sum over all pairs, more often.
  const auto variables = static_cast<double>(k);
  double low = std::numbers::sqrt2 * normal_point(tail / 2);
  double high = std::numbers::sqrt2 * normal_point(tail / (variables * (variables - 1)));
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (range_tail(middle, k) > tail ? low : high) = middle;
  }
}

}  // namespace mugrad
