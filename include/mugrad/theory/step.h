// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/transfer/transfer_matrix.h>

#include <span>

/// What is proven about the iteration, as pure functions. L is a bound on the curvature of every
/// task, sigma >= 0 the strength of transfer.
namespace mugrad::theory {

/// Theorem 1, equation (8): every smaller positive step converges, whatever the row-stochastic
/// Mbar. Infinite when nothing limits the step (L = sigma = 0).
double step_limit(double curvature, double sigma);

/// The sharper form of (8) that knows the diagonal of Mbar: alpha L < 2 m_ii for all i.
double step_limit_intrinsic(double curvature, double sigma, const CsrMatrix<double>& mbar);

/// For reversible transfer MGD is gradient descent on one convex function, equation (12), and the
/// limit is 2 / (spread sigma + L). Requires: transfer.reversing_weights is not empty.
double step_limit_reversible(double curvature, double sigma, const TransferMatrix& transfer);

/// The largest of the limits that hold for this transfer.
double largest_safe_step(double curvature, double sigma, const TransferMatrix& transfer);

}  // namespace mugrad::theory
