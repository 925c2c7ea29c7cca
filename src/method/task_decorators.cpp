// SPDX-License-Identifier: MIT
#include "method/task_decorators.h"

#include "linalg/blas.h"

#include <algorithm>
#include <cassert>

namespace mugrad {

void scale_columns(Matrix<double>& w, std::span<const double> scale) {
  for (Index k = 0; k < w.rows(); ++k) {
    const auto row = w.row(k);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] *= scale[i];
  }
}

RidgedTasks::RidgedTasks(TaskSet<double>& tasks, std::vector<double> ridge, Index free_rows)
    : tasks_(tasks), ridge_(std::move(ridge)), free_rows_(free_rows) {
  assert(std::ssize(ridge_) == tasks.tasks());
}

void RidgedTasks::add_ridge(const Matrix<double>& w, Matrix<double>& to) const {
  for (Index k = free_rows_; k < w.rows(); ++k) {
    const auto from = w.row(k);
    const auto sum = to.row(k);
    for (std::size_t i = 0; i < from.size(); ++i) sum[i] += ridge_[i] * from[i];
  }
}

void RidgedTasks::gradient(const Matrix<double>& weights, Matrix<double>& gradient,
                           std::span<double> values) {
  tasks_.gradient(weights, gradient, values);
  add_ridge(weights, gradient);
  if (values.empty()) return;
  for (Index k = free_rows_; k < weights.rows(); ++k) {
    const auto w = weights.row(k);
    for (std::size_t i = 0; i < w.size(); ++i) values[i] += ridge_[i] / 2 * w[i] * w[i];
  }
}

void RidgedTasks::hessian_product(const Matrix<double>& weights, const Matrix<double>& direction,
                                  Matrix<double>& product) {
  tasks_.hessian_product(weights, direction, product);
  add_ridge(direction, product);
}

std::vector<CurvatureRange> RidgedTasks::curvatures() {
  auto ranges = tasks_.curvatures();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    // A free parameter keeps the curvature it had.
    ranges[i].least += free_rows_ == 0 ? ridge_[i] : std::min(ridge_[i], 0.0);
    ranges[i].most += free_rows_ == 0 ? ridge_[i] : std::max(ridge_[i], 0.0);
  }
  return ranges;
}

RescaledTasks::RescaledTasks(TaskSet<double>& tasks, std::vector<double> scale)
    : tasks_(tasks), scale_(std::move(scale)) {
  assert(std::ssize(scale_) == tasks.tasks());
  assert(std::ranges::all_of(scale_, [](double factor) { return factor > 0; }));
}

void RescaledTasks::gradient(const Matrix<double>& weights, Matrix<double>& gradient,
                             std::span<double> values) {
  scaled_weights_ = weights;
  scale_columns(scaled_weights_, scale_);
  tasks_.gradient(scaled_weights_, gradient, values);
  scale_columns(gradient, scale_);
}

void RescaledTasks::hessian_product(const Matrix<double>& weights, const Matrix<double>& direction,
                                    Matrix<double>& product) {
  scaled_weights_ = weights;
  scale_columns(scaled_weights_, scale_);
  scaled_direction_ = direction;
  scale_columns(scaled_direction_, scale_);
  tasks_.hessian_product(scaled_weights_, scaled_direction_, product);
  scale_columns(product, scale_);
}

std::vector<CurvatureRange> RescaledTasks::curvatures() {
  auto ranges = tasks_.curvatures();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    ranges[i].least *= scale_[i] * scale_[i];
    ranges[i].most *= scale_[i] * scale_[i];
  }
  return ranges;
}

FeaturePenaltyTasks::FeaturePenaltyTasks(TaskSet<double>& tasks, Matrix<double> precision,
                                         CurvatureRange bounds, double lambda, Index free_rows)
    : tasks_(tasks),
      precision_(std::move(precision)),
      bounds_(bounds),
      lambda_(lambda),
      free_rows_(free_rows),
      bent_(precision_.rows(), tasks.tasks()) {
  assert(precision_.rows() == precision_.cols());
  assert(precision_.rows() == tasks.parameters() - free_rows);
}

void FeaturePenaltyTasks::add_penalty(const Matrix<double>& w, Matrix<double>& to) {
  const Index tasks = w.cols();
  blas::multiply<double>(bent_.rows(), tasks, bent_.rows(), {precision_.data(), precision_.cols()},
                         {w.data() + free_rows_ * tasks, tasks}, 0, bent_.data(), tasks);
  for (Index k = 0; k < bent_.rows(); ++k) {
    const auto from = bent_.row(k);
    const auto sum = to.row(k + free_rows_);
    for (std::size_t i = 0; i < from.size(); ++i) sum[i] += lambda_ * from[i];
  }
}

void FeaturePenaltyTasks::gradient(const Matrix<double>& weights, Matrix<double>& gradient,
                                   std::span<double> values) {
  tasks_.gradient(weights, gradient, values);
  add_penalty(weights, gradient);
  if (values.empty()) return;
  for (Index k = 0; k < bent_.rows(); ++k) {
    const auto w = weights.row(k + free_rows_);
    const auto bent = bent_.row(k);
    for (std::size_t i = 0; i < w.size(); ++i) values[i] += lambda_ / 2 * w[i] * bent[i];
  }
}

void FeaturePenaltyTasks::hessian_product(const Matrix<double>& weights,
                                          const Matrix<double>& direction,
                                          Matrix<double>& product) {
  tasks_.hessian_product(weights, direction, product);
  add_penalty(direction, product);
}

std::vector<CurvatureRange> FeaturePenaltyTasks::curvatures() {
  auto ranges = tasks_.curvatures();
  for (auto& range : ranges) {
    range.least += free_rows_ == 0 ? lambda_ * bounds_.least : 0;
    range.most += lambda_ * bounds_.most;
  }
  return ranges;
}

}  // namespace mugrad
