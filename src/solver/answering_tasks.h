// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// Some tasks of a set, each answering to what all others hold: the player i of equation (11)
/// minimises f_i(w_i) + (sigma/2) sum_j mbar_ij |w_i - w_j|^2 with w_j fixed. They do not depend on
/// each other, so each can be solved alone. Values are those of f_i.
template <class Real>
class AnsweringTasks final : public TaskSet<Real> {
 public:
  /// `mbar` is the matrix of all tasks, null when sigma = 0. `all`, `mbar` and `pool` must outlive
  /// the object, which has no tasks yet.
  AnsweringTasks(TaskSet<Real>& all, const CsrMatrix<double>* mbar, Intercepts intercepts,
                 double sigma, ThreadPool& pool);

  /// From now on the tasks are these, answering to `weights`, those of all tasks. `ids` ascend and
  /// must outlive what is asked of the tasks.
  void choose(std::span<const Index> ids, const Matrix<Real>& weights);
  /// The same where someone else knows what the others hold: `ridge` is sigma (1 - mbar_ii) of each
  /// of these tasks, `pull` has sigma sum_j mbar_ij w_j over the others in column i. Both empty:
  /// there is no transfer. Requires: `mbar` was null.
  void choose(std::span<const Index> ids, std::span<const double> ridge, Matrix<Real>& pull);

  Index tasks() const override { return std::ssize(ids_); }
  Index parameters() const override { return all_.parameters(); }
  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override;
  std::vector<CurvatureRange> curvatures() override;
  const SharedCurvature<Real>* shared_curvature() override;

  /// Gradients of one task each that were computed so far.
  Index served() const noexcept { return served_; }

 private:
  std::span<const Index> in_all(std::span<const Index> which);
  void borrow(const Matrix<Real>& weights);

  TaskSet<Real>& all_;
  const CsrMatrix<double>* mbar_;
  double sigma_;
  ThreadPool& pool_;
  Index first_row_;  ///< of W that is borrowed
  std::span<const Index> ids_;
  std::vector<Index> chosen_;           ///< scratch
  std::vector<double> ridge_;           ///< sigma (1 - mbar_ii); empty without transfer
  Matrix<Real> pull_;                   ///< sigma sum_j mbar_ij w_j over the others
  std::vector<CurvatureRange> ranges_;  ///< of all tasks; empty until asked for
  std::optional<SharedCurvature<Real>> shared_;
  Index served_ = 0;
};

}  // namespace mugrad
