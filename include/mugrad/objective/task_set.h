// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/shared_curvature.h>

#include <span>
#include <vector>

namespace mugrad {

/// Bounds on the eigenvalues of a task's Hessian, wherever it is taken.
struct CurvatureRange {
  double least = 0;  ///< xi; 0: not strongly convex, as far as known
  double most = 0;   ///< L
};

/// What a gradient call gives besides the gradients, one number per column; an empty span is not
/// filled.
struct TaskMeasures {
  std::span<double> values = {};  ///< f_i(w_i)
  /// The mean, over the examples of task i, of the second derivative of its loss at w_i; the
  /// tasks of a set that has no such mean leave it as it is.
  std::span<double> mean_bends = {};
};

/// The task that a column of a call belongs to; see TaskSet.
inline Index task_of(std::span<const Index> which, Index column) {
  return which.empty() ? column : which[static_cast<std::size_t>(column)];
}

/// T tasks f_1 ... f_T over parameters of one shape. Parameters are a matrix W with a column per
/// task; whoever solves sees the tasks through these calls only, never their data. Calls may use
/// scratch space of the object: one solver at a time.
///
/// Calls serve the tasks that `which` lists, in ascending order, one per column of their matrices;
/// an empty list means all tasks.
template <class Real>
class TaskSet {
 public:
  virtual ~TaskSet() = default;

  virtual Index tasks() const = 0;
  /// Parameters of each task: the rows of W.
  virtual Index parameters() const = 0;

  /// gradient's column of task i = grad f_i(w_i).
  virtual void gradient(std::span<const Index> which, const Matrix<Real>& weights,
                        Matrix<Real>& gradient, const TaskMeasures& measures) = 0;
  /// product's column of task i = (Hessian of f_i at w_i) times direction's column.
  virtual void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                               const Matrix<Real>& direction, Matrix<Real>& product) = 0;
  /// The bounds of each task.
  virtual std::vector<CurvatureRange> curvatures() = 0;
  /// What the Hessians have in common, if anything is known of it; null otherwise. It stays where
  /// it is as long as the tasks do.
  virtual const SharedCurvature<Real>* shared_curvature() { return nullptr; }
  /// The passes over the data that finding it took, for the report of one run: 0 before it was
  /// found, and once they were asked for.
  virtual Index take_shared_passes() { return 0; }
  /// L: no Hessian of any task has a larger eigenvalue anywhere.
  double curvature() {
    double largest = 0;
    for (const auto& range : curvatures()) largest = range.most > largest ? range.most : largest;
    return largest;
  }
};

}  // namespace mugrad
