// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>

#include <algorithm>
#include <vector>

namespace mugrad::testing {

/// f_i(w) = 1/2 sum_k h_ik (w_k - c_ik)^2: tasks whose solutions are known.
class QuadraticTasks final : public TaskSet<double> {
 public:
  /// One row of curvatures and of centres per task.
  QuadraticTasks(std::vector<std::vector<double>> curvature,
                 std::vector<std::vector<double>> centre)
      : curvature_(std::move(curvature)), centre_(std::move(centre)) {}

  Index tasks() const override { return std::ssize(centre_); }
  Index parameters() const override { return std::ssize(centre_.front()); }

  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures& measures) override {
    for (Index column = 0; column < weights.cols(); ++column) {
      const auto i = static_cast<std::size_t>(task_of(which, column));
      double value = 0;
      for (std::size_t k = 0; k < centre_[i].size(); ++k) {
        const double distance = weights(static_cast<Index>(k), column) - centre_[i][k];
        gradient(static_cast<Index>(k), column) = curvature_[i][k] * distance;
        value += curvature_[i][k] * distance * distance / 2;
      }
      if (!measures.values.empty()) measures.values[static_cast<std::size_t>(column)] = value;
    }
  }

  void hessian_product(std::span<const Index> which, const Matrix<double>&,
                       const Matrix<double>& direction, Matrix<double>& product) override {
    for (Index column = 0; column < direction.cols(); ++column) {
      const auto i = static_cast<std::size_t>(task_of(which, column));
      for (std::size_t k = 0; k < centre_[i].size(); ++k) {
        const auto row = static_cast<Index>(k);
        product(row, column) = curvature_[i][k] * direction(row, column);
      }
    }
  }

  std::vector<CurvatureRange> curvatures() override {
    std::vector<CurvatureRange> ranges;
    for (const auto& task : curvature_) {
      ranges.push_back({.least = std::ranges::min(task), .most = std::ranges::max(task)});
    }
    return ranges;
  }

 private:
  std::vector<std::vector<double>> curvature_, centre_;
};

}  // namespace mugrad::testing
