// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/solver/solve.h>

#include <span>
#include <vector>

namespace mugrad {

struct SvmOptions {
  double c = 1;             ///< what a unit of hinge loss costs; > 0
  double tolerance = 1e-9;  ///< of the objective, relative
  Index max_iterations = 200;
};

/// A linear support vector machine, f(x) = w.x + b.
struct LinearSvm {
  /// converged, iteration_limit, stalled where rounding allows no further step, or diverged where
  /// numbers left the finite ones: the weights are those of the start then.
  Stop stop = Stop::converged;
  std::vector<double> weights;
  double offset = 0;
  double objective = 0;
  double gap = 0;        ///< by what share of it the objective may be above the least
  double first_gap = 0;  ///< the same where the solver started
  Index iterations = 0;

  double decide(std::span<const double> x) const noexcept;
};

/// The least |w|^2 / 2 + c sum_i max(0, 1 - y_i f(x_i)), with a free b: C-SVC (Cortes and Vapnik
/// 1995). By an interior point method on the dual (Ferris and Munson 2002): some 10 to 80
/// iterations of rows x cols^2 multiplications, however alike the columns of x are.
/// Updates `progress` once per iteration. Requires: signs y are 1 and -1, both of them there.
LinearSvm fit_linear_svm(const Matrix<double>& x, std::span<const double> signs,
                         const SvmOptions& options = {}, Progress* progress = nullptr);

}  // namespace mugrad
