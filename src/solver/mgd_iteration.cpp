// SPDX-License-Identifier: MIT
#include "solver/equilibrium.h"
#include "solver/monitor.h"

#include <mugrad/solver/solvers.h>

#include <cassert>

namespace mugrad {

template <class Real>
SolveReport run_mgd(TaskSet<Real>& tasks, Transfer<Real>& transfer, Matrix<Real>& weights,
                    const MgdStepping& stepping, ThreadPool& pool) {
  assert(stepping.step > 0 && stepping.sigma >= 0);
  Monitor monitor(stepping.stopping, stepping.progress);
  Equilibrium<Real> equilibrium(tasks, transfer, stepping.sigma, monitor.wants_loss(), pool);
  Matrix<Real> field(weights.rows(), weights.cols());
  const RowParts parts(weights.rows(), weights.cols());
  const auto alpha = static_cast<Real>(stepping.step);
  while (true) {
    equilibrium.evaluate({}, weights, field);
    if (const auto stop = monitor.check(equilibrium.residual(), equilibrium.total_loss())) {
      return monitor.report(*stop, equilibrium.passes());
    }
    parts.for_each(pool, [&](Index, Index begin, Index end) {
      const Real* const f = field.data();
      Real* const w = weights.data();
      for (Index k = begin * weights.cols(); k < end * weights.cols(); ++k) {
        w[k] -= alpha * f[k];  // (6)
      }
    });
  }
}

template decltype(run_mgd<float>) run_mgd<float>;
template decltype(run_mgd<double>) run_mgd<double>;

}  // namespace mugrad
