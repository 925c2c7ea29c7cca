// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/parallel/thread_pool.h>

#include <functional>
#include <span>

namespace mugrad {

/// Systems (factor_j P K P + shift_j I) a_j = P r_j, which differ only in factor and shift. P = I -
/// 1 1' / n subtracts the mean.
struct CentredSystems {
  const Matrix<double>& kernel;    ///< K, symmetric
  std::span<const double> factor;  ///< each >= 0
  std::span<const double> shift;   ///< each > 0
};

struct SystemsReport {
  Index iterations = 0;
  double first_residual = 0, residual = 0;  ///< the largest norm over the columns
  bool converged = true;
};

/// Called after each iteration with the largest ratio of a column's residual to its initial one;
/// may throw.
using SystemsProgress = std::function<void(double share)>;

/// Replaces the columns r_j by a_j, by conjugate gradients on each column separately. One product
/// multiplies all active columns by K. A column is done when its residual is at most `tolerance`
/// times its initial norm.
/// Requires: K positive semi-definite.
SystemsReport solve_centred(const CentredSystems& systems, double tolerance, Index max_iterations,
                            Matrix<double>& columns, ThreadPool& pool,
                            const SystemsProgress& progress);

}  // namespace mugrad
