// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "method/common/gaussian_training.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_problem.h"
#include "method/mgd/mgd_solution.h"

#include <mugrad/method/mgd.h>

#include <optional>

namespace mugrad {
namespace {

template <class Real>
Model train(const Dataset& data, const MgdOptions& options, Progress* progress) {
  const bool learns = learns_relations(options);
  Stages stages(progress, Stages::Iterates::passed_on);
  stages.enter(0, learns ? 0.5 : 0);
  MgdProblem<Real> problem(data, options, &stages);
  stages.enter(learns ? 0.5 : 0, 1);
  std::optional<MgdSolution<Real>> solution;
  if (!problem.is_empty()) {
    const bool has_start = options.initial || options.prior || problem.passes_alone() > 0;
    const double reference = has_start ? problem.residual_at(problem.start()) : 0;
    solution = solve_mgd<Real>(problem, options, problem.first_weights(), reference, &stages);
    solution->solve.passes += problem.passes_alone() + (has_start ? 1 : 0);
  }
  stages.advance(1);
  return model_of<Real>(data, options, problem, solution ? &*solution : nullptr);
}

}  // namespace

Model fit(const Dataset& data, const MgdOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  return options.precision == Precision::double_precision ? train<double>(data, options, progress)
                                                          : train<float>(data, options, progress);
}

}  // namespace mugrad
