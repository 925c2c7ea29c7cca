// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad {

/// The squared loss (z - y)^2 / 2 of equation (2), y in {0, 1} or real. Its formula is defined only
/// here.
struct SquaredLoss {
  /// The second derivative, which is constant.
  static constexpr double kCurvature = 1;

  template <class Real>
  static Real value(Real z, bool positive) noexcept {
    return value_of_error(derivative(z, positive));
  }
  /// For a real target, given the error z - y, which is the derivative.
  template <class Real>
  static Real value_of_error(Real error) noexcept {
    return error * error / 2;
  }
  /// value(z, true) - value(z, false).
  template <class Real>
  static Real positive_difference(Real z) noexcept {
    return Real{0.5} - z;
  }
  template <class Real>
  static Real derivative(Real z, bool positive) noexcept {
    return z - (positive ? Real{1} : Real{0});
  }
  template <class Real>
  static Real second_derivative(Real) noexcept {
    return Real{1};
  }
  /// The z that minimises the loss of p n positives among n examples, with half an example of each
  /// class added, as in LogisticLoss::log_odds.
  static double base_rate(double positives, double examples) noexcept {
    return (positives + 0.5) / (examples + 1);
  }
};

}  // namespace mugrad
