// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/design.h"
#include "linalg/pass/fused_pass.h"
#include "objective/penalty.h"

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>
#include <span>
#include <vector>

namespace mugrad {

/// The shared curvature of softmax regressions on these features, for any classes.
template <class Real>
SharedCurvature<Real> softmax_curvature(const Design<Real>& design, double rho, ThreadPool& pool);

/// Multinomial logistic regression. The columns are the classes of one convex function, for
/// minimise(),
///
///     f(W) = mean over the examples of (log sum_c exp(z_c) - z_class) + (rho/2) |W|^2,
///
/// with z = W' (1, x); the intercepts, row 0, are not penalised. The value of a class is the losses
/// of its examples and its part of the penalty. One pass over the features serves all classes.
/// Calls are for all columns: `which` must be empty.
///
/// The mean curvature of a class is the mean of p (1 - p) over that of 1 - p, where p is its
/// probability. With it, SharedCurvature equals the mean of the Hessian's diag(p) - p p' if p is
/// the same for all examples, and for two classes.
template <class Real>
class SoftmaxTasks final : public TaskSet<Real> {
 public:
  /// For up to `most_classes` classes. The L2 strength is the ridge of `shared`, which comes from
  /// softmax_curvature. All three must outlive it.
  SoftmaxTasks(const Design<Real>& design, const SharedCurvature<Real>& shared, Index most_classes,
               ThreadPool& pool);
  /// A copy for another pool, so that both can be solved at once; they share the stored features.
  SoftmaxTasks(const SoftmaxTasks& other, ThreadPool& pool);

  /// Sets the class of each example, out of `classes`. Requires: every class has an example;
  /// `of_row` outlives the following calls.
  void set_classes(std::span<const std::int32_t> of_row, Index classes);
  /// Weights for which the probability of every class is its share of the examples.
  Matrix<Real> start() const;

  Index tasks() const override { return std::ssize(share_); }
  Index parameters() const override { return design_.cols(); }
  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override;
  /// Bounds for f, not for its columns: the eigenvalues of diag(p) - p p' are at most 1/2 (Boehning
  /// 1992).
  std::vector<CurvatureRange> curvatures() override;
  const SharedCurvature<Real>* shared_curvature() override { return &shared_; }

 private:
  class Body;
  class GradientBody;
  class HessianBody;

  void sum_values(const Matrix<Real>& weights, std::span<double> values) const;

  const Design<Real>& design_;
  const SharedCurvature<Real>& shared_;
  Penalty penalty_;
  FusedPass<Real> pass_;
  std::span<const std::int32_t> class_of_row_;
  std::vector<double> share_;   ///< share of the examples in each class
  std::vector<double> losses_;  ///< of each example, if values are needed
  double gram_bound_ = -1;  ///< on the largest eigenvalue of X'X / n; negative: not computed yet
};

}  // namespace mugrad
