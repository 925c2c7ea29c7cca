// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/transfer/transfer.h>

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mugrad::theory {

/// What a promise depends on in a transfer.
struct TransferFacts {
  double least_self_weight = 0;  ///< min mbar_ii over tasks and slices
  /// sqrt(s), s = max_i sum_j max_k Pbar_ij,k: how far elementwise transfer may stretch the block
  /// maximum norm; 1 for scalar transfer.
  double stretch = 1;
  /// Some parameters are each task's own. A scalar transfer then still takes every step below
  /// Theorem 1's, but the block maximum norm may grow for a while.
  bool masked = false;
  /// All slices leave one distribution over the tasks alone: then nothing is stretched in the norm
  /// weighted by it, whatever sigma. Always so for scalar transfer.
  bool shares_stationary = true;
  bool reversible = false;  ///< equation (12) holds
  double spread = 2;        ///< if reversible, I - Mbar has its eigenvalues in [0, spread]
};

/// Of a scalar transfer.
TransferFacts facts_of(const TransferMatrix& transfer,
                       Intercepts intercepts = Intercepts::transferred);
/// Of an elementwise transfer over this many parameters.
TransferFacts facts_of(const TransferSlices& slices, Index parameters);

/// What theory promises for a problem before it runs.
struct Certificate {
  double sigma = 0;
  double curvature = 0;         ///< L = max L_i
  double strong_convexity = 0;  ///< xi = min xi_i; 0: none
  TransferFacts transfer = {};

  double limit_theorem1 = 0;                     ///< 2 / (2 sigma + L), equation (8)
  std::optional<double> limit_intrinsic = {};    ///< alpha L < 2 m_ii, equation (8)
  std::optional<double> limit_reversible = {};   ///< 2 / (spread sigma + L), equation (12)
  std::optional<double> limit_elementwise = {};  ///< 2 / ((1 + sqrt(s)) sigma + L), equation (10)
  /// The largest step proven safe; 0 when no step is: elementwise transfer with too large a sigma.
  double safe_step = 0;

  double step = 0;  ///< the step certified
  /// By how much the error max_i |w_i - w_i*| shrinks at least per iteration (for elementwise
  /// transfer with a shared stationary distribution: the error in the norm weighted by it); 1: it
  /// does not grow; infinite: nothing is promised in this norm.
  double contraction = std::numeric_limits<double>::infinity();
  /// The same for sqrt(sum_i r_i |w_i - w_i*|^2), when the transfer is reversible.
  std::optional<double> contraction_weighted = {};
  /// Iterations after which the error, in the norm of the smaller of the two factors, is at most
  /// `tolerance` times its first value; none without a rate, and none for a tolerance of 0.
  std::optional<Index> iterations_to(double tolerance) const;
  /// Equation (9): a bound on the distance of every task from its own minimiser at the
  /// equilibrium, when no minimiser is longer than `largest_minimiser`; none without strong
  /// convexity, nor where some parameters are each task's own.
  std::optional<double> distance_bound(double largest_minimiser) const;

  /// What holds and what does not, in words.
  std::vector<std::string> statements = {};
};

/// Requires: one curvature range per task, sigma >= 0. Without a step, 0.95 of the safe one.
Certificate certify(std::span<const CurvatureRange> tasks, double sigma,
                    const TransferFacts& transfer, std::optional<double> step = std::nullopt);

/// The largest step proven safe for tasks of this curvature under a scalar transfer.
double largest_safe_step(double curvature, double sigma, const TransferMatrix& transfer,
                         Intercepts intercepts = Intercepts::transferred);

}  // namespace mugrad::theory
