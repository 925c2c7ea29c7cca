// SPDX-License-Identifier: MIT
#include "method/multitask/task_decorators.h"

#include "linalg/dense/blas.h"

#include <algorithm>
#include <cassert>

namespace mugrad {

namespace {

/// The entry for a column of the call, given one number per task.
double of_column(std::span<const double> per_task, std::span<const Index> which,
                 std::size_t column) {
  return per_task[as_size(task_of(which, as_index(column)))];
}

}  // namespace

void scale_columns(std::span<const Index> which, std::span<const double> scale, Matrix<double>& w) {
  for (Index k = 0; k < w.rows(); ++k) {
    const auto row = w.row(k);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] *= of_column(scale, which, i);
  }
}

RidgedTasks::RidgedTasks(TaskSet<double>& tasks, std::vector<double> ridge, Index free_rows)
    : tasks_(tasks), ridge_(std::move(ridge)), free_rows_(free_rows) {
  assert(std::ssize(ridge_) == tasks.tasks());
}

void RidgedTasks::add_ridge(std::span<const Index> which, const Matrix<double>& w,
                            Matrix<double>& to) const {
  for (Index k = free_rows_; k < w.rows(); ++k) {
    const auto from = w.row(k);
    const auto sum = to.row(k);
    for (std::size_t i = 0; i < from.size(); ++i) sum[i] += of_column(ridge_, which, i) * from[i];
  }
}

void RidgedTasks::gradient(std::span<const Index> which, const Matrix<double>& weights,
                           Matrix<double>& gradient, const TaskMeasures& measures) {
  tasks_.gradient(which, weights, gradient, measures);
  add_ridge(which, weights, gradient);
  if (measures.values.empty()) return;
  for (Index k = free_rows_; k < weights.rows(); ++k) {
    const auto w = weights.row(k);
    for (std::size_t i = 0; i < w.size(); ++i) {
      measures.values[i] += of_column(ridge_, which, i) / 2 * w[i] * w[i];
    }
  }
}

void RidgedTasks::hessian_product(std::span<const Index> which, const Matrix<double>& weights,
                                  const Matrix<double>& direction, Matrix<double>& product) {
  tasks_.hessian_product(which, weights, direction, product);
  add_ridge(which, direction, product);
}

std::vector<CurvatureRange> RidgedTasks::curvatures() {
  auto ranges = tasks_.curvatures();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    // A free parameter keeps its curvature.
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

void RescaledTasks::gradient(std::span<const Index> which, const Matrix<double>& weights,
                             Matrix<double>& gradient, const TaskMeasures& measures) {
  scaled_weights_ = weights;
  scale_columns(which, scale_, scaled_weights_);
  // mean_curvatures are with respect to scores, so they do not depend on the units of the
  // parameters.
  tasks_.gradient(which, scaled_weights_, gradient, measures);
  scale_columns(which, scale_, gradient);
}

void RescaledTasks::hessian_product(std::span<const Index> which, const Matrix<double>& weights,
                                    const Matrix<double>& direction, Matrix<double>& product) {
  scaled_weights_ = weights;
  scale_columns(which, scale_, scaled_weights_);
  scaled_direction_ = direction;
  scale_columns(which, scale_, scaled_direction_);
  tasks_.hessian_product(which, scaled_weights_, scaled_direction_, product);
  scale_columns(which, scale_, product);
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
      product_(as_size(precision_.rows() * tasks.tasks())) {
  assert(precision_.rows() == precision_.cols());
  assert(precision_.rows() == tasks.parameters() - free_rows);
}

void FeaturePenaltyTasks::add_penalty(const Matrix<double>& w, Matrix<double>& to) {
  const Index columns = w.cols();
  const Index rows = precision_.rows();
  blas::multiply<double>(rows, columns, rows, {precision_.data(), rows},
                         {w.data() + free_rows_ * columns, columns}, 0, product_.data(), columns);
  const auto penalised = to.values().subspan(as_size(free_rows_ * columns));
  for (std::size_t k = 0; k < penalised.size(); ++k) penalised[k] += lambda_ * product_[k];
}

void FeaturePenaltyTasks::gradient(std::span<const Index> which, const Matrix<double>& weights,
                                   Matrix<double>& gradient, const TaskMeasures& measures) {
  tasks_.gradient(which, weights, gradient, measures);
  add_penalty(weights, gradient);
  if (measures.values.empty()) return;
  for (Index k = 0; k < precision_.rows(); ++k) {
    const auto w = weights.row(k + free_rows_);
    const double* const product = product_.data() + k * weights.cols();
    for (std::size_t i = 0; i < w.size(); ++i) {
      measures.values[i] += lambda_ / 2 * w[i] * product[i];
    }
  }
}

void FeaturePenaltyTasks::hessian_product(std::span<const Index> which,
                                          const Matrix<double>& weights,
                                          const Matrix<double>& direction,
                                          Matrix<double>& product) {
  tasks_.hessian_product(which, weights, direction, product);
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
