// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/transfer/transfer.h>

#include <span>
#include <vector>

namespace mugrad {

/// sum_i f_i(w_i) + (lambda/2) tr(W S W') of equation (13), measured rather than minimised.
class JointObjective {
 public:
  /// Requires: s is symmetric, tasks x tasks. Both must outlive the object.
  JointObjective(TaskSet<double>& tasks, const Matrix<double>& s, double lambda,
                 Intercepts intercepts);

  void evaluate(const Matrix<double>& weights);

  double value() const noexcept { return value_; }
  /// |gradient in w_i| of every task.
  std::span<const double> gradient_norms() const noexcept { return norms_; }
  /// The largest of them.
  double residual() const;
  Index passes() const noexcept { return passes_; }

 private:
  TaskSet<double>& tasks_;
  const Matrix<double>& s_;
  double lambda_;
  Index free_rows_;
  Matrix<double> gradient_, coupled_;
  std::vector<double> values_, norms_;
  double value_ = 0;
  Index passes_ = 0;
};

}  // namespace mugrad
