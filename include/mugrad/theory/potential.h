// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/objective/task_set.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad::theory {

/// Phi(W) = sum_i r_i f_i(w_i) + (sigma / 4) sum_ij r_i mbar_ij |w_i - w_j|^2 of equation (12): the
/// convex function that MGD descends when the transfer is reversible. With intercepts of their
/// own the coupling leaves row 0 of W out.
/// Throws UsageError when the transfer is not reversible: then there is no such function.
double potential(TaskSet<double>& tasks, const TransferMatrix& transfer, double sigma,
                 Intercepts intercepts, const Matrix<double>& weights);

}  // namespace mugrad::theory
