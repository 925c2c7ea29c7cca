// SPDX-License-Identifier: MIT
#include "method/multitask/coupling.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// What rounding may leave of a zero, relative to the numbers it is a sum of.
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
          "row {} of S sums to {}, and the ridge {} that makes exceeds the task's strong convexity "
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
  // Positive for every M-matrix; an ill-conditioned one may lose that to rounding.
  if (!(std::ranges::min(solve_for_ones()) > 0)) {
    return std::string("S^-1 1 is not positive in every entry");
  }
  return std::nullopt;
}

std::optional<std::string> Coupling::signed_obstacle() const {
  for (std::size_t i = 0; i < radii_.size(); ++i) {
    const double diagonal = s_(static_cast<Index>(i), static_cast<Index>(i));
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
      "S has the eigenvalue {}, and with the tasks' strong convexity the joint objective may curve "
      "by {}",
      eigen_.values.front(), joint.front());
}

std::vector<double> Coupling::solve_for_ones() const {
  std::vector<double> delta(static_cast<std::size_t>(tasks()), 0);
  for (Index k = 0; k < tasks(); ++k) {
    const auto u = eigen_.vectors.row(k);
    double along = 0;
    for (const double entry : u) along += entry;
    along /= eigen_.values[static_cast<std::size_t>(k)];
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
    joint(i, i) += curvatures_[static_cast<std::size_t>(i)].*bound;
  }
  return symmetric_eigen(joint).values;
}

double Coupling::joint_curvature() const {
  double largest = joint_eigenvalues(&CurvatureRange::most).back();
  for (const auto& range : curvatures_) largest = std::max(largest, range.most);
  return largest;
}

}  // namespace mugrad
