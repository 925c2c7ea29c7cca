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

  void gradient(const Matrix<double>& weights, Matrix<double>& gradient,
                std::span<double> values) override {
    std::ranges::fill(values, 0.0);
    for (std::size_t i = 0; i < centre_.size(); ++i) {
      for (std::size_t k = 0; k < centre_[i].size(); ++k) {
        const double distance =
            weights(static_cast<Index>(k), static_cast<Index>(i)) - centre_[i][k];
        gradient(static_cast<Index>(k), static_cast<Index>(i)) = curvature_[i][k] * distance;
        if (!values.empty()) values[i] += curvature_[i][k] * distance * distance / 2;
      }
    }
  }

  void hessian_product(const Matrix<double>&, const Matrix<double>& direction,
                       Matrix<double>& product) override {
    for (std::size_t i = 0; i < centre_.size(); ++i) {
      for (std::size_t k = 0; k < centre_[i].size(); ++k) {
        const auto row = static_cast<Index>(k);
        const auto task = static_cast<Index>(i);
        product(row, task) = curvature_[i][k] * direction(row, task);
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
