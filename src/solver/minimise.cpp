// SPDX-License-Identifier: MIT
#include "solver/quasi_newton.h"

#include <mugrad/solver/minimise.h>

namespace mugrad {

template <class Real>
SolveReport minimise(TaskSet<Real>& tasks, Matrix<Real>& weights, const Stopping& stopping,
                     Progress* progress, ThreadPool& pool) {
  return run_joint_quasi_newton(tasks, weights, stopping, progress, pool);
}

template SolveReport minimise(TaskSet<float>&, Matrix<float>&, const Stopping&, Progress*,
                              ThreadPool&);
template SolveReport minimise(TaskSet<double>&, Matrix<double>&, const Stopping&, Progress*,
                              ThreadPool&);

}  // namespace mugrad
