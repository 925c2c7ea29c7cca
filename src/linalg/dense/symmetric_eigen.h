// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <functional>
#include <vector>

namespace mugrad {

/// A = U diag(values) U' of a symmetric matrix.
struct SymmetricEigen {
  std::vector<double> values;  ///< ascending
  Matrix<double> vectors;      ///< row k belongs to values[k]

  /// U diag(function(values)) U', symmetric to the last bit.
  Matrix<double> apply(const std::function<double(double)>& function) const;
};

/// Requires: a is square and finite; only its lower triangle is read.
SymmetricEigen symmetric_eigen(const Matrix<double>& a);

}  // namespace mugrad
