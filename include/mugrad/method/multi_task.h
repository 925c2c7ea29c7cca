// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/mgd.h>
#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// The ways to minimise sum_i f_i(w_i) + (lambda/2) tr(W S W'), equation (13), best first. All
/// reach the same weights.
enum class MultiTaskRoute {
  split,            ///< the row sums of S become a ridge, the rest is transfer; needs S_ij <= 0
  rescaled,         ///< the same for w_i = delta_i v_i, delta = S^-1 1; needs an M-matrix
  signed_transfer,  ///< transfer with negative entries too; needs diagonal dominance
  direct,           ///< descent on the joint objective; needs it to be convex
};

std::string_view to_string(MultiTaskRoute route);

struct MultiTaskOptions {
  /// Default: the first feasible route.
  std::optional<MultiTaskRoute> route = {};
  /// own: row 0 of W is excluded from the coupling.
  Intercepts intercepts = Intercepts::transferred;
  SolverKind solver = SolverKind::accelerated;
  /// Stop when the residual is at most this times the larger of the residuals at the start and at W
  /// = 0, so that a good start is not a disadvantage. 0: run all iterations.
  double tolerance = 1e-6;
  Index max_iterations = 100000;
  Threads threads = {};  ///< never changes the weights
};

/// A route that was not used, and the reason.
struct RouteRefusal {
  MultiTaskRoute route = {};
  std::string reason = {};
};

struct MultiTaskReport {
  MultiTaskRoute route = MultiTaskRoute::split;
  /// Infeasible routes before it; empty if a route was requested.
  std::vector<RouteRefusal> passed_over = {};
  Stop stop = Stop::iteration_limit;
  Index iterations = 0;
  Index passes = 0;  ///< gradients of all tasks
  /// max_i |grad of the joint objective in w_i|, at the returned weights.
  double residual = 0;
  double objective = 0;  ///< value of the joint objective there
};

/// Minimises sum_i f_i(w_i) + (lambda/2) tr(W S W') for the symmetric T x T matrix S, the
/// `coupling`. `weights` is the start and then the result. `progress`, which may be null, observes
/// the run in the units of the route. Throws UsageError if S is not square, symmetric and finite,
/// if lambda is negative, if shapes differ, if the requested route is infeasible, or if the
/// curvature bounds of the tasks do not show that the joint objective is convex. Positive entries
/// off the diagonal are allowed.
MultiTaskReport solve_multi_task(TaskSet<double>& tasks, const Matrix<double>& coupling,
                                 double lambda, Matrix<double>& weights,
                                 const MultiTaskOptions& options = {},
                                 Progress* progress = nullptr);

/// S = I - 11'/T: couples every task to the mean of all (Evgeniou and Pontil 2004).
Matrix<double> mean_coupling(Index tasks);

/// S = diag(A 1) - A, so that tr(W S W') = sum over pairs i < j of A_ij |w_i - w_j|^2. Throws
/// UsageError unless A is square, symmetric, finite and non-negative. The diagonal of A has no
/// effect.
Matrix<double> graph_coupling(const Matrix<double>& adjacency);

}  // namespace mugrad
