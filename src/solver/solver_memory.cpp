// SPDX-License-Identifier: MIT
#include "solver/solver_memory.h"

#include "solver/preconditioner.h"
#include "solver/quasi_newton_space.h"

#include <algorithm>

namespace mugrad {
namespace {

/// Usual number of vectors for a step of Newton's method; at most 40.
constexpr double kUsualProducts = 5;

template <class Real>
double matrix_bytes(Index rows, Index cols) noexcept {
  return static_cast<double>(rows) * static_cast<double>(cols) * sizeof(Real);
}

/// The memory for evaluating F(W): borrowed weights, and sums of parts.
template <class Real>
double equilibrium_bytes(Index parameters, Index tasks, bool is_coupled) noexcept {
  return (is_coupled ? matrix_bytes<Real>(parameters, tasks) : 0) +
         matrix_bytes<double>(RowParts(parameters, tasks).count(), tasks);
}

}  // namespace

template <class Real>
Index tasks_at_once(Index parameters, Index tasks, bool is_coupled) noexcept {
  constexpr Index kMostBytes = Index{1} << 30;
  constexpr Index kMatrices = 30;  // of the size of the weights
  constexpr Index kWhole = 64;     // tasks that fill the panels of a pass
  const Index bytes = kMatrices * parameters * as_index(sizeof(Real));
  const Index affordable = std::max(kWhole, kMostBytes / bytes / kWhole * kWhole);
  const bool all =
      affordable >= tasks && (!is_coupled || tasks <= Preconditioner<Real>::kMostCoupled);
  return all ? tasks : std::min(affordable, tasks - 1);
}

template <class Real>
double bytes_to_find_equilibrium(Index parameters, Index tasks, CouplingKind coupling,
                                 int threads) noexcept {
  const bool is_coupled = coupling != CouplingKind::none;
  const Index block = tasks_at_once<Real>(parameters, tasks, is_coupled);
  if (block < tasks) {
    constexpr double kStates = 80;              // bytes of the state of each task
    const double answers = is_coupled ? 2 : 1;  // the block's weights, and those it borrows
    return QuasiNewtonSpace<Real>::bytes(parameters, block) +
           Preconditioner<Real>::bytes(parameters, block, false, threads) +
           equilibrium_bytes<Real>(parameters, block, false) +
           answers * matrix_bytes<Real>(parameters, block) + kStates * static_cast<double>(tasks);
  }
  const double common = Preconditioner<Real>::bytes(parameters, tasks, is_coupled, threads) +
                        equilibrium_bytes<Real>(parameters, tasks, is_coupled);
  if (coupling != CouplingKind::other)
    return common + QuasiNewtonSpace<Real>::bytes(parameters, tasks);
  constexpr double kMatrices = 5 + kUsualProducts;
  return common + kMatrices * matrix_bytes<Real>(parameters, tasks);
}

template <class Real>
double bytes_to_minimise(Index parameters, Index columns) noexcept {
  return QuasiNewtonSpace<Real>::bytes(parameters, columns) +
         Preconditioner<Real>::bytes(parameters, columns, false, 1) +
         equilibrium_bytes<Real>(parameters, columns, false);
}

template <class Real>
double bytes_to_run_mgd(Index parameters, Index tasks, CouplingKind coupling) noexcept {
  return matrix_bytes<Real>(parameters, tasks) +
         equilibrium_bytes<Real>(parameters, tasks, coupling != CouplingKind::none);
}

template Index tasks_at_once<float>(Index, Index, bool) noexcept;
template Index tasks_at_once<double>(Index, Index, bool) noexcept;
template double bytes_to_find_equilibrium<float>(Index, Index, CouplingKind, int) noexcept;
template double bytes_to_find_equilibrium<double>(Index, Index, CouplingKind, int) noexcept;
template double bytes_to_minimise<float>(Index, Index) noexcept;
template double bytes_to_run_mgd<float>(Index, Index, CouplingKind) noexcept;
template double bytes_to_run_mgd<double>(Index, Index, CouplingKind) noexcept;

}  // namespace mugrad
