// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// Best responses of some tasks with the weights of all others fixed: player i of equation (11)
/// minimises f_i(w_i) + (sigma/2) sum_j mbar_ij |w_i - w_j|^2 with fixed w_j. These tasks are
/// independent, so each can be solved alone. Values are those of f_i.
template <class Real>
class AnsweringTasks final : public TaskSet<Real> {
 public:
  /// `mbar` is the matrix of all tasks, null if sigma = 0. `all`, `mbar` and `pool` must outlive
  /// the object, which has no tasks initially.
  AnsweringTasks(TaskSet<Real>& all, const CsrMatrix<double>* mbar, Intercepts intercepts,
                 double sigma, ThreadPool& pool);

  /// Selects the tasks; `weights` are those of all tasks. `ids` are ascending and must outlive the
  /// following calls.
  void choose(std::span<const Index> ids, const Matrix<Real>& weights);
  /// The same if the caller knows the borrowed weights: `ridge` is sigma (1 - mbar_ii) of each of
  /// these tasks, column i of `borrowed` is sigma sum_j mbar_ij w_j over the others. Both empty: no
  /// transfer.
  /// Requires: `mbar` was null.
  void choose(std::span<const Index> ids, std::span<const double> ridge, Matrix<Real>& borrowed);

  Index tasks() const override { return std::ssize(ids_); }
  Index parameters() const override { return all_.parameters(); }
  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override;
  std::vector<CurvatureRange> curvatures() override;
  const SharedCurvature<Real>* shared_curvature() override;

  /// The number of single-task gradients computed so far.
  Index served() const noexcept { return served_; }

 private:
  std::span<const Index> in_all(std::span<const Index> which);
  void borrow(const Matrix<Real>& weights);

  TaskSet<Real>& all_;
  const CsrMatrix<double>* mbar_;
  double sigma_;
  ThreadPool& pool_;
  Index first_row_;  ///< the first transferred row of W
  std::span<const Index> ids_;
  std::vector<Index> chosen_;           ///< scratch
  std::vector<double> ridge_;           ///< sigma (1 - mbar_ii); empty without transfer
  Matrix<Real> borrowed_;               ///< sigma sum_j mbar_ij w_j over the others
  std::vector<CurvatureRange> ranges_;  ///< of all tasks; empty until needed
  std::optional<SharedCurvature<Real>> shared_;
  Index served_ = 0;
};

}  // namespace mugrad
