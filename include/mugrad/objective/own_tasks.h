// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <memory>
#include <span>
#include <vector>

namespace mugrad {

/// One cost f of your own over R^d, with its own data of its own size. It must be convex and twice
/// differentiable. A task is asked by one thread at a time, different tasks by different threads.
template <class Real>
class Task {
 public:
  virtual ~Task() = default;

  /// d; at least 1, and the same at every call.
  virtual Index parameters() const = 0;
  /// gradient = grad f(w), every entry written; returns f(w).
  virtual double evaluate(std::span<const Real> w, std::span<Real> gradient) = 0;
  /// product = (Hessian of f at w) times direction. Returns false when the task has no such
  /// product, as here. find_equilibrium needs it where the transfer is not reversible; all other
  /// solvers of the library do without.
  virtual bool hessian_product(std::span<const Real> /*w*/, std::span<const Real> /*direction*/,
                               std::span<Real> /*product*/) {
    return false;
  }
  /// Bounds on the Hessian's eigenvalues, 0 <= least <= most. The step follows from `most`: a
  /// bound that is too small makes the iteration diverge.
  virtual CurvatureRange curvature() = 0;
};

/// The tasks as one set, task i in column i of W, run in parallel.
/// Throws UsageError when there is no task, or when two differ in their number of parameters.
/// hessian_product of the set throws Error when a task has none; curvatures throws UsageError for
/// bounds that no Hessian has. `pool` must outlive the set.
template <class Real>
std::unique_ptr<TaskSet<Real>> own_tasks(std::vector<std::unique_ptr<Task<Real>>> tasks,
                                         ThreadPool& pool);

}  // namespace mugrad
