// SPDX-License-Identifier: MIT
#pragma once

/// What is proven about the iteration, as pure functions. L is a bound on the curvature of every
/// task, sigma >= 0 the strength of transfer.
namespace mugrad::theory {

/// Theorem 1, equation (8): every smaller positive step converges, whatever the row-stochastic
/// Mbar. Infinite when nothing limits the step (L = sigma = 0).
double step_limit(double curvature, double sigma);

/// The sharper form of (8) that knows the least mbar_ii: alpha L < 2 m_ii for all i.
double step_limit_intrinsic(double curvature, double sigma, double least_self_weight);

/// For reversible transfer MGD is gradient descent on one convex function, equation (12): the
/// limit when I - Mbar has its eigenvalues in [0, spread].
double step_limit_reversible(double curvature, double sigma, double spread);

}  // namespace mugrad::theory
