// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>
#include <vector>

namespace mugrad {

/// Bounds on the eigenvalues of a task's Hessian, wherever it is taken.
struct CurvatureRange {
  double least = 0;  ///< xi; 0: not strongly convex, as far as known
  double most = 0;   ///< L
};

/// T tasks f_1 ... f_T over parameters of one shape. Parameters are a matrix W with a column per
/// task; whoever solves sees the tasks through these calls only, never their data. Calls may use
/// scratch space of the object: one solver at a time.
template <class Real>
class TaskSet {
 public:
  virtual ~TaskSet() = default;

  virtual Index tasks() const = 0;
  /// Parameters of each task: the rows of W.
  virtual Index parameters() const = 0;

  /// gradient's column i = grad f_i(w_i); values[i] = f_i(w_i) unless values is empty.
  virtual void gradient(const Matrix<Real>& weights, Matrix<Real>& gradient,
                        std::span<double> values) = 0;
  /// product's column i = (Hessian of f_i at w_i) times direction's column i.
  virtual void hessian_product(const Matrix<Real>& weights, const Matrix<Real>& direction,
                               Matrix<Real>& product) = 0;
  /// The bounds of each task.
  virtual std::vector<CurvatureRange> curvatures() = 0;
  /// L: no Hessian of any task has a larger eigenvalue anywhere.
  double curvature() {
    double largest = 0;
    for (const auto& range : curvatures()) largest = range.most > largest ? range.most : largest;
    return largest;
  }
};

}  // namespace mugrad
