// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <span>
#include <vector>

namespace mugrad {

/// The common part of the Hessians of linear tasks on the same features. With centred features, the
/// Hessian of task i is about curvature_i for the intercept, parameter 0, and
///
///     curvature_i C + ridge I
///
/// for the other parameters. C is the covariance of the features, curvature_i the mean curvature of
/// TaskMeasures. C is represented by its leading eigenvectors. A feature that some tasks may not
/// use is treated as centred and uncorrelated with all others, so that only its own gradient
/// changes its weights.
template <class Real>
struct SharedCurvature {
  std::vector<double> mean = {};         ///< of the features; empty: they are centred
  Matrix<Real> eigenvectors = {};        ///< one per row, orthonormal
  std::vector<double> eigenvalues = {};  ///< of the eigenvectors, descending
  double rest = 0;                       ///< the mean of the other eigenvalues
  double ridge = 0;
  std::vector<double> ridge_of_task = {};  ///< additional ridge per task; empty: none
  /// The tasks are the columns of one function that is invariant when all scores of an example
  /// shift together. Its gradients, and steps to its minimum, sum to zero over the columns. The
  /// approximate Hessian, B for each direction, is then B - B 1 1' B / 1' B 1.
  bool columns_sum_to_zero = false;
  Index passes = 0;  ///< over the data to compute this, until a run has counted them
};

/// Bounds on the eigenvalues of a task's Hessian, valid everywhere.
struct CurvatureRange {
  double least = 0;  ///< xi; 0: not known to be strongly convex
  double most = 0;   ///< L
};

/// Further outputs of a gradient call, one number per column; empty spans are not filled.
struct TaskMeasures {
  std::span<double> values = {};  ///< f_i(w_i)
  /// The mean over the examples of task i of the second derivative of its loss at w_i. Task sets
  /// without such a mean leave it unchanged.
  std::span<double> mean_curvatures = {};
};

/// The task that a column of a call belongs to; see TaskSet.
inline Index task_of(std::span<const Index> which, Index column) {
  return which.empty() ? column : which[as_size(column)];
}

/// T tasks f_1 ... f_T with parameters of one shape: a matrix W with one column per task. Solvers
/// use only these calls and never see the data of the tasks. Calls may use scratch space of the
/// object, so only one solver may use it at a time.
///
/// Calls evaluate the tasks in `which`, in ascending order, one per column of their matrices; an
/// empty list means all tasks.
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
  /// The curvature bounds of each task.
  virtual std::vector<CurvatureRange> curvatures() = 0;
  /// The common part of the Hessians, or null if it is unknown. Valid as long as the tasks.
  virtual const SharedCurvature<Real>* shared_curvature() { return nullptr; }
  /// The passes over the data that computing it took, for the report of one run: 0 before it is
  /// computed, and after they were returned once.
  virtual Index take_shared_passes() { return 0; }
  /// L, an upper bound on the eigenvalues of all Hessians.
  double curvature() {
    double largest = 0;
    for (const auto& range : curvatures()) largest = range.most > largest ? range.most : largest;
    return largest;
  }
};

}  // namespace mugrad
