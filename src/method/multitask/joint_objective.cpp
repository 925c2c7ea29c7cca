// SPDX-License-Identifier: MIT
#include "method/multitask/joint_objective.h"

#include "linalg/dense/blas.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace mugrad {

JointObjective::JointObjective(TaskSet<double>& tasks, const Matrix<double>& s, double lambda,
                               Intercepts intercepts)
    : tasks_(tasks),
      s_(s),
      lambda_(lambda),
      free_rows_(intercepts == Intercepts::own ? 1 : 0),
      gradient_(tasks.parameters(), tasks.tasks()),
      coupled_(tasks.parameters() - free_rows_, tasks.tasks()),
      values_(static_cast<std::size_t>(tasks.tasks())),
      norms_(values_.size()) {
  assert(s.rows() == tasks.tasks() && s.cols() == tasks.tasks());
}

void JointObjective::evaluate(const Matrix<double>& weights) {
  tasks_.gradient({}, weights, gradient_, {.values = values_});
  ++passes_;
  const Index t = weights.cols();
  blas::multiply<double>(coupled_.rows(), t, t, {weights.data() + free_rows_ * t, t},
                         {s_.data(), t}, 0, coupled_.data(), t);
  double penalty = 0;
  for (Index k = 0; k < coupled_.rows(); ++k) {
    const auto w = weights.row(k + free_rows_);
    const auto ws = coupled_.row(k);
    const auto gradient = gradient_.row(k + free_rows_);
    for (std::size_t i = 0; i < w.size(); ++i) {
      penalty += w[i] * ws[i];
      gradient[i] += lambda_ * ws[i];
    }
  }
  value_ = std::accumulate(values_.begin(), values_.end(), lambda_ / 2 * penalty);

  std::ranges::fill(norms_, 0.0);
  for (Index k = 0; k < gradient_.rows(); ++k) {
    const auto gradient = gradient_.row(k);
    for (std::size_t i = 0; i < norms_.size(); ++i) norms_[i] += gradient[i] * gradient[i];
  }
  for (double& norm : norms_) norm = std::sqrt(norm);
}

double JointObjective::residual() const { return std::ranges::max(norms_); }

}  // namespace mugrad
