// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_solution.h"

#include "method/common/outcome.h"
#include "method/common/total_loss.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_prior.h"

#include <mugrad/core/error.h>
#include <mugrad/solver/solvers.h>
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
                        const TrainableLabels& trainable, const Representation& representation,
                        const CsrMatrix<double>* relations, const MgdOutcome* outcome) {
  ModelContents contents;
  contents.feature_names = data.feature_names;
  contents.encoding = data.encoding;
  contents.label_names = data.label_names;
  contents.representation = representation;
  contents.options = as_text(options);
  contents.head =
      IndependentHead{options.loss == LossKind::logistic ? Link::logistic : Link::identity};
  contents.thresholds.assign(as_size(data.labels()), options.threshold);
  contents.report = {.method = "mgd", .rows = rows, .constant_labels = trainable.constant()};
  if (const auto warning = trainable.warning(data.label_names)) {
    contents.report.warnings.push_back(*warning);
  }
  if (outcome != nullptr) {
    add_solution(*outcome, options, contents.report);
    warn_of_limit({options.tolerance, options.max_iterations}, contents.report);
  }
  // Without transfer nothing is borrowed, and the relations show that.
  contents.relations = trainable.widened(
      relations != nullptr ? *relations : no_transfer(trainable.labels().cols).mbar);
  return contents;
}

template <class Real>
Model model_of(const Dataset& data, const MgdOptions& options, const MgdProblem<Real>& problem,
               const MgdSolution<Real>* solution) {
  const TrainableLabels& trainable = problem.trainable();
  ModelContents contents =
      described(data, data.rows(), options, trainable, problem.representation(),
                problem.sigma() > 0 ? &problem.matrix().mbar : nullptr, solution);
  const RowSpace* const space = problem.row_space();
  Matrix<Real> scratch(data.features() + 1, 0);
  if (solution != nullptr && space != nullptr) scratch = space->expanded(solution->weights);
  const bool is_elsewhere = solution == nullptr || space != nullptr;
  const Matrix<Real>& weights = is_elsewhere ? scratch : solution->weights;
  contents.intercepts = trainable.intercepts<Real>(weights.row(0), options.loss);
  contents.weights = trainable.widened(weights);
  if (options.prior) describe_continued<Real>(data, options, problem, contents);
  return Model(std::move(contents));
}

template decltype(solve_mgd<float>) solve_mgd<float>;
template decltype(model_of<float>) model_of<float>;
template decltype(solve_mgd<double>) solve_mgd<double>;
template decltype(model_of<double>) model_of<double>;

}  // namespace mugrad
