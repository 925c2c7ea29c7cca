// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>

#include <vector>

namespace mugrad {

/// f_i(w) + (ridge_i / 2) |w|^2, without the first `free_rows` parameters in the norm. A ridge may
/// be negative if the task's strong convexity outweighs it.
class RidgedTasks final : public TaskSet<double> {
 public:
  RidgedTasks(TaskSet<double>& tasks, std::vector<double> ridge, Index free_rows);

  Index tasks() const override { return tasks_.tasks(); }
  Index parameters() const override { return tasks_.parameters(); }
  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<double>& weights,
                       const Matrix<double>& direction, Matrix<double>& product) override;
  std::vector<CurvatureRange> curvatures() override;

 private:
  void add_ridge(std::span<const Index> which, const Matrix<double>& w, Matrix<double>& to) const;

  TaskSet<double>& tasks_;
  std::vector<double> ridge_;
  Index free_rows_;
};

/// f_i(scale_i v): the tasks in the parameters v_i = w_i / scale_i.
class RescaledTasks final : public TaskSet<double> {
 public:
  /// Requires: every scale > 0.
  RescaledTasks(TaskSet<double>& tasks, std::vector<double> scale);

  Index tasks() const override { return tasks_.tasks(); }
  Index parameters() const override { return tasks_.parameters(); }
  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<double>& weights,
                       const Matrix<double>& direction, Matrix<double>& product) override;
  std::vector<CurvatureRange> curvatures() override;

 private:
  TaskSet<double>& tasks_;
  std::vector<double> scale_;
  Matrix<double> scaled_weights_, scaled_direction_;
};

/// f_i(w) + (lambda / 2) u' P u, u = w without its first `free_rows` parameters: equation (14) with
/// P = Theta^-1.
class FeaturePenaltyTasks final : public TaskSet<double> {
 public:
  /// Requires: precision is symmetric with eigenvalues in [bounds.least, bounds.most], least >= 0.
  FeaturePenaltyTasks(TaskSet<double>& tasks, Matrix<double> precision, CurvatureRange bounds,
                      double lambda, Index free_rows);

  Index tasks() const override { return tasks_.tasks(); }
  Index parameters() const override { return tasks_.parameters(); }
  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures& measures) override;
  void hessian_product(std::span<const Index> which, const Matrix<double>& weights,
                       const Matrix<double>& direction, Matrix<double>& product) override;
  std::vector<CurvatureRange> curvatures() override;

 private:
  /// to += lambda P u of every column.
  void add_penalty(const Matrix<double>& w, Matrix<double>& to);

  TaskSet<double>& tasks_;
  Matrix<double> precision_;
  CurvatureRange bounds_;
  double lambda_;
  Index free_rows_;
  std::vector<double> product_;  ///< P u of every column of the call
};

/// Multiplies the column of task i by scale_i.
void scale_columns(std::span<const Index> which, std::span<const double> scale, Matrix<double>& w);

}  // namespace mugrad
