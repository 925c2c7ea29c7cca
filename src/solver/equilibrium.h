// SPDX-License-Identifier: MIT
#pragma once

#include "solver/row_parts.h"

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

#include <vector>

namespace mugrad {

/// F(W) = grad f(W) + sigma W (I - Mbar)' of equation (11), whose zero is sought, and how far from
/// zero it is.
template <class Real>
class Equilibrium {
 public:
  Equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, bool with_loss,
              ThreadPool& pool);

  /// field = F(weights), a column per task that `which` lists; empty: all tasks.
  /// Requires: without transfer, or of all tasks.
  void evaluate(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& field,
                std::span<double> mean_bends = {});
  /// product = F'(weights) direction, for all tasks.
  void multiply(const Matrix<Real>& weights, const Matrix<Real>& direction, Matrix<Real>& product);

  /// Of the field last evaluated: |F_i|^2 of each column.
  std::span<const double> squared_norms() const noexcept { return squared_norms_; }
  /// And the largest |F_i|; not finite when any entry is not.
  double residual() const noexcept;
  /// f_i of each column; empty when the loss was not asked for.
  std::span<const double> values() const noexcept { return values_; }
  /// Their sum; NaN when the loss was not asked for.
  double total_loss() const noexcept;
  Index passes() const noexcept { return passes_; }

 private:
  void add_transfer(const Matrix<Real>& weights, Matrix<Real>& field, Index begin, Index end) const;

  TaskSet<Real>& tasks_;
  Transfer<Real>& transfer_;
  double sigma_;
  ThreadPool& pool_;
  Matrix<Real> pulled_;
  /// That of the transfer. Left in, it would push all tasks together outwards, for ever where
  /// nothing else holds them.
  std::vector<Real> excess_;
  std::vector<double> values_;
  PartSums part_norms_;  ///< |F_i|^2 of each part of the parameters
  std::vector<double> squared_norms_;
  Index passes_ = 0;
};

}  // namespace mugrad
