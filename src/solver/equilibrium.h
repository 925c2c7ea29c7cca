// SPDX-License-Identifier: MIT
#pragma once

#include "solver/row_parts.h"

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

#include <vector>

namespace mugrad {

/// F(W) = grad f(W) + sigma W (I - Mbar)' of equation (11), whose zero is the equilibrium, and its
/// norm.
template <class Real>
class Equilibrium {
 public:
  Equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, bool with_loss,
              ThreadPool& pool);

  /// field = F(weights), one column per task in `which`; empty: all tasks.
  /// Requires: no transfer, or all tasks.
  void evaluate(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& field,
                std::span<double> mean_curvatures = {});
  /// product = F'(weights) direction, for all tasks.
  void multiply(const Matrix<Real>& weights, const Matrix<Real>& direction, Matrix<Real>& product);

  /// F_i|^2 of each column of the last evaluated field.
  std::span<const double> squared_norms() const noexcept { return squared_norms_; }
  /// The largest |F_i|; not finite if any entry is not.
  double residual() const noexcept;
  /// f_i of each column; empty unless the loss was requested.
  std::span<const double> values() const noexcept { return values_; }
  /// Their sum; NaN unless the loss was requested.
  double total_loss() const noexcept;
  Index passes() const noexcept { return passes_; }

 private:
  void add_transfer(const Matrix<Real>& weights, Matrix<Real>& field, Index begin, Index end) const;

  TaskSet<Real>& tasks_;
  Transfer<Real>& transfer_;
  double sigma_;
  ThreadPool& pool_;
  Matrix<Real> borrowed_;
  /// The excess of the transfer. Without its correction all tasks together would drift outwards,
  /// without limit if nothing else stops them.
  std::vector<Real> excess_;
  std::vector<double> values_;
  PartSums part_norms_;  ///< |F_i|^2 of each part of the parameters
  std::vector<double> squared_norms_;
  Index passes_ = 0;
};

}  // namespace mugrad
