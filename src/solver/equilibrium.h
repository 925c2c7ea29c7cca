// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

#include <algorithm>
#include <vector>

namespace mugrad {

/// F(W) = grad f(W) + sigma W (I - Mbar)' of equation (11), whose zero is sought, and how far from
/// zero it is.
template <class Real>
class Equilibrium {
 public:
  Equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, bool with_loss,
              ThreadPool& pool);

  void evaluate(const Matrix<Real>& weights);

  /// F of the weights last evaluated, a column per task.
  const Matrix<Real>& field() const noexcept { return field_; }
  /// max_i |F_i|; not finite when any entry is not.
  double residual() const noexcept { return residual_; }
  /// sum_i f_i; NaN when the loss was not asked for.
  double total_loss() const noexcept { return total_loss_; }
  Index passes() const noexcept { return passes_; }

  /// Calls work(first, end) for panels of tasks that together cover all, in parallel.
  template <class Work>
  void for_each_panel(const Work& work) {
    constexpr Index kPanel = 64;
    const Index tasks = field_.cols();
    pool_.run((tasks + kPanel - 1) / kPanel,
              [&](Index item) { work(item * kPanel, std::min((item + 1) * kPanel, tasks)); });
  }
  /// Calls work(part, begin, end) for ranges of parameters that together cover all, in parallel.
  template <class Work>
  void for_each_part(const Work& work) {
    pool_.run(part_norms_.rows(), [&](Index part) {
      work(part, part * part_rows_, std::min((part + 1) * part_rows_, field_.rows()));
    });
  }

 private:
  void add_transfer_and_measure(const Matrix<Real>& weights, Index part, Index begin, Index end);
  void add_up_norms();

  TaskSet<Real>& tasks_;
  Transfer<Real>& transfer_;
  double sigma_;
  ThreadPool& pool_;
  Matrix<Real> field_, pulled_;
  std::vector<double> values_;  ///< f_i; empty unless the loss is wanted
  Index part_rows_;
  Matrix<double> part_norms_;          ///< |F_i|^2 of each part of the parameters
  std::vector<double> squared_norms_;  ///< |F_i|^2
  double residual_ = 0;
  double total_loss_;
  Index passes_ = 0;
};

}  // namespace mugrad
