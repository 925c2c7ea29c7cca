// SPDX-License-Identifier: MIT
#include "method/mgd_options.h"
#include "method/mgd_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>
#include <mugrad/solver/find_equilibrium.h>
#include <mugrad/solver/mgd_iteration.h>
#include <mugrad/theory/certificate.h>

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {
namespace {

/// What solving gave: the weights of the labels that were trained, and how it went.
template <class Real>
struct Solution {
  Matrix<Real> weights;
  SolveReport solve;
  double step = 0;
  double curvature = 0;
  double total_loss = 0;
  std::vector<std::string> warnings;
};

std::string stall_warning(const SolveReport& solve, const MgdOptions& options) {
  return fmt::format(
      "the residual fell to {:.2g} of its first value and no further, {:.2g} was asked for{}",
      solve.residual / solve.first_residual, options.tolerance,
      options.precision == Precision::single_precision ? "; double precision goes further" : "");
}

template <class Real>
Solution<Real> solve(MgdProblem<Real>& problem, const MgdOptions& options, Observer* observer) {
  auto& tasks = problem.tasks();
  Solution<Real> solution{.weights = problem.start()};
  Stopping stopping{.tolerance = options.tolerance, .max_iterations = options.max_iterations};

  if (options.solver == SolverKind::plain) {
    const auto certificate =
        theory::certify(tasks.curvatures(), problem.sigma(),
                        theory::facts_of(problem.matrix(), problem.intercepts()), options.alpha);
    solution.curvature = certificate.curvature;
    solution.step = certificate.step;
    stopping.step_is_suspect = certificate.step >= certificate.safe_step;
    if (stopping.step_is_suspect) {
      solution.warnings.push_back(
          fmt::format("alpha {} is not below {:.6g}, the largest step proven safe for this data",
                      solution.step, certificate.safe_step));
    }
    solution.solve = run_mgd(tasks, problem.transfer(), problem.sigma(), solution.step,
                             solution.weights, stopping, observer, problem.pool());
  } else {
    solution.solve = find_equilibrium(tasks, problem.transfer(), problem.sigma(), solution.weights,
                                      stopping, observer, problem.pool());
  }
  if (solution.solve.stop == Stop::stalled) {
    solution.warnings.push_back(stall_warning(solution.solve, options));
  }
  Matrix<Real> gradient(solution.weights.rows(), solution.weights.cols());
  std::vector<double> losses(static_cast<std::size_t>(tasks.tasks()));
  tasks.gradient({}, solution.weights, gradient, {.values = losses});
  for (const double loss : losses) solution.total_loss += loss;
  return solution;
}

template <class Real>
void throw_unless_done(const Solution<Real>& solution, const MgdOptions& options) {
  const auto& solve = solution.solve;
  if (solve.stop == Stop::interrupted) {
    throw InterruptedError(
        fmt::format("training was interrupted after {} iterations", solve.iterations));
  }
  if (solve.stop != Stop::diverged) return;
  throw DivergenceError(
      fmt::format("training diverged: after {} iterations of step {:.6g} the residual is {:.3g}, "
                  "from {:.3g} at "
                  "the start{}",
                  solve.iterations, solution.step, solve.residual, solve.first_residual,
                  options.alpha ? "; a smaller alpha, or none, helps" : ""));
}

template <class Real>
void add_solution(const Solution<Real>& solution, TrainingReport& report) {
  report.stop = to_string(solution.solve.stop);
  report.passes = solution.solve.passes;
  report.step = solution.step;
  report.curvature = solution.curvature;
  report.first_residual = solution.solve.first_residual;
  report.residual = solution.solve.residual;
  report.total_loss = solution.total_loss;
  std::ranges::copy(solution.warnings, std::back_inserter(report.warnings));
}

template <class Real>
Model train(const Dataset& data, const MgdOptions& options, Observer* observer) {
  MgdProblem<Real> problem(data, options);
  const TrainableLabels& trainable = problem.trainable();
  ModelContents contents;
  contents.feature_names = data.feature_names;
  contents.label_names = data.label_names;
  contents.scaling = problem.scaling();
  contents.options = as_text(options);
  contents.link = options.loss == LossKind::logistic ? Link::logistic : Link::identity;
  contents.thresholds.assign(static_cast<std::size_t>(data.labels()), options.threshold);
  contents.report = {.method = "mgd",
                     .solver = std::string(to_string(options.solver)),
                     .stop = std::string(to_string(Stop::converged)),
                     .rows = data.rows(),
                     .constant_labels = trainable.constant()};
  if (const auto warning = trainable.warning(data.label_names)) {
    contents.report.warnings.push_back(*warning);
  }
  Matrix<Real> weights(data.features() + 1, 0);
  if (!problem.is_empty()) {
    const auto solution = solve(problem, options, observer);
    throw_unless_done(solution, options);
    add_solution(solution, contents.report);
    weights = solution.weights;
  }
  contents.relations = trainable.widened(problem.matrix().mbar);
  contents.intercepts = trainable.intercepts<Real>(weights.row(0), options.loss);
  contents.weights = trainable.widened(weights);
  return Model(std::move(contents));
}

}  // namespace

Model fit(const Dataset& data, const MgdOptions& options, Observer* observer) {
  return options.precision == Precision::double_precision ? train<double>(data, options, observer)
                                                          : train<float>(data, options, observer);
}

}  // namespace mugrad
