// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/solver/solve.h>

#include <span>
#include <vector>

namespace mugrad {

struct SvmOptions {
  double c = 1;             ///< cost of a unit of hinge loss; > 0
  double tolerance = 1e-9;  ///< of the objective, relative
  Index max_iterations = 200;
};

/// A linear support vector machine, f(x) = w.x + b.
struct LinearSvm {
  /// converged, iteration_limit, stalled if rounding allows no further step, or diverged on
  /// overflow; the weights are then those of the start.
  Stop stop = Stop::converged;
  std::vector<double> weights;
  double offset = 0;
  double objective = 0;
  double gap = 0;        ///< bound on the relative distance of the objective from the minimum
  double first_gap = 0;  ///< the same at the start
  Index iterations = 0;

  double decide(std::span<const double> x) const noexcept;
};

/// Minimises |w|^2 / 2 + c sum_i max(0, 1 - y_i f(x_i)), with a free b: C-SVC (Cortes and Vapnik
/// 1995). Uses an interior-point method on the dual (Ferris and Munson 2002): about 10 to 80
/// iterations of rows x cols^2 multiplications, even if columns of x are similar. Updates
/// `progress` once per iteration. Requires: `signs` are 1 and -1, and both occur.
LinearSvm fit_linear_svm(const Matrix<double>& x, std::span<const double> signs,
                         const SvmOptions& options = {}, Progress* progress = nullptr);

}  // namespace mugrad
