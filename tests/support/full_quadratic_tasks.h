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

  void gradient(const Matrix<double>& weights, Matrix<double>& gradient,
                std::span<double> values) override {
    for (Index i = 0; i < tasks(); ++i) {
      double value = 0;
      for (Index k = 0; k < parameters(); ++k) {
        gradient(k, i) = 0;
        for (Index l = 0; l < parameters(); ++l) {
          gradient(k, i) += hessian(i)(k, l) * (weights(l, i) - centre(i, l));
        }
        value += gradient(k, i) * (weights(k, i) - centre(i, k)) / 2;
      }
      if (!values.empty()) values[static_cast<std::size_t>(i)] = value;
    }
  }

  void hessian_product(const Matrix<double>&, const Matrix<double>& direction,
                       Matrix<double>& product) override {
    for (Index i = 0; i < tasks(); ++i) {
      for (Index k = 0; k < parameters(); ++k) {
        product(k, i) = 0;
        for (Index l = 0; l < parameters(); ++l) {
          product(k, i) += hessian(i)(k, l) * direction(l, i);
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
