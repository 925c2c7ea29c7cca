// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// How tasks that are solved together depend on each other.
enum class Coupling {
  none,        ///< each is solved for itself
  reversible,  ///< by a transfer that makes F a gradient
  other,       ///< by any other transfer
};

/// How many tasks find_equilibrium solves at a time: all, unless what that takes besides the
/// weights is much memory, or their coupling can no longer be inverted.
template <class Real>
Index tasks_at_once(Index parameters, Index tasks, bool is_coupled) noexcept;

/// The memory that find_equilibrium takes besides the weights and what is stored of the tasks and
/// their transfer, in bytes. How many products a run with an irreversible transfer makes, and how
/// many eigenvalues of the covariance are told apart, shows only while it runs: usual numbers are
/// taken.
template <class Real>
double bytes_to_find_equilibrium(Index parameters, Index tasks, Coupling coupling,
                                 int threads) noexcept;

/// The same for `minimise`, of one function with so many columns.
template <class Real>
double bytes_to_minimise(Index parameters, Index columns) noexcept;

/// The same for run_mgd.
template <class Real>
double bytes_to_run_mgd(Index parameters, Index tasks, Coupling coupling) noexcept;

}  // namespace mugrad
