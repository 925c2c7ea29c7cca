// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_solution.h"

#include "method/common/outcome.h"
#include "method/common/total_loss.h"
#include "method/mgd/mgd_options.h"

#include <mugrad/core/error.h>
#include <mugrad/solver/find_equilibrium.h>
#include <mugrad/solver/mgd_iteration.h>
#include <mugrad/theory/certificate.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {

void throw_unless_done(const MgdOutcome& solution, const MgdOptions& options) {
  const auto& solve = solution.solve;
  if (solve.stop == Stop::interrupted) {
    throw InterruptedError(
        fmt::format("training was interrupted after {} iterations", solve.iterations));
  }
  if (solve.stop != Stop::diverged) return;
  throw DivergenceError(fmt::format(
      "training diverged: after {} iterations{} the residual is {:.3g}, from {:.3g} at "
      "the start{}",
      solve.iterations,
      solution.fixed_step ? fmt::format(" of step {:.6g}", solution.fixed_step->step) : "",
      solve.residual, solve.first_residual,
      options.alpha ? "; a smaller alpha, or none, helps" : ""));
}

namespace {

void add_solution(const MgdOutcome& solution, const MgdOptions& options, TrainingReport& report) {
  report.solve = facts_of(to_string(options.solver), solution.solve, solution.total_loss);
  report.solve->fixed_step = solution.fixed_step;
  std::ranges::copy(solution.warnings, std::back_inserter(report.warnings));
}

}  // namespace

template <class Real>
MgdSolution<Real> solve_mgd(MgdProblem<Real>& problem, const MgdOptions& options,
                            Matrix<Real> start, double reference_residual, Progress* progress) {
  auto& tasks = problem.tasks();
  MgdSolution<Real> solution;
  solution.weights = std::move(start);
  Stopping stopping{.tolerance = options.tolerance,
                    .reference_residual = reference_residual,
                    .max_iterations = options.max_iterations};
  if (options.solver == SolverKind::plain) {
    const auto certificate =
        theory::certify(tasks.curvatures(), problem.sigma(),
                        theory::facts_of(problem.matrix(), problem.intercepts()), options.alpha);
    solution.fixed_step = FixedStep{.step = certificate.step, .curvature = certificate.curvature};
    stopping.step_is_suspect = certificate.step >= certificate.safe_step;
    if (stopping.step_is_suspect) {
      solution.warnings.push_back(
          fmt::format("alpha {} is not below {:.6g}, the largest step proven safe for this data",
                      certificate.step, certificate.safe_step));
    }
    solution.solve = run_mgd<Real>(tasks, problem.transfer(), solution.weights,
                                   {.sigma = problem.sigma(),
                                    .step = certificate.step,
                                    .stopping = stopping,
                                    .progress = progress},
                                   problem.pool());
  } else {
    solution.solve = find_equilibrium<Real>(
        tasks, problem.transfer(), solution.weights,
        {.sigma = problem.sigma(), .stopping = stopping, .progress = progress}, problem.pool());
  }
  throw_unless_done(solution, options);
  warn_of_stall(options.tolerance, options.precision == Precision::single_precision, solution.solve,
                solution.warnings);
  solution.total_loss = total_loss<Real>(tasks, solution.weights);
  return solution;
}

ModelContents described(const Dataset& data, Index rows, const MgdOptions& options,
                        const TrainableLabels& trainable, const Scaling& scaling,
                        const CsrMatrix<double>* relations, const MgdOutcome* outcome) {
  ModelContents contents;
  contents.feature_names = data.feature_names;
  contents.label_names = data.label_names;
  contents.scaling = scaling;
  contents.options = as_text(options);
  contents.head =
      IndependentHead{options.loss == LossKind::logistic ? Link::logistic : Link::identity};
  contents.thresholds.assign(static_cast<std::size_t>(data.labels()), options.threshold);
  contents.report = {.method = "mgd", .rows = rows, .constant_labels = trainable.constant()};
  if (const auto warning = trainable.warning(data.label_names)) {
    contents.report.warnings.push_back(*warning);
  }
  if (outcome != nullptr) {
    add_solution(*outcome, options, contents.report);
    warn_of_limit({options.tolerance, options.max_iterations}, contents.report);
  }
  // Without transfer nothing is borrowed, and the relations say so.
  contents.relations = trainable.widened(
      relations != nullptr ? *relations : no_transfer(trainable.labels().cols).mbar);
  return contents;
}

template <class Real>
Model model_of(const Dataset& data, const MgdOptions& options, const MgdProblem<Real>& problem,
               const MgdSolution<Real>* solution) {
  const TrainableLabels& trainable = problem.trainable();
  ModelContents contents =
      described(data, data.rows(), options, trainable, problem.scaling(),
                problem.sigma() > 0 ? &problem.matrix().mbar : nullptr, solution);
  const Matrix<Real> none(solution == nullptr ? data.features() + 1 : 0, 0);
  const Matrix<Real>& weights = solution == nullptr ? none : solution->weights;
  contents.intercepts = trainable.intercepts<Real>(weights.row(0), options.loss);
  contents.weights = trainable.widened(weights);
  return Model(std::move(contents));
}

template MgdSolution<float> solve_mgd(MgdProblem<float>&, const MgdOptions&, Matrix<float>, double,
                                      Progress*);
template Model model_of(const Dataset&, const MgdOptions&, const MgdProblem<float>&,
                        const MgdSolution<float>*);
template MgdSolution<double> solve_mgd(MgdProblem<double>&, const MgdOptions&, Matrix<double>,
                                       double, Progress*);
template Model model_of(const Dataset&, const MgdOptions&, const MgdProblem<double>&,
                        const MgdSolution<double>*);

}  // namespace mugrad
