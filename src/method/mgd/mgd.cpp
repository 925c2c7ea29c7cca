// SPDX-License-Identifier: MIT
#include "method/common/stages.h"
#include "method/mgd/mgd_problem.h"
#include "method/mgd/mgd_solution.h"

#include <mugrad/method/mgd.h>

namespace mugrad {
namespace {

template <class Real>
Model train(const Dataset& data, const MgdOptions& options, Observer* observer) {
  const auto checkpoint = [observer] {
    if (observer != nullptr && !observer->observe_within(0)) throw_interrupted();
  };
  MgdProblem<Real> problem(data, options, checkpoint);
  if (problem.is_empty()) return model_of<Real>(data, options, problem, nullptr);
  const double reference = options.initial ? problem.residual_at(problem.start()) : 0;
  auto solution = solve_mgd<Real>(problem, options, problem.first_weights(), reference, observer);
  if (options.initial) ++solution.solve.passes;
  return model_of<Real>(data, options, problem, &solution);
}

}  // namespace

Model fit(const Dataset& data, const MgdOptions& options, Observer* observer) {
  return options.precision == Precision::double_precision ? train<double>(data, options, observer)
                                                          : train<float>(data, options, observer);
}

}  // namespace mugrad
