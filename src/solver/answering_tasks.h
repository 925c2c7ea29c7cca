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
  /// `ids` ascend. `mbar` is the matrix of all tasks, null when sigma = 0, and `weights` are those
  /// of all tasks; `all`, `ids` and `pool` must outlive the object.
  AnsweringTasks(TaskSet<Real>& all, std::span<const Index> ids, const CsrMatrix<double>* mbar,
                 Intercepts intercepts, double sigma, const Matrix<Real>& weights,
                 ThreadPool& pool);

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
  /// f_i when it was last computed; empty when it never was.
  std::span<const double> values() const noexcept { return values_; }

 private:
  std::span<const Index> in_all(std::span<const Index> which);
  void borrow(const CsrMatrix<double>& mbar, const Matrix<Real>& weights);

  TaskSet<Real>& all_;
  ThreadPool& pool_;
  Index first_row_;  ///< of W that is borrowed
  std::span<const Index> ids_;
  std::vector<Index> chosen_;  ///< scratch
  std::vector<double> ridge_;  ///< sigma (1 - mbar_ii); empty without transfer
  Matrix<Real> pull_;          ///< sigma sum_j mbar_ij w_j over the others
  std::optional<SharedCurvature<Real>> shared_;
  Index served_ = 0;
  std::vector<double> values_;
};

}  // namespace mugrad
