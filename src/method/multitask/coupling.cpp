// SPDX-License-Identifier: MIT
#include "method/multitask/coupling.h"

#include "linalg/dense/blas.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

/// Rounding error of a zero, relative to the terms of its sum.
constexpr double kRounding = 1e-12;

double largest_magnitude(const Matrix<double>& a) {
  double largest = 0;
  for (const double entry : a.values()) largest = std::max(largest, std::fabs(entry));
  return largest;
}

}  // namespace

void require_symmetric(const Matrix<double>& a, Index size, std::string_view name) {
  if (a.rows() != size || a.cols() != size) {
    throw UsageError(
        fmt::format("{} is {} x {}, expected {} x {}", name, a.rows(), a.cols(), size, size));
  }
  const double allowed = kRounding * largest_magnitude(a);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      if (!std::isfinite(a(i, j))) {
        throw UsageError(
            fmt::format("{}({}, {}) is {}, expected a finite number", name, i, j, a(i, j)));
      }
      if (j < i && !(std::fabs(a(i, j) - a(j, i)) <= allowed)) {
        throw UsageError(fmt::format("{} is not symmetric: {}({}, {}) is {} and {}({}, {}) is {}",
                                     name, name, i, j, a(i, j), name, j, i, a(j, i)));
      }
    }
  }
}

Coupling::Coupling(const Matrix<double>& s, double lambda, std::vector<CurvatureRange> curvatures)
    : s_(s), lambda_(lambda), curvatures_(std::move(curvatures)) {
  require_symmetric(s, std::ssize(curvatures_), "S");
  if (!(lambda >= 0 && std::isfinite(lambda))) {
    throw UsageError(fmt::format("lambda must be >= 0, got {}", lambda));
  }
  for (Index i = 0; i < tasks(); ++i) {
    for (Index j = 0; j < i; ++j) s_(i, j) = s_(j, i) = (s(i, j) + s(j, i)) / 2;
  }
  for (Index i = 0; i < tasks(); ++i) {
    double sum = s_(i, i);
    double radius = 0;
    for (Index j = 0; j < tasks(); ++j) {
      if (j == i) continue;
      sum += s_(i, j);
      radius += std::fabs(s_(i, j));
    }
    const bool rounding = std::fabs(sum) <= kRounding * (std::fabs(s_(i, i)) + radius);
    row_sums_.push_back(rounding ? 0 : sum);
    radii_.push_back(radius);
  }
  eigen_ = symmetric_eigen(s_);
}

std::optional<std::string> Coupling::obstacle(MultiTaskRoute route) const {
  switch (route) {
    case MultiTaskRoute::split:
      return split_obstacle();
    case MultiTaskRoute::rescaled:
      return rescaled_obstacle();
    case MultiTaskRoute::signed_transfer:
      return signed_obstacle();
    case MultiTaskRoute::direct:
      return direct_obstacle();
  }
  return std::nullopt;
}

std::optional<std::string> Coupling::positive_entry() const {
  for (Index i = 0; i < tasks(); ++i) {
    for (Index j = i + 1; j < tasks(); ++j) {
      if (s_(i, j) > 0) {
        return fmt::format("S({}, {}) = {} off the diagonal is positive", i, j, s_(i, j));
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> Coupling::split_obstacle() const {
  if (auto positive = positive_entry()) return positive;
  for (std::size_t i = 0; i < row_sums_.size(); ++i) {
    const double ridge = lambda_ * row_sums_[i];
    if (ridge < 0 && !(curvatures_[i].least + ridge > 0)) {
      return fmt::format(
          "row {} of S sums to {}, and the resulting ridge {} exceeds the task's strong convexity "
          "{}",
          i, row_sums_[i], ridge, curvatures_[i].least);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Coupling::rescaled_obstacle() const {
  if (auto positive = positive_entry()) return positive;
  if (!(eigen_.values.front() > kRounding * eigen_.values.back())) {
    return fmt::format("S is not positive definite: its least eigenvalue is {}",
                       eigen_.values.front());
  }
  // Positive for every M-matrix; an ill-conditioned one may lose this to rounding.
  if (!(std::ranges::min(solve_for_ones()) > 0)) {
    return std::string("S^-1 1 is not positive in every entry");
  }
  return std::nullopt;
}

std::optional<std::string> Coupling::signed_obstacle() const {
  for (std::size_t i = 0; i < radii_.size(); ++i) {
    const double diagonal = s_(as_index(i), as_index(i));
    const double excess = diagonal - radii_[i];
    const bool dominant = excess >= -kRounding * radii_[i];
    if (!dominant && !(curvatures_[i].least + lambda_ * excess > 0)) {
      return fmt::format(
          "row {} of S is not diagonally dominant, {} against {}, by more than the task's strong "
          "convexity {} makes up for",
          i, diagonal, radii_[i], curvatures_[i].least);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Coupling::direct_obstacle() const {
  const double scale = std::max(std::fabs(eigen_.values.front()), std::fabs(eigen_.values.back()));
  if (eigen_.values.front() >= -kRounding * scale) return std::nullopt;
  const auto joint = joint_eigenvalues(&CurvatureRange::least);
  if (joint.front() > 0) return std::nullopt;
  return fmt::format(
      "S has the eigenvalue {}, and with the tasks' strong convexity the joint objective may have "
      "curvature {}",
      eigen_.values.front(), joint.front());
}

std::vector<double> Coupling::solve_for_ones() const {
  std::vector<double> delta(as_size(tasks()), 0);
  for (Index k = 0; k < tasks(); ++k) {
    const auto u = eigen_.vectors.row(k);
    double along = 0;
    for (const double entry : u) along += entry;
    along /= eigen_.values[as_size(k)];
    for (std::size_t i = 0; i < delta.size(); ++i) delta[i] += along * u[i];
  }
  return delta;
}

std::vector<double> Coupling::rescaling() const {
  auto delta = solve_for_ones();
  const double largest = std::ranges::max(delta);
  for (double& entry : delta) entry /= largest;
  return delta;
}

std::vector<double> Coupling::joint_eigenvalues(double CurvatureRange::*bound) const {
  Matrix<double> joint(tasks(), tasks());
  for (Index i = 0; i < tasks(); ++i) {
    for (Index j = 0; j < tasks(); ++j) joint(i, j) = lambda_ * s_(i, j);
    joint(i, i) += curvatures_[as_size(i)].*bound;
  }
  return symmetric_eigen(joint).values;
}

double Coupling::joint_curvature() const {
  double largest = joint_eigenvalues(&CurvatureRange::most).back();
  for (const auto& range : curvatures_) largest = std::max(largest, range.most);
  return largest;
}

JointObjective::JointObjective(TaskSet<double>& tasks, const Matrix<double>& s, double lambda,
                               Intercepts intercepts)
    : tasks_(tasks),
      s_(s),
      lambda_(lambda),
      free_rows_(intercepts == Intercepts::own ? 1 : 0),
      gradient_(tasks.parameters(), tasks.tasks()),
      coupled_(tasks.parameters() - free_rows_, tasks.tasks()),
      values_(as_size(tasks.tasks())),
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
