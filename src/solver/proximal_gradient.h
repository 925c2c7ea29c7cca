// SPDX-License-Identifier: MIT
#pragma once

#include "objective/quadratic_function.h"

#include <mugrad/linalg/matrix.h>
#include <mugrad/solver/solve.h>

#include <optional>
#include <vector>

namespace mugrad {

/// What the entries of W cost: sum_kt penalty_k |w_kt|.
struct Sparsity {
  std::vector<double> penalty;  ///< of each row; >= 0
  /// The row at which a square begins whose diagonal stays zero.
  std::optional<Index> zero_diagonal = {};

  bool is_held(Index row, Index column) const noexcept {
    return zero_diagonal && row == *zero_diagonal + column;
  }
  double cost(const Matrix<double>& weights) const noexcept;
  /// By how much, at the most, an entry of the gradient of q is off what a minimum of q plus the
  /// cost requires: -penalty sign(w), or anything up to penalty where w is zero.
  double violation(const Matrix<double>& weights, const Matrix<double>& gradient) const noexcept;
};

/// weights - gradient / curvature, entry by entry, then towards zero by penalty / curvature.
/// Replaces `weights`, row by row from `begin` to `end`.
void soften(const Sparsity& sparsity, const Matrix<double>& gradient,
            const Matrix<double>& curvature, Index begin, Index end, Matrix<double>& weights);

/// Where a function was evaluated, and its gradient there.
struct GradientAt {
  const Matrix<double>& weights;
  const Matrix<double>& gradient;
};

/// Whether a quadratic function bends down on the line through two points, rounding aside: then it
/// falls without bound, and so it does with the cost of any weights added.
/// Requires: its Hessian is at most the diagonal matrix of `curvature`.
bool bends_down(const GradientAt& a, const GradientAt& b, const Matrix<double>& curvature);

struct ProximalStopping {
  /// Stop when ten iterations have lessened the objective by no more than this share of it.
  double tolerance = 1e-6;
  Index max_iterations = 2000;
};

struct ProximalReport {
  Stop stop = Stop::iteration_limit;
  bool is_unbounded = false;  ///< q was seen to bend down: there is no minimum
  Index iterations = 0;
  Index kept = 0;             ///< the iteration whose weights are returned; 0: the start
  double objective = 0;       ///< q(W) plus the cost, at the weights returned
  double first_residual = 0;  ///< the violation at the start
  double residual = 0;        ///< and at the weights returned
};

/// Minimises q(W) plus the cost of W by accelerated proximal gradient steps (Beck and Teboulle
/// 2009) that start anew whenever momentum leads uphill (O'Donoghue and Candes 2015).
/// Requires: the Hessian of q is at most the diagonal matrix of `curvature`, all > 0; `weights` are
/// zero where they are to stay so.
/// Ensures: the objective of `weights` is at most that at the start, and they are finite; a
/// function that is seen to have no minimum ends the run as diverged. The residual that `progress`,
/// which may be null, sees is the share that the tolerance is about.
ProximalReport minimise(QuadraticFunction& q, const Sparsity& sparsity,
                        const Matrix<double>& curvature, Matrix<double>& weights,
                        const ProximalStopping& stopping, Progress* progress = nullptr);

}  // namespace mugrad
