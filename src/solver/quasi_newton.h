// SPDX-License-Identifier: MIT
#pragma once

#include "solver/quasi_newton_space.h"

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

#include <span>

namespace mugrad {

/// What became of each task of a run, one number per task; an empty span is not filled.
struct TaskOutcomes {
  std::span<double> norms = {};   ///< |F_i| at the weights returned
  std::span<double> values = {};  ///< f_i there, if `progress` wants losses
};

/// L-BFGS on the equilibrium F(W) = 0 of equation (11), started from a preconditioner that knows
/// what the tasks' Hessians share. Without transfer every task has its own coefficients and step
/// lengths, and leaves the passes when it is done; with transfer all tasks move together on the
/// convex function of equation (12). One pass over the data per iteration.
/// Requires: sigma = 0, or a reversible transfer; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's. A task that was within the
/// tolerance keeps its weights.
template <class Real>
SolveReport run_quasi_newton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                             ThreadPool& pool);
/// The same in a space that others have used, and with what became of each task.
template <class Real>
SolveReport run_quasi_newton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                             ThreadPool& pool, const TaskOutcomes& outcomes,
                             QuasiNewtonSpace<Real>& space);

/// The same on one convex function whose columns the tasks are: all move together, without
/// transfer.
template <class Real>
SolveReport run_joint_quasi_newton(TaskSet<Real>& tasks, Matrix<Real>& weights,
                                   const Stopping& stopping, Progress* progress, ThreadPool& pool);

}  // namespace mugrad
