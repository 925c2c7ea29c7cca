// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>
#include <span>
#include <vector>

namespace mugrad {

/// A user-defined cost f over R^d, with its own data. It must be convex and twice differentiable.
/// One thread at a time calls a task; different threads may call different tasks.
template <class Real>
class Task {
 public:
  virtual ~Task() = default;

  /// d; at least 1, and the same at every call.
  virtual Index parameters() const = 0;
  /// gradient = grad f(w), every entry written; returns f(w).
  virtual double evaluate(std::span<const Real> w, std::span<Real> gradient) = 0;
  /// product = (Hessian of f at w) times direction. Returns false if the task has no such product,
  /// as by default. find_equilibrium needs it if the transfer is not reversible; the other solvers
  /// do not.
  virtual bool hessian_product(std::span<const Real> /*w*/, std::span<const Real> /*direction*/,
                               std::span<Real> /*product*/) {
    return false;
  }
  /// Bounds on the Hessian's eigenvalues, 0 <= least <= most. The step is derived from `most`: too
  /// small a bound makes the iteration diverge.
  virtual CurvatureRange curvature() = 0;
};

/// Combines the tasks into one set, task i in column i of W, evaluated in parallel. Throws
/// UsageError if there is no task, or if tasks differ in their number of parameters.
/// hessian_product of the set throws Error if a task has none; curvatures throws UsageError for
/// impossible bounds. `pool` must outlive the set.
template <class Real>
std::unique_ptr<TaskSet<Real>> own_tasks(std::vector<std::unique_ptr<Task<Real>>> tasks,
                                         ThreadPool& pool);

}  // namespace mugrad
