// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <functional>
#include <span>

namespace mugrad {

/// Systems that differ from each other in two numbers: (factor_j P K P + shift_j I) a_j = P r_j,
/// P = I - 1 1' / n, which takes the mean off.
struct CentredSystems {
  const Matrix<double>& kernel;    ///< K, symmetric
  std::span<const double> factor;  ///< each >= 0
  std::span<const double> shift;   ///< each > 0
};

struct SystemsReport {
  Index iterations = 0;
  double first_residual = 0, residual = 0;  ///< the largest length of a column's
  bool converged = true;
};

/// Called after each iteration with the largest share of its first residual that a column has left;
/// may throw.
using SystemsProgress = std::function<void(double share)>;

/// Replaces the columns r_j by a_j, by conjugate gradients of each column for itself; all are
/// multiplied by K in one product, from which columns that are done leave. They are done when
/// their residual has fallen to `tolerance` of its first length.
/// Requires: K positive semi-definite.
SystemsReport solve_centred(const CentredSystems& systems, double tolerance, Index max_iterations,
                            Matrix<double>& columns, ThreadPool& pool,
                            const SystemsProgress& progress);

}  // namespace mugrad
