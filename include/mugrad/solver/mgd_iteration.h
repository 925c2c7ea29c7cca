// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// How run_mgd runs.
struct MgdStepping {
  double sigma = 0;  ///< transfer strength, >= 0; 0 solves every task alone
  double step = 0;   ///< alpha, > 0; one beyond theory::largest_safe_step may diverge
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

}  // namespace mugrad
