// SPDX-License-Identifier: MIT
#pragma once

#include "objective/smoothed_l1.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/objective/linear_tasks.h>

namespace mugrad {

/// The penalty of linear tasks on all weights except the intercepts in row 0: (rho/2) |w|^2 and tau
/// times the smoothed L1.
class Penalty {
 public:
  explicit Penalty(const LinearTaskOptions& options)
      : rho_(options.rho), l1_(options.l1), smoothed_{options.l1_sharpness} {}

  double curvature() const noexcept { return rho_ + l1_ * smoothed_.curvature(); }
  double rho() const noexcept { return rho_; }
  void set_rho(double rho) noexcept { rho_ = rho; }

  /// For one row of W and of the gradient.
  template <class Real>
  void add_gradient(Index row, std::span<const Real> w, std::span<Real> gradient) const {
    if (row == 0) return;
    const auto rho = static_cast<Real>(rho_);
    for (std::size_t t = 0; t < w.size(); ++t) gradient[t] += rho * w[t];
    if (l1_ == 0) return;
    const auto l1 = static_cast<Real>(l1_);
    for (std::size_t t = 0; t < w.size(); ++t) gradient[t] += l1 * smoothed_.derivative(w[t]);
  }

  template <class Real>
  void add_hessian_product(Index row, std::span<const Real> w, std::span<const Real> direction,
                           std::span<Real> product) const {
    if (row == 0) return;
    const auto rho = static_cast<Real>(rho_);
    for (std::size_t t = 0; t < w.size(); ++t) product[t] += rho * direction[t];
    if (l1_ == 0) return;
    const auto l1 = static_cast<Real>(l1_);
    for (std::size_t t = 0; t < w.size(); ++t) {
      product[t] += l1 * smoothed_.second_derivative(w[t]) * direction[t];
    }
  }

  template <class Real>
  void add_values(const Matrix<Real>& weights, std::span<double> values) const {
    for (Index k = 1; k < weights.rows(); ++k) {
      const auto row = weights.row(k);
      for (std::size_t t = 0; t < row.size(); ++t) {
        const auto w = static_cast<double>(row[t]);
        values[t] += rho_ / 2 * w * w;
        if (l1_ != 0) values[t] += l1_ * smoothed_.value(w);
      }
    }
  }

 private:
  double rho_;
  double l1_;
  SmoothedL1 smoothed_;
};

}  // namespace mugrad
