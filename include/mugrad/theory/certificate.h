// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/transfer/transfer.h>

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Proven properties of the iteration, as pure functions. L is a bound on the curvature of every
/// task, sigma >= 0 the transfer strength.
namespace mugrad::theory {

/// Theorem 1, equation (8): every smaller positive step converges, for any row-stochastic Mbar.
/// Infinite if nothing limits the step (L = sigma = 0).
double step_limit(double curvature, double sigma);

/// The sharper form of (8), which uses the least mbar_ii: alpha L < 2 m_ii for all i.
double step_limit_intrinsic(double curvature, double sigma, double least_self_weight);

/// For reversible transfer MGD is gradient descent on one convex function, equation (12). This is
/// the limit if the eigenvalues of I - Mbar are in [0, spread].
double step_limit_reversible(double curvature, double sigma, double spread);

/// The properties of a transfer that the guarantees depend on.
struct TransferFacts {
  double least_self_weight = 0;  ///< min mbar_ii over tasks and slices
  /// sqrt(s), s = max_i sum_j max_k Pbar_ij,k: bounds the growth of the block maximum norm by
  /// elementwise transfer; 1 for scalar transfer.
  double stretch = 1;
  /// Some parameters are not transferred. A scalar transfer then still allows every step below
  /// Theorem 1's, but the block maximum norm may grow temporarily.
  bool masked = false;
  /// All slices have a common stationary distribution over the tasks: the norm weighted by it does
  /// not grow, for any sigma. Always true for scalar transfer.
  bool shares_stationary = true;
  bool reversible = false;  ///< equation (12) holds
  double spread = 2;        ///< if reversible, the eigenvalues of I - Mbar are in [0, spread]
};

/// The properties of a scalar transfer.
TransferFacts facts_of(const TransferMatrix& transfer,
                       Intercepts intercepts = Intercepts::transferred);
/// The properties of an elementwise transfer over this many parameters.
TransferFacts facts_of(const TransferSlices& slices, Index parameters);

/// Guarantees of theory for a problem before it runs.
struct Certificate {
  double sigma = 0;
  double curvature = 0;         ///< L = max L_i
  double strong_convexity = 0;  ///< xi = min xi_i; 0: none
  TransferFacts transfer = {};

  double limit_theorem1 = 0;                     ///< 2 / (2 sigma + L), equation (8)
  std::optional<double> limit_intrinsic = {};    ///< alpha L < 2 m_ii, equation (8)
  std::optional<double> limit_reversible = {};   ///< 2 / (spread sigma + L), equation (12)
  std::optional<double> limit_elementwise = {};  ///< 2 / ((1 + sqrt(s)) sigma + L), equation (10)
  /// The largest step proven safe; 0 if there is none: elementwise transfer with too large a sigma.
  double safe_step = 0;

  double step = 0;  ///< the certified step
  /// Guaranteed factor per iteration of the error max_i |w_i - w_i*|. For elementwise transfer with
  /// a common stationary distribution, the error is in the norm weighted by it. 1: the error does
  /// not grow; infinite: no guarantee in this norm.
  double contraction = std::numeric_limits<double>::infinity();
  /// The same for sqrt(sum_i r_i |w_i - w_i*|^2), if the transfer is reversible.
  std::optional<double> contraction_weighted = {};
  /// Iterations until the error, in the norm with the smaller factor, is at most `tolerance` times
  /// its initial value; empty without a rate, and for a tolerance of 0.
  std::optional<Index> iterations_to(double tolerance) const;
  /// Equation (9): a bound on the distance of every task from its own minimiser at the equilibrium,
  /// if no minimiser is longer than `largest_minimiser`. Empty without strong convexity, or if some
  /// parameters are not transferred.
  std::optional<double> distance_bound(double largest_minimiser) const;

  /// The guarantees and their limits, in words.
  std::vector<std::string> statements = {};
};

/// Requires: one curvature range per task, sigma >= 0. The default step is 0.95 of the safe one.
Certificate certify(std::span<const CurvatureRange> tasks, double sigma,
                    const TransferFacts& transfer, std::optional<double> step = std::nullopt);

/// The largest step proven safe for tasks of this curvature under a scalar transfer.
double largest_safe_step(double curvature, double sigma, const TransferMatrix& transfer,
                         Intercepts intercepts = Intercepts::transferred);

/// Phi(W) = sum_i r_i f_i(w_i) + (sigma / 4) sum_ij r_i mbar_ij |w_i - w_j|^2 of equation (12): the
/// convex function that MGD minimises if the transfer is reversible. With Intercepts::own the
/// coupling excludes row 0 of W. Throws UsageError if the transfer is not reversible: then there is
/// no such function.
double potential(TaskSet<double>& tasks, const TransferMatrix& transfer, double sigma,
                 Intercepts intercepts, const Matrix<double>& weights);

}  // namespace mugrad::theory
