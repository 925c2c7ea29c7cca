// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>

#include <vector>

namespace mugrad::testing {

/// f_i(w) = 1/2 (w - c_i)' H_i (w - c_i) with any symmetric H_i whose eigenvalues are known.
class FullQuadraticTasks final : public TaskSet<double> {
 public:
  /// One d x d matrix, centre and eigenvalue range per task.
  FullQuadraticTasks(std::vector<Matrix<double>> hessians, std::vector<std::vector<double>> centres,
                     std::vector<CurvatureRange> ranges)
      : hessians_(std::move(hessians)), centres_(std::move(centres)), ranges_(std::move(ranges)) {}

  Index tasks() const override { return std::ssize(hessians_); }
  Index parameters() const override { return hessians_.front().rows(); }

  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures& measures) override {
    for (Index column = 0; column < weights.cols(); ++column) {
      const Index i = task_of(which, column);
      double value = 0;
      for (Index k = 0; k < parameters(); ++k) {
        gradient(k, column) = 0;
        for (Index l = 0; l < parameters(); ++l) {
          gradient(k, column) += hessian(i)(k, l) * (weights(l, column) - centre(i, l));
        }
        value += gradient(k, column) * (weights(k, column) - centre(i, k)) / 2;
      }
      if (!measures.values.empty()) measures.values[static_cast<std::size_t>(column)] = value;
    }
  }

  void hessian_product(std::span<const Index> which, const Matrix<double>&,
                       const Matrix<double>& direction, Matrix<double>& product) override {
    for (Index column = 0; column < direction.cols(); ++column) {
      const Index i = task_of(which, column);
      for (Index k = 0; k < parameters(); ++k) {
        product(k, column) = 0;
        for (Index l = 0; l < parameters(); ++l) {
          product(k, column) += hessian(i)(k, l) * direction(l, column);
        }
      }
    }
  }

  std::vector<CurvatureRange> curvatures() override { return ranges_; }

 private:
  const Matrix<double>& hessian(Index i) const { return hessians_[static_cast<std::size_t>(i)]; }
  double centre(Index i, Index k) const {
    return centres_[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
  }

  std::vector<Matrix<double>> hessians_;
  std::vector<std::vector<double>> centres_;
  std::vector<CurvatureRange> ranges_;
};

}  // namespace mugrad::testing
