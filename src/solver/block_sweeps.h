// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// The equilibrium of equation (11) for more tasks than can be solved together: blocks of tasks
/// answer in turn to what all others hold, each task solved alone, in sweeps until none has
/// anything to gain. Tasks whose relations no longer move are not looked at again. Besides the
/// weights only what one block needs is held.
/// Requires: sigma = 0, or a transfer with a matrix; `weights` holds the start.
/// Ensures: weights hold the point whose residual is the report's, unless the run is interrupted:
/// then no more passes are made, and the residual is the largest that any task had when it was last
/// looked at, as the residuals are that an progress is told after each sweep. The report counts a
/// pass for every `tasks` tasks that were served. A sweep counts for as many iterations as its
/// longest block took, so that the limit of iterations is one for every task.
template <class Real>
SolveReport run_block_sweeps(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Index block_tasks, Matrix<Real>& weights, const Stopping& stopping,
                             Progress* progress, ThreadPool& pool);

}  // namespace mugrad
