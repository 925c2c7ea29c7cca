// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// Options of find_equilibrium.
struct EquilibriumOptions {
  double sigma = 0;  ///< transfer strength, >= 0; 0 solves every task alone
  Stopping stopping = {};
  Progress* progress = nullptr;
};

/// Finds the equilibrium F(W) = grad f(W) + sigma W (I - Mbar)' = 0, equation (11), in few passes
/// over the data and without a step size. If the transfer is reversible or absent, F is the
/// gradient of a convex function, equation (12), which a preconditioned quasi-Newton method
/// minimises. Any other transfer is solved by a preconditioned Newton-Krylov method.
/// Requires: the transfer does not change with the iteration; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's. Exception: an interrupted run
/// with more tasks than are solved together reports the residuals last computed for each task.
template <class Real>
SolveReport find_equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, Matrix<Real>& weights,
                             const EquilibriumOptions& options, ThreadPool& pool);

/// Options of run_mgd.
struct MgdStepping {
  double sigma = 0;  ///< transfer strength, >= 0; 0 solves every task alone
  double step = 0;   ///< alpha, > 0; a step above theory::largest_safe_step may diverge
  Stopping stopping = {};
  Progress* progress = nullptr;
};

/// Plain MGD, equation (6): W <- W - step (grad f(W) + sigma W (I - Mbar)'), all tasks from the
/// same iterate.
/// Requires: `weights` holds the start.
/// Ensures: weights hold the last iterate, whose residual is the report's.
template <class Real>
SolveReport run_mgd(TaskSet<Real>& tasks, Transfer<Real>& transfer, Matrix<Real>& weights,
                    const MgdStepping& stepping, ThreadPool& pool);

/// Minimises one convex function of all parameters. The tasks are its columns: their values sum to
/// the function, and their gradients, which may depend on all columns, are its gradient. Uses a
/// preconditioned quasi-Newton method with one pass over the data per iteration.
/// Requires: `weights` holds the start.
/// Ensures: weights hold the point whose residual, the largest |gradient| of a column, is the
/// report's.
template <class Real>
SolveReport minimise(TaskSet<Real>& tasks, Matrix<Real>& weights, const Stopping& stopping,
                     Progress* progress, ThreadPool& pool);

}  // namespace mugrad
