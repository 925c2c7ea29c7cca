// SPDX-License-Identifier: MIT
#include "solver/block_sweeps.h"
#include "solver/newton_krylov.h"
#include "solver/preconditioner.h"
#include "solver/quasi_newton.h"

#include <mugrad/solver/find_equilibrium.h>

#include <algorithm>
#include <cassert>

namespace mugrad {
namespace {

/// How many tasks are solved at a time: all, unless what that takes besides the weights is much
/// memory, or their coupling can no longer be inverted.
template <class Real>
Index block_tasks(const TaskSet<Real>& tasks, double sigma) {
  constexpr Index kMostBytes = Index{1} << 30;
  constexpr Index kMatrices = 30;  // of the size of the weights
  constexpr Index kWhole = 64;     // tasks, to fill the panels of a pass
  const Index bytes = kMatrices * tasks.parameters() * static_cast<Index>(sizeof(Real));
  const Index affordable = std::max(kWhole, kMostBytes / bytes / kWhole * kWhole);
  const bool all = affordable >= tasks.tasks() &&
                   (sigma == 0 || tasks.tasks() <= Preconditioner<Real>::kMostCoupled);
  return all ? tasks.tasks() : std::min(affordable, tasks.tasks() - 1);
}

}  // namespace

template <class Real>
SolveReport find_equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Matrix<Real>& weights, const Stopping& stopping, Observer* observer,
                             ThreadPool& pool) {
  assert(sigma >= 0);
  const bool has_matrix = sigma == 0 || transfer.matrix() != nullptr;
  if (const auto block = block_tasks(tasks, sigma); block < tasks.tasks() && has_matrix) {
    return run_block_sweeps(tasks, transfer, sigma, block, weights, stopping, observer, pool);
  }
  const bool is_gradient = sigma == 0 || !transfer.reversing_weights().empty();
  return is_gradient ? run_quasi_newton(tasks, transfer, sigma, weights, stopping, observer, pool)
                     : run_newton_krylov(tasks, transfer, sigma, weights, stopping, observer, pool);
}

template SolveReport find_equilibrium(TaskSet<float>&, Transfer<float>&, double, Matrix<float>&,
                                      const Stopping&, Observer*, ThreadPool&);
template SolveReport find_equilibrium(TaskSet<double>&, Transfer<double>&, double, Matrix<double>&,
                                      const Stopping&, Observer*, ThreadPool&);

}  // namespace mugrad
