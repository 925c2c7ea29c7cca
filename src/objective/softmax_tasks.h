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

/// What softmax regressions on these features share, whatever their classes.
template <class Real>
SharedCurvature<Real> softmax_curvature(const Design<Real>& design, double rho, ThreadPool& pool);

/// Multinomial logistic regression. The columns are the classes of one convex function, for
/// minimise(),
///
///     f(W) = mean over the examples of (log sum_c exp(z_c) - z_class) + (rho/2) |W|^2,
///
/// with z = W' (1, x) and the intercepts, row 0, not penalised. Each class has the losses of its
/// examples and its part of the penalty for its value. One pass over the features serves all
/// classes. Calls serve all columns: `which` must be empty.
///
/// The mean bend of a class is that of p (1 - p) over that of 1 - p, p its probability: where p is
/// the same for all examples, and for two classes, the means of the Hessian's diag(p) - p p' then
/// are what SharedCurvature makes of the bends.
template <class Real>
class SoftmaxTasks final : public TaskSet<Real> {
 public:
  /// For up to `most_classes` classes. The L2 strength is the ridge of `shared`, which comes from
  /// softmax_curvature. All three must outlive it.
  SoftmaxTasks(const Design<Real>& design, const SharedCurvature<Real>& shared, Index most_classes,
               ThreadPool& pool);
  /// As the other, for another pool, so that both can be solved at once; they share what is stored
  /// of the features.
  SoftmaxTasks(const SoftmaxTasks& other, ThreadPool& pool);

  /// The class of each example, of which there are `classes`. Requires: every class has an
  /// example; `of_row` outlives the calls that follow.
  void set_classes(std::span<const std::int32_t> of_row, Index classes);
  /// Weights with which every class has its share of the examples as its probability.
  Matrix<Real> start() const;

  Index tasks() const override { return std::ssize(share_); }
  Index parameters() const override { return design_.cols(); }
  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override;
  /// Of f, not of its columns: diag(p) - p p' has no eigenvalue above a half (Boehning 1992).
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
  std::vector<double> share_;   ///< of the examples, of each class
  std::vector<double> losses_;  ///< of each example, when values are wanted
  double gram_bound_ = -1;      ///< of the largest eigenvalue of X'X / n; negative: not known yet
};

}  // namespace mugrad
