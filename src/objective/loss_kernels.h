// SPDX-License-Identifier: MIT
#pragma once

#include "objective/logistic.h"
#include "objective/logistic_kernels.h"
#include "objective/squared.h"

namespace mugrad {

/// A loss over blocks of scores, `rows` rows of `width` entries: its derivative for negative
/// examples; the same with sums of its values and second derivatives; and its second derivative
/// times u. Requirements and guarantees as in objective/logistic_kernels.h.
template <class Loss>
struct LossKernels;

template <>
struct LossKernels<LogisticLoss> {
  template <class Real>
  static void slopes(Index rows, Index width, Real* z) noexcept {
    logistic_slopes(rows, width, z);
  }
  template <class Real>
  static void slopes_and_sums(Index rows, Index width, Real* z, double* values,
                              double* curvatures) noexcept {
    logistic_slopes_and_sums(rows, width, z, values, curvatures);
  }
  template <class Real>
  static void curvature_times(Index rows, Index width, const Real* u, Real* z) noexcept {
    logistic_curvature_times(rows, width, u, z);
  }
};

/// Simple enough for the compiler to vectorise.
template <>
struct LossKernels<SquaredLoss> {
  template <class Real>
  static void slopes(Index rows, Index width, Real* z) noexcept {
    for (Index k = 0; k < rows * width; ++k) z[k] = SquaredLoss::derivative(z[k], false);
  }
  template <class Real>
  static void slopes_and_sums(Index rows, Index width, Real* z, double* values,
                              double* curvatures) noexcept {
    for (Index row = 0; row < rows; ++row) {
      const Real* const from = z + row * width;
      for (Index t = 0; t < width; ++t) {
        if (values != nullptr) {
          values[t] += static_cast<double>(SquaredLoss::value(from[t], false));
        }
        curvatures[t] += static_cast<double>(SquaredLoss::second_derivative(from[t]));
      }
    }
    slopes(rows, width, z);
  }
  template <class Real>
  static void curvature_times(Index rows, Index width, const Real* u, Real* z) noexcept {
    for (Index k = 0; k < rows * width; ++k) z[k] = SquaredLoss::second_derivative(z[k]) * u[k];
  }
};

}  // namespace mugrad
