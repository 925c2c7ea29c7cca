// SPDX-License-Identifier: MIT
#pragma once

#include "objective/quadratic_function.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/solver/solve.h>

#include <optional>
#include <vector>

namespace mugrad {

/// The L1 penalty sum_kt penalty_k |w_kt|.
struct Sparsity {
  std::vector<double> penalty;  ///< of each row; >= 0
  /// The first row of a square block whose diagonal stays zero.
  std::optional<Index> zero_diagonal = {};

  bool is_held(Index row, Index column) const noexcept {
    return zero_diagonal && row == *zero_diagonal + column;
  }
  double cost(const Matrix<double>& weights) const noexcept;
  /// The largest violation of the optimality condition for q plus the penalty: each entry of the
  /// gradient of q is -penalty sign(w), or at most the penalty in magnitude if w is zero.
  double violation(const Matrix<double>& weights, const Matrix<double>& gradient) const noexcept;
};

/// Replaces rows [begin, end) of `weights` by weights - gradient / curvature, entry by entry, then
/// shrinks them towards zero by penalty / curvature.
void soften(const Sparsity& sparsity, const Matrix<double>& gradient,
            const Matrix<double>& curvature, Index begin, Index end, Matrix<double>& weights);

/// A point and the gradient of a function there.
struct GradientAt {
  const Matrix<double>& weights;
  const Matrix<double>& gradient;
};

/// Whether a quadratic function has negative curvature on the line through two points, beyond
/// rounding: then it is unbounded below, also with the penalty.
/// Requires: its Hessian is at most the diagonal matrix of `curvature`.
bool has_negative_curvature(const GradientAt& a, const GradientAt& b,
                            const Matrix<double>& curvature);

struct ProximalStopping {
  /// Stop when ten iterations have reduced the objective by at most this share of it.
  double tolerance = 1e-6;
  Index max_iterations = 2000;
};

struct ProximalReport {
  Stop stop = Stop::iteration_limit;
  bool is_unbounded = false;  ///< negative curvature was found: there is no minimum
  Index iterations = 0;
  Index kept = 0;             ///< the iteration whose weights are returned; 0: the start
  double objective = 0;       ///< q(W) plus the penalty, at the returned weights
  double first_residual = 0;  ///< the violation at the start
  double residual = 0;        ///< and at the returned weights
};

/// Minimises q(W) plus the penalty by accelerated proximal gradient steps (Beck and Teboulle 2009)
/// that restart whenever momentum leads uphill (O'Donoghue and Candes 2015).
/// Requires: the Hessian of q is at most the diagonal matrix of `curvature`, all > 0; `weights` are
/// zero where they must stay zero.
/// Ensures: the objective at `weights` is at most that at the start, and they are finite; a run
/// that finds that there is no minimum ends as diverged. The residual passed to `progress`, which
/// may be null, is the share that the tolerance limits.
ProximalReport minimise(QuadraticFunction& q, const Sparsity& sparsity,
                        const Matrix<double>& curvature, Matrix<double>& weights,
                        const ProximalStopping& stopping, Progress* progress = nullptr);

}  // namespace mugrad
