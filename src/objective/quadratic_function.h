// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

namespace mugrad {

/// A quadratic function q of a matrix W.
class QuadraticFunction {
 public:
  virtual ~QuadraticFunction() = default;

  /// Returns q(W) and sets `gradient`, which has the shape of `weights`, to that at W.
  virtual double evaluate(const Matrix<double>& weights, Matrix<double>& gradient) = 0;
};

}  // namespace mugrad
