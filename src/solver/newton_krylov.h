// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// Newton's method on the equilibrium F(W) = 0 of equation (11) for any transfer: F need not be a
/// gradient. Its linear systems are solved by preconditioned GMRES, no more exactly than the
/// residual deserves, and a step that does not lessen |F| is shortened. An iteration takes a pass
/// over the data, and as many more as its system needs.
/// Requires: `weights` holds the start; the transfer does not change with the iteration.
/// Ensures: weights hold the point whose residual is the report's.
template <class Real>
SolveReport run_newton_krylov(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                              Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                              ThreadPool& pool);

}  // namespace mugrad
