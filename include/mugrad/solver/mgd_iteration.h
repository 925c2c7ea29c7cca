// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// Plain MGD, equation (6): W <- W - step (grad f(W) + sigma W (I - Mbar)'), all tasks from the
/// same iterate.
/// Requires: step > 0, sigma >= 0; `weights` holds the start. A step beyond
/// theory::largest_safe_step may diverge.
/// Ensures: weights hold the last iterate, whose residual is the report's.
template <class Real>
SolveReport run_mgd(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, double step,
                    Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                    ThreadPool& pool);

}  // namespace mugrad
