// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// L-BFGS on the equilibrium F(W) = 0 of equation (11), started from a preconditioner that knows
/// what the tasks' Hessians share. Without transfer every task has its own coefficients and step
/// lengths, and leaves the passes when it is done; with transfer all tasks move together on the
/// convex function of equation (12). One pass over the data per iteration.
/// Requires: sigma = 0, or a reversible transfer; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's, and `norms`, unless it is empty,
/// what |F_i| of each task is there. A task that was within the tolerance keeps its weights.
template <class Real>
SolveReport run_quasi_newton(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Matrix<Real>& weights, const Stopping& stopping, Observer* observer,
                             ThreadPool& pool, std::span<double> norms = {});

}  // namespace mugrad
