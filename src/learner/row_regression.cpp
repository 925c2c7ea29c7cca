// SPDX-License-Identifier: MIT
#include "learner/row_regression.h"

#include "objective/logistic.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

double dot(std::span<const double> a, std::span<const double> b) noexcept {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// to += times what.
void add_times(std::span<double> to, double times, std::span<const double> what) noexcept {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += times * what[k];
}

}  // namespace

void RowRegression::start(double positives) {
  const auto rows = as_size(rows_.rows());
  const auto cols = as_size(rows_.cols());
  for (auto* of_row : {&scores_, &slopes_, &curvatures_, &moved_, &along_, &scratch_}) {
    of_row->resize(rows);
  }
  for (auto* of_feature :
       {&gradient_, &direction_, &mean_, &coupling_, &diagonal_, &rest_, &search_, &product_}) {
    of_feature->resize(cols);
  }
  weights_.assign(cols, 0);
  intercept_ = LogisticLoss::log_odds(positives, static_cast<double>(rows));
  std::ranges::fill(scores_, intercept_);
  std::ranges::fill(scratch_, 1 / static_cast<double>(rows));
  rows_.multiply_transposed(scratch_, mean_);
  value_ = loss_at(0);
}

double RowRegression::bytes(const DesignShape& design, double rows) noexcept {
  constexpr double kGrown = 1.5;     // spare capacity of appended vectors
  constexpr double kPerRow = 7 * 8;  // scores, slopes etc.
  constexpr double kPerColumn = 9 * 8;
  const auto features = static_cast<double>(design.cols - 1);
  const double entries = rows * static_cast<double>(design.stored) /
                         static_cast<double>(std::max<Index>(1, design.rows));
  const double columns = std::min(features, entries);
  const double per_entry = sizeof(double) + (design.is_sparse ? sizeof(std::int32_t) : 0);
  return kGrown * entries * per_entry + kPerRow * rows + kPerColumn * columns +
         features * sizeof(std::int32_t);
}

RowRegression::Result RowRegression::solve(std::span<const std::int32_t> positives,
                                           std::span<const std::int32_t> negatives, double rho,
                                           const Stopping& stopping) {
  assert(rho >= 0 && !positives.empty() && !negatives.empty());
  // Below this share of the first residual, a step without gain is due to rounding.
  constexpr double kNearRounding = 1e-10;
  rows_.select(positives, negatives);
  positives_ = positives.size();
  rho_ = rho;
  start(static_cast<double>(positives.size()));
  Result result;
  result.first_residual = result.residual = measure_gradient();
  result.passes = 2;
  const double target = stopping.tolerance * result.first_residual;
  for (Index iteration = 0; result.residual > target; ++iteration) {
    if (iteration == stopping.max_iterations) {
      result.stop = Stop::iteration_limit;
      break;
    }
    find_direction(std::clamp(0.5 * target / result.residual, 1e-3, 0.1), result);
    const bool moved = take_step();
    const double before = result.residual;
    if (moved) result.residual = measure_gradient();
    ++result.passes;
    const bool is_rounding = before <= kNearRounding * result.first_residual;
    if (!moved || (is_rounding && result.residual > before / 2)) {
      if (result.residual > target) result.stop = Stop::stalled;
      break;
    }
  }
  result.value = value_;
  return result;
}

double RowRegression::intercept() const noexcept {
  double intercept = intercept_;
  const auto shift = design_.shift();
  if (shift.empty()) return intercept;
  const auto features = rows_.features();
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    intercept += shift[as_size(features[k])] * weights_[k];
  }
  return intercept;
}

/// The loss at this step along the direction.
double RowRegression::loss_at(double step) const {
  double sum = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const double z = step == 0 ? scores_[i] : scores_[i] + step * along_[i];
    sum += LogisticLoss::value(z, i < positives_);
  }
  double squares = 0;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    const double weight = step == 0 ? weights_[k] : weights_[k] + step * direction_[k];
    squares += weight * weight;
  }
  return sum / static_cast<double>(scores_.size()) + rho_ / 2 * squares;
}

/// Returns its norm, for centred features.
double RowRegression::measure_gradient() {
  const double share = 1 / static_cast<double>(scores_.size());
  intercept_gradient_ = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const double h = LogisticLoss::probability(scores_[i]);
    slopes_[i] = share * (h - (i < positives_ ? 1.0 : 0.0));
    curvatures_[i] = share * LogisticLoss::second_derivative(scores_[i]);
    intercept_gradient_ += slopes_[i];
  }
  rows_.multiply_transposed(slopes_, gradient_);
  double squares = intercept_gradient_ * intercept_gradient_;
  for (std::size_t k = 0; k < gradient_.size(); ++k) {
    gradient_[k] += rho_ * weights_[k];
    const double centred = gradient_[k] - mean_[k] * intercept_gradient_;
    squares += centred * centred;
  }
  return std::sqrt(squares);
}

/// The Hessian [s c'; c A]: s, c and the diagonal of A - c c' / s.
void RowRegression::prepare_system() {
  constexpr double kFlattest = 1e-12;  // of the largest entry, to keep steps finite
  total_curvature_ = std::max(std::accumulate(curvatures_.begin(), curvatures_.end(), 0.0),
                              std::numeric_limits<double>::min());
  rows_.multiply_transposed(curvatures_, coupling_);
  rows_.multiply_squares(curvatures_, diagonal_);
  double largest = 0;
  for (std::size_t k = 0; k < diagonal_.size(); ++k) {
    const double variance = diagonal_[k] - coupling_[k] * coupling_[k] / total_curvature_;
    diagonal_[k] = std::max(0.0, variance) + rho_;
    largest = std::max(largest, diagonal_[k]);
  }
  const double least = std::max(kFlattest * largest, std::numeric_limits<double>::min());
  for (double& entry : diagonal_) entry = std::max(entry, least);
}

/// product = (A - c c' / s) v, and moved = X v.
void RowRegression::multiply_system(std::span<const double> v) {
  rows_.multiply(v, moved_);
  const double mean = dot(curvatures_, moved_) / total_curvature_;
  for (std::size_t i = 0; i < moved_.size(); ++i) scratch_[i] = curvatures_[i] * (moved_[i] - mean);
  rows_.multiply_transposed(scratch_, product_);
  add_times(product_, rho_, v);
}

/// Newton's step: (A - c c' / s) d = -(g - c g_0 / s) for the weights, and the resulting step of
/// the intercept. Conjugate gradients stop when the residual is this share of the initial one.
void RowRegression::find_direction(double accuracy, Result& result) {
  prepare_system();
  ++result.passes;
  const double ratio = intercept_gradient_ / total_curvature_;
  std::ranges::fill(direction_, 0.0);
  std::ranges::fill(along_, 0.0);
  for (std::size_t k = 0; k < rest_.size(); ++k) {
    rest_[k] = ratio * coupling_[k] - gradient_[k];
    search_[k] = rest_[k] / diagonal_[k];
  }
  double size = dot(rest_, search_);
  const double enough = accuracy * accuracy * size;
  for (std::size_t round = 0; round < rest_.size() + 10 && size > enough; ++round) {
    multiply_system(search_);
    ++result.passes;
    const double curvature = dot(search_, product_);
    if (!(curvature > 0)) break;
    const double step = size / curvature;
    add_times(direction_, step, search_);
    add_times(along_, step, moved_);
    double next_size = 0;
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      rest_[k] -= step * product_[k];
      next_size += rest_[k] * rest_[k] / diagonal_[k];
    }
    const double keep = next_size / size;
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      search_[k] = rest_[k] / diagonal_[k] + keep * search_[k];
    }
    size = next_size;
  }
  intercept_direction_ = -(intercept_gradient_ + dot(curvatures_, along_)) / total_curvature_;
  for (double& entry : along_) entry += intercept_direction_;
}

/// Shortens the step until the loss decreases sufficiently. Returns whether it does at all.
bool RowRegression::take_step() {
  constexpr double kShare = 1e-4;  // of the decrease predicted by the slope
  constexpr int kHalvings = 40;
  const double slope = intercept_gradient_ * intercept_direction_ + dot(gradient_, direction_);
  if (!(slope < 0)) return false;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::fabs(value_);
  double step = 1;
  for (int halving = 0; halving < kHalvings; ++halving, step /= 2) {
    const double value = loss_at(step);
    if (!(value <= value_ + kShare * step * slope + rounding)) continue;
    value_ = value;
    intercept_ += step * intercept_direction_;
    add_times(weights_, step, direction_);
    add_times(scores_, step, along_);
    return true;
  }
  return false;
}

}  // namespace mugrad
