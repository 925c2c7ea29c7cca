// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/selected_rows.h"

#include <mugrad/solver/solve.h>

namespace mugrad {

/// Logistic regressions on a few rows of a design each, equation (1) with the mean over those rows,
/// by Newton's method with conjugate gradients. The cost depends only on the entries of these rows.
///
/// The free intercept absorbs any shift of the features, so features are not shifted while solving;
/// features that occur in none of the rows keep the weight 0.
class RowRegression {
 public:
  /// `design` must outlive it.
  explicit RowRegression(const Design<double>& design) : design_(design), rows_(design) {}

  struct Result {
    Stop stop = Stop::converged;
    Index passes = 0;  ///< over its rows
    double first_residual = 0;
    double residual = 0;  ///< norm of the gradient, for centred features
    double value = 0;     ///< of the loss
  };

  /// The memory for regressions on up to `rows` rows of a design, in bytes.
  static double bytes(const DesignShape& design, double rows) noexcept;

  /// Starts from zero weights and the best intercept for these. Requires: rho >= 0, and rows of
  /// both classes.
  Result solve(std::span<const std::int32_t> positives, std::span<const std::int32_t> negatives,
               double rho, const Stopping& stopping);

  /// The result of the last solve, for the design with its shift: the features with weights, their
  /// weights, and the intercept.
  std::span<const FeatureId> features() const noexcept { return rows_.features(); }
  std::span<const double> weights() const noexcept { return weights_; }
  double intercept() const noexcept;

 private:
  void start(double positives);
  double measure_gradient();
  void prepare_system();
  void multiply_system(std::span<const double> v);
  void find_direction(double accuracy, Result& result);
  bool take_step();
  double loss_at(double step) const;

  const Design<double>& design_;
  SelectedRows rows_;
  std::size_t positives_ = 0;  ///< the first rows
  double rho_ = 0;
  double value_ = 0;
  double intercept_ = 0, intercept_gradient_ = 0, intercept_direction_ = 0;
  double total_curvature_ = 0;
  // One per feature.
  std::vector<double> weights_, gradient_, direction_, mean_, coupling_, diagonal_;
  std::vector<double> rest_, search_, product_;  ///< of conjugate gradients
  // One per row.
  std::vector<double> scores_, slopes_, curvatures_, moved_, along_, scratch_;
};

}  // namespace mugrad
