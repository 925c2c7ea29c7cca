// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// Nesterov's method on the equilibrium F(W) = grad f(W) + sigma W (I - Mbar)' = 0: for reversible
/// transfer F is the gradient of the convex function of equation (12) in suitable units. Each task
/// has its own momentum, dropped whenever it points uphill (O'Donoghue and Candes 2015).
/// Requires: 0 < step <= half of theory::largest_safe_step; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's.
template <class Real>
SolveReport run_accelerated(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                            double step, Matrix<Real>& weights, const Stopping& stopping,
                            Observer* observer, ThreadPool& pool);

}  // namespace mugrad
