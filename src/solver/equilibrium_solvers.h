// SPDX-License-Identifier: MIT
#pragma once

#include "solver/quasi_newton_space.h"

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

#include <span>

namespace mugrad {

// The solvers that find_equilibrium chooses from.

/// Results per task, one number each; empty spans are not filled.
struct TaskOutcomes {
  std::span<double> norms = {};   ///< |F_i| at the returned weights
  std::span<double> values = {};  ///< f_i there, if `progress` requests losses
};

/// L-BFGS on the equilibrium F(W) = 0 of equation (11), with a preconditioner from the shared part
/// of the tasks' Hessians. Without transfer every task has its own coefficients and step lengths,
/// and leaves the passes when it is done; with transfer all tasks move together on the convex
/// function of equation (12). One pass over the data per iteration.
/// Requires: sigma = 0, or a reversible transfer; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's, and `outcomes` what became of
/// each task. A task that was within the tolerance keeps its weights. `space` may be one that
/// others have used.
template <class Real>
SolveReport run_quasi_newton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                             ThreadPool& pool, const TaskOutcomes& outcomes,
                             QuasiNewtonSpace<Real>& space);

/// Newton's method on the equilibrium F(W) = 0 of equation (11) for any transfer: F need not be a
/// gradient. Preconditioned GMRES solves its linear systems, only as accurately as the residual
/// requires, and steps that do not reduce |F| are shortened. An iteration takes one pass over the
/// data, plus those that its system needs.
/// Requires: `weights` holds the start; the transfer does not change with the iteration.
/// Ensures: weights hold the point whose residual is the report's.
template <class Real>
SolveReport run_newton_krylov(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                              Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                              ThreadPool& pool);

/// The equilibrium of equation (11) for more tasks than can be solved together. Blocks of tasks
/// take turns, each task solved alone with the weights of all others fixed, in sweeps until all
/// have converged. Tasks are skipped while the tasks they borrow from do not change. Besides the
/// weights, only the memory of one block is allocated.
/// Requires: sigma = 0, or a transfer with a matrix; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's, unless the run is interrupted.
/// Then the residual is the largest one that was last computed for a task, like the residuals that
/// a progress receives after each sweep. The report counts one pass per `tasks` single-task
/// gradients. A sweep counts as many iterations as its longest block took, so that the iteration
/// limit applies to every task.
template <class Real>
SolveReport run_block_sweeps(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Index block_tasks, Matrix<Real>& weights, const Stopping& stopping,
                             Progress* progress, ThreadPool& pool);

}  // namespace mugrad
