// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace mugrad {

/// The logistic loss log(1 + exp(z)) - y z of equation (1), y in {0, 1}. Its formula is defined
/// only here.
struct LogisticLoss {
  /// Upper bound on the second derivative.
  static constexpr double kCurvature = 0.25;

  template <class Real>
  static Real probability(Real z) noexcept {
    return Real{1} / (Real{1} + std::exp(-z));
  }
  template <class Real>
  static Real value(Real z, bool positive) noexcept {
    const Real softplus = std::fmax(z, Real{0}) + std::log1p(std::exp(-std::fabs(z)));
    return positive ? softplus - z : softplus;
  }
  /// value(z, true) - value(z, false).
  template <class Real>
  static Real positive_difference(Real z) noexcept {
    return -z;
  }
  template <class Real>
  static Real derivative(Real z, bool positive) noexcept {
    return probability(z) - (positive ? Real{1} : Real{0});
  }
  template <class Real>
  static Real second_derivative(Real z) noexcept {
    const Real h = probability(z);
    return h * (Real{1} - h);
  }
  /// The z that minimises the loss of p n positives among n examples, with half an example of each
  /// class added so that it exists for p = 0 and p = 1.
  static double log_odds(double positives, double examples) noexcept {
    return std::log((positives + 0.5) / (examples - positives + 0.5));
  }
};

}  // namespace mugrad
