// SPDX-License-Identifier: MIT
#include "solver/block_sweeps.h"
#include "solver/newton_krylov.h"
#include "solver/quasi_newton.h"
#include "solver/solver_memory.h"

#include <mugrad/solver/find_equilibrium.h>

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
  return is_gradient ? run_quasi_newton(tasks, transfer, sigma, weights, stopping, progress, pool)
                     : run_newton_krylov(tasks, transfer, sigma, weights, stopping, progress, pool);
}

template SolveReport find_equilibrium(TaskSet<float>&, Transfer<float>&, Matrix<float>&,
                                      const EquilibriumOptions&, ThreadPool&);
template SolveReport find_equilibrium(TaskSet<double>&, Transfer<double>&, Matrix<double>&,
                                      const EquilibriumOptions&, ThreadPool&);

}  // namespace mugrad
