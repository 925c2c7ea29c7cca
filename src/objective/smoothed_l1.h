// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace mugrad {

/// The smoothed absolute value of equation (3), (1/a) [log(1 + exp(-a w)) + log(1 + exp(a w))]. Its
/// formula is defined only here. It exceeds |w| by at most 2 ln 2 / a, at 0.
struct SmoothedL1 {
  double sharpness = 100;  ///< a > 0

  /// Upper bound on the second derivative.
  double curvature() const noexcept { return sharpness / 2; }

  /// w| + (2/a) log(1 + exp(-a |w|)), which does not overflow.
  double value(double w) const noexcept {
    const double size = std::fabs(w);
    return size + 2 / sharpness * std::log1p(std::exp(-sharpness * size));
  }
  template <class Real>
  Real derivative(Real w) const noexcept {
    return std::tanh(static_cast<Real>(sharpness / 2) * w);
  }
  template <class Real>
  Real second_derivative(Real w) const noexcept {
    const Real slope = derivative(w);
    return static_cast<Real>(sharpness / 2) * (Real{1} - slope) * (Real{1} + slope);
  }
};

}  // namespace mugrad
