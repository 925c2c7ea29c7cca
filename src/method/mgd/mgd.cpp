// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_problem.h"
#include "method/mgd/mgd_solution.h"

#include <mugrad/method/mgd.h>

#include <optional>

namespace mugrad {
namespace {

template <class Real>
Model train(const Dataset& data, const MgdOptions& options, Progress* progress) {
  MgdProblem<Real> problem(data, options, progress);
  std::optional<MgdSolution<Real>> solution;
  if (!problem.is_empty()) {
    const double reference = options.initial ? problem.residual_at(problem.start()) : 0;
    solution = solve_mgd<Real>(problem, options, problem.first_weights(), reference, progress);
    if (options.initial) ++solution->solve.passes;
  }
  advance(progress, 1);
  return model_of<Real>(data, options, problem, solution ? &*solution : nullptr);
}

}  // namespace

Model fit(const Dataset& data, const MgdOptions& options, Progress* progress) {
  return options.precision == Precision::double_precision ? train<double>(data, options, progress)
                                                          : train<float>(data, options, progress);
}

}  // namespace mugrad
