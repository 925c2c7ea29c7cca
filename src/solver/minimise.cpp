// SPDX-License-Identifier: MIT
#include "solver/curvature_pairs.h"
#include "solver/quasi_newton.h"

#include <mugrad/solver/minimise.h>

namespace mugrad {

template <class Real>
SolveReport minimise(TaskSet<Real>& tasks, Matrix<Real>& weights, const Stopping& stopping,
                     Observer* observer, ThreadPool& pool) {
  return run_joint_quasi_newton(tasks, weights, stopping, observer, pool);
}

template <class Real>
double bytes_to_minimise(Index parameters, Index columns) {
  // The pairs; the points, fields and directions at hand; what a pass packs and sums.
  constexpr auto kMatrices = static_cast<double>(2 * CurvaturePairs<Real>::kMost + 7 + 3);
  constexpr auto kEntry = static_cast<double>(sizeof(Real));
  return kMatrices * kEntry * static_cast<double>(parameters) * static_cast<double>(columns);
}

template SolveReport minimise(TaskSet<float>&, Matrix<float>&, const Stopping&, Observer*,
                              ThreadPool&);
template SolveReport minimise(TaskSet<double>&, Matrix<double>&, const Stopping&, Observer*,
                              ThreadPool&);
template double bytes_to_minimise<float>(Index, Index);
template double bytes_to_minimise<double>(Index, Index);

}  // namespace mugrad
