// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

namespace mugrad {

/// How tasks that are solved together are coupled.
enum class CouplingKind {
  none,        ///< each is solved alone
  reversible,  ///< by a transfer that makes F a gradient
  other,       ///< by any other transfer
};

/// The number of tasks that find_equilibrium solves at a time: all, unless that needs much memory
/// besides the weights, or their coupling is too large to invert.
template <class Real>
Index tasks_at_once(Index parameters, Index tasks, bool is_coupled) noexcept;

/// The memory of find_equilibrium besides the weights, the tasks and their transfer, in bytes. The
/// number of products with an irreversible transfer and the number of distinct eigenvalues of the
/// covariance are only known at run time: typical numbers are assumed.
template <class Real>
double bytes_to_find_equilibrium(Index parameters, Index tasks, CouplingKind coupling,
                                 int threads) noexcept;

/// The same for `minimise`, for one function with this many columns.
template <class Real>
double bytes_to_minimise(Index parameters, Index columns) noexcept;

/// The same for run_mgd.
template <class Real>
double bytes_to_run_mgd(Index parameters, Index tasks, CouplingKind coupling) noexcept;

}  // namespace mugrad
