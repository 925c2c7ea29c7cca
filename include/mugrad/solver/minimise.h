// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>

namespace mugrad {

/// Finds the minimum of one convex function of all parameters. The tasks are its columns: their
/// values sum to it, and their gradients, each of which may depend on all columns, are its own. A
/// preconditioned quasi-Newton method, one pass over the data per iteration.
/// Requires: `weights` holds the start.
/// Ensures: weights hold the point whose residual, the largest |gradient| of a column, is the
/// report's.
template <class Real>
SolveReport minimise(TaskSet<Real>& tasks, Matrix<Real>& weights, const Stopping& stopping,
                     Progress* progress, ThreadPool& pool);

}  // namespace mugrad
