// SPDX-License-Identifier: MIT
#include "solver/equilibrium_solvers.h"
#include "solver/solver_memory.h"

#include <mugrad/solver/solvers.h>

#include <cassert>

namespace mugrad {

template <class Real>
SolveReport find_equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, Matrix<Real>& weights,
                             const EquilibriumOptions& options, ThreadPool& pool) {
  const auto& [sigma, stopping, progress] = options;
  assert(sigma >= 0);
  const bool has_matrix = sigma == 0 || transfer.matrix() != nullptr;
  const Index block = tasks_at_once<Real>(tasks.parameters(), tasks.tasks(), sigma > 0);
  if (block < tasks.tasks() && has_matrix) {
    return run_block_sweeps(tasks, transfer, sigma, block, weights, stopping, progress, pool);
  }
  const bool is_gradient = sigma == 0 || !transfer.reversing_weights().empty();
  if (!is_gradient) {
    return run_newton_krylov(tasks, transfer, sigma, weights, stopping, progress, pool);
  }
  QuasiNewtonSpace<Real> space(pool);
  return run_quasi_newton(tasks, transfer, sigma, weights, stopping, progress, pool, {}, space);
}

template decltype(find_equilibrium<float>) find_equilibrium<float>;
template decltype(find_equilibrium<double>) find_equilibrium<double>;

}  // namespace mugrad
