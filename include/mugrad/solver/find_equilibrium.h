// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// How find_equilibrium runs.
struct EquilibriumOptions {
  double sigma = 0;  ///< transfer strength, >= 0; 0 solves every task alone
  Stopping stopping = {};
  Progress* progress = nullptr;
};

/// Finds the equilibrium F(W) = grad f(W) + sigma W (I - Mbar)' = 0, equation (11), in as few
/// passes over the data as it can, without a step to choose. Reversible transfer, and none, make F
/// the gradient of a convex function, equation (12), on which a preconditioned quasi-Newton method
/// is used; any other transfer gets a preconditioned Newton-Krylov method.
/// Requires: the transfer does not change with the iteration; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's. Only when it is interrupted, a
/// run of more tasks than are solved together reports what their residuals were when each was last
/// looked at.
template <class Real>
SolveReport find_equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, Matrix<Real>& weights,
                             const EquilibriumOptions& options, ThreadPool& pool);

}  // namespace mugrad
