// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/dense/eigenvalues.h"

#include <mugrad/method/multi_task.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/transfer/transfer.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// The coupling (lambda/2) tr(W S W') of equation (13) of tasks of known curvature, and the routes
/// it allows.
class Coupling {
 public:
  /// Throws UsageError unless s is tasks x tasks, finite and symmetric, and lambda >= 0.
  Coupling(const Matrix<double>& s, double lambda, std::vector<CurvatureRange> curvatures);

  Index tasks() const noexcept { return s_.rows(); }
  const Matrix<double>& s() const noexcept { return s_; }
  double lambda() const noexcept { return lambda_; }
  const std::vector<CurvatureRange>& curvatures() const noexcept { return curvatures_; }
  /// r = S 1; sums that are zero up to rounding are zero.
  const std::vector<double>& row_sums() const noexcept { return row_sums_; }
  /// sum_{j != i} |S_ij|.
  const std::vector<double>& radii() const noexcept { return radii_; }

  /// Why the route is infeasible; empty: it is feasible.
  std::optional<std::string> obstacle(MultiTaskRoute route) const;
  /// delta = S^-1 1, scaled to a largest entry of 1. Requires: no obstacle to `rescaled`.
  std::vector<double> rescaling() const;
  /// The largest eigenvalue of diag(L_i) + lambda S, or max L_i if that is larger.
  double joint_curvature() const;

 private:
  std::optional<std::string> positive_entry() const;
  std::optional<std::string> split_obstacle() const;
  std::optional<std::string> rescaled_obstacle() const;
  std::optional<std::string> signed_obstacle() const;
  std::optional<std::string> direct_obstacle() const;
  /// Eigenvalues of diag(CurvatureRange::*bound) + lambda S.
  std::vector<double> joint_eigenvalues(double CurvatureRange::*bound) const;
  std::vector<double> solve_for_ones() const;

  Matrix<double> s_;
  double lambda_;
  std::vector<CurvatureRange> curvatures_;
  std::vector<double> row_sums_, radii_;
  SymmetricEigen eigen_;
};

/// Throws UsageError, naming the matrix as `name`, unless it is size x size, finite and symmetric
/// up to rounding.
void require_symmetric(const Matrix<double>& a, Index size, std::string_view name);

/// Evaluates sum_i f_i(w_i) + (lambda/2) tr(W S W') of equation (13).
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
