// SPDX-License-Identifier: MIT
#include "solver/quasi_newton.h"

#include <mugrad/solver/minimise.h>

namespace mugrad {

template <class Real>
SolveReport minimise(TaskSet<Real>& tasks, Matrix<Real>& weights, const Stopping& stopping,
                     Observer* observer, ThreadPool& pool) {
  return run_joint_quasi_newton(tasks, weights, stopping, observer, pool);
}

template SolveReport minimise(TaskSet<float>&, Matrix<float>&, const Stopping&, Observer*,
                              ThreadPool&);
template SolveReport minimise(TaskSet<double>&, Matrix<double>&, const Stopping&, Observer*,
                              ThreadPool&);

}  // namespace mugrad
