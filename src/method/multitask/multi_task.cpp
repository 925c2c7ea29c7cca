// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "method/multitask/coupling.h"
#include "method/multitask/signed_transfer.h"
#include "method/multitask/task_decorators.h"

#include <mugrad/core/error.h>
#include <mugrad/method/multi_task.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr Name<MultiTaskRoute> kRoutes[] = {{MultiTaskRoute::split, "split"},
                                            {MultiTaskRoute::rescaled, "rescaled"},
                                            {MultiTaskRoute::signed_transfer, "signed-transfer"},
                                            {MultiTaskRoute::direct, "direct"}};

/// How to run a route's iteration, whatever the route.
struct Runner {
  const MultiTaskOptions& options;
  Stopping stopping;
  Progress* progress;
  ThreadPool& pool;

  Index free_rows() const { return options.intercepts == Intercepts::own ? 1 : 0; }

  /// Requires: every step below `limit` is safe.
  SolveReport run(TaskSet<double>& tasks, Transfer<double>& transfer, double sigma, double limit,
                  Matrix<double>& weights) const {
    if (!std::isfinite(limit)) limit = 1;  // no curvature, so any step is safe
    if (options.solver == SolverKind::plain) {
      return run_mgd(
          tasks, transfer, weights,
          {.sigma = sigma, .step = 0.95 * limit, .stopping = stopping, .progress = progress}, pool);
    }
    return find_equilibrium(tasks, transfer, weights,
                            {.sigma = sigma, .stopping = stopping, .progress = progress}, pool);
  }
};

/// sigma and Mbar with sigma (I - Mbar) = lambda (S - diag(S 1)). Requires: S_ij <= 0 off the
/// diagonal.
struct SplitTransfer {
  double sigma = 0;
  TransferMatrix matrix;

  SplitTransfer(const Matrix<double>& s, double lambda) {
    const Index tasks = s.rows();
    for (Index i = 0; i < tasks; ++i) {
      double radius = 0;
      for (Index j = 0; j < tasks; ++j) radius -= j == i ? 0 : lambda * s(i, j);
      sigma = std::max(sigma, radius);
    }
    matrix.mbar.cols = tasks;
    for (Index i = 0; i < tasks; ++i) add_row(s, lambda, i);
    matrix.reversing_weights.assign(as_size(tasks), 1.0);
  }

 private:
  void add_row(const Matrix<double>& s, double lambda, Index i) {
    std::vector<double> row(as_size(s.cols()), 0);
    double own = 1;
    for (Index j = 0; j < s.cols(); ++j) {
      if (j == i || sigma == 0) continue;
      row[as_size(j)] = -lambda * s(i, j) / sigma;
      own -= row[as_size(j)];
    }
    row[as_size(i)] = std::max(own, 0.0);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      matrix.mbar.column.push_back(static_cast<LabelId>(j));
      matrix.mbar.value.push_back(row[j]);
    }
    matrix.mbar.end_row();
  }
};

/// Route 1: f_i gains the ridge lambda r_i, r = S 1; the rest of S is transfer.
SolveReport solve_split(TaskSet<double>& tasks, const Matrix<double>& s, double lambda,
                        const std::vector<double>& row_sums, Matrix<double>& weights,
                        const Runner& runner) {
  auto ridge = row_sums;
  for (double& entry : ridge) entry *= lambda;
  RidgedTasks ridged(tasks, std::move(ridge), runner.free_rows());
  const SplitTransfer split(s, lambda);
  const auto transfer =
      scalar_transfer<double>(split.matrix.mbar, runner.options.intercepts, runner.pool);
  const double limit = theory::largest_safe_step(ridged.curvature(), split.sigma, split.matrix);
  return runner.run(ridged, *transfer, split.sigma, limit, weights);
}

/// Route 2: route 1 for v_i = w_i / delta_i, with the coupling Delta S Delta, whose row sums Delta
/// S delta are a positive multiple of delta.
SolveReport solve_rescaled(TaskSet<double>& tasks, const Coupling& coupling,
                           const std::vector<double>& delta, Matrix<double>& weights,
                           const Runner& runner) {
  const Index t = coupling.tasks();
  Matrix<double> s(t, t);
  std::vector<double> row_sums(delta.size(), 0);
  for (Index i = 0; i < t; ++i) {
    const auto row = as_size(i);
    for (Index j = 0; j < t; ++j) {
      s(i, j) = delta[row] * coupling.s()(i, j) * delta[as_size(j)];
      row_sums[row] += s(i, j);
    }
    row_sums[row] = std::max(row_sums[row], 0.0);  // positive up to rounding
  }
  std::vector<double> inverse(delta);
  for (double& entry : inverse) entry = 1 / entry;

  RescaledTasks rescaled(tasks, delta);
  scale_columns({}, inverse, weights);
  const auto report = solve_split(rescaled, s, coupling.lambda(), row_sums, weights, runner);
  scale_columns({}, delta, weights);
  return report;
}

/// Routes 3 and 4: transfer by C = I - (lambda/sigma) S, so that sigma (W - W C') = lambda W S.
SolveReport solve_by_signs(TaskSet<double>& tasks, const Coupling& coupling, double limit,
                           Matrix<double>& weights, const Runner& runner) {
  double largest = 0;  // the largest S_ii if S is diagonally dominant
  for (const double entry : coupling.s().values()) largest = std::max(largest, std::fabs(entry));
  auto c = coupling.s();
  for (double& entry : c.values()) entry = largest > 0 ? -entry / largest : 0;
  for (Index i = 0; i < c.rows(); ++i) c(i, i) += 1;
  SignedTransfer transfer(std::move(c), runner.options.intercepts, runner.pool);
  return runner.run(tasks, transfer, coupling.lambda() * largest, limit, weights);
}

/// min_i 2 / (L_i + lambda (|S_ii| + sum_{j != i} |S_ij|)): route 3.
double signed_step_limit(const Coupling& coupling) {
  double largest = 0;
  for (std::size_t i = 0; i < coupling.radii().size(); ++i) {
    const double diagonal = coupling.s()(as_index(i), as_index(i));
    largest =
        std::max(largest, coupling.curvatures()[i].most +
                              coupling.lambda() * (std::fabs(diagonal) + coupling.radii()[i]));
  }
  return 2 / largest;
}

SolveReport solve_by(MultiTaskRoute route, TaskSet<double>& tasks, const Coupling& coupling,
                     const std::vector<double>& delta, Matrix<double>& weights,
                     const Runner& runner) {
  switch (route) {
    case MultiTaskRoute::split:
      return solve_split(tasks, coupling.s(), coupling.lambda(), coupling.row_sums(), weights,
                         runner);
    case MultiTaskRoute::rescaled:
      return solve_rescaled(tasks, coupling, delta, weights, runner);
    case MultiTaskRoute::signed_transfer:
      return solve_by_signs(tasks, coupling, signed_step_limit(coupling), weights, runner);
    case MultiTaskRoute::direct:
      break;
  }
  return solve_by_signs(tasks, coupling, 2 / coupling.joint_curvature(), weights, runner);
}

/// Fills in the route and the infeasible ones before it; throws UsageError if none is feasible.
void choose_route(const Coupling& coupling, std::optional<MultiTaskRoute> forced,
                  MultiTaskReport& report) {
  if (forced) {
    if (const auto reason = coupling.obstacle(*forced)) {
      throw UsageError(
          fmt::format("the route '{}' is not feasible: {}", to_string(*forced), *reason));
    }
    report.route = *forced;
    return;
  }
  for (const auto route : {MultiTaskRoute::split, MultiTaskRoute::rescaled,
                           MultiTaskRoute::signed_transfer, MultiTaskRoute::direct}) {
    auto reason = coupling.obstacle(route);
    if (!reason) {
      report.route = route;
      return;
    }
    report.passed_over.push_back({.route = route, .reason = std::move(*reason)});
  }
  throw UsageError("the joint objective may not be convex: " + report.passed_over.back().reason);
}

void check_arguments(TaskSet<double>& tasks, const Matrix<double>& weights,
                     const MultiTaskOptions& options) {
  if (weights.rows() != tasks.parameters() || weights.cols() != tasks.tasks()) {
    throw UsageError(fmt::format("the weights are {} x {}, expected {} parameters x {} tasks",
                                 weights.rows(), weights.cols(), tasks.parameters(),
                                 tasks.tasks()));
  }
  if (weights.size() == 0) throw UsageError("there must be at least one task, got none");
  if (!(options.tolerance >= 0 && std::isfinite(options.tolerance))) {
    throw UsageError(fmt::format("the tolerance must be >= 0, got {}", options.tolerance));
  }
  if (options.max_iterations < 0) {
    throw UsageError(
        fmt::format("the limit of iterations must be >= 0, got {}", options.max_iterations));
  }
}

/// The tolerance of a run in units of delta_i v_i = w_i that ensures the requested one, relative to
/// the residual at the start and at zero.
double tolerance_of_run(JointObjective& joint, const Matrix<double>& start, double tolerance,
                        const std::vector<double>& delta) {
  joint.evaluate(Matrix<double>(start.rows(), start.cols()));
  const double at_zero = joint.residual();
  joint.evaluate(start);
  double first = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) {
    first = std::max(first, delta[i] * joint.gradient_norms()[i]);
  }
  if (first == 0) return tolerance;
  return tolerance * std::max(at_zero, joint.residual()) * std::ranges::min(delta) / first;
}

}  // namespace

std::string_view to_string(MultiTaskRoute route) { return name_of<MultiTaskRoute>(kRoutes, route); }

MultiTaskReport solve_multi_task(TaskSet<double>& tasks, const Matrix<double>& s, double lambda,
                                 Matrix<double>& weights, const MultiTaskOptions& options,
                                 Progress* progress) {
  check_arguments(tasks, weights, options);
  const Coupling coupling(s, lambda, tasks.curvatures());
  MultiTaskReport report;
  choose_route(coupling, options.route, report);
  const auto delta = report.route == MultiTaskRoute::rescaled
                         ? coupling.rescaling()
                         : std::vector<double>(as_size(coupling.tasks()), 1.0);

  JointObjective joint(tasks, coupling.s(), lambda, options.intercepts);
  ThreadPool pool(options.threads);
  const Runner runner{
      .options = options,
      .stopping = {.tolerance = tolerance_of_run(joint, weights, options.tolerance, delta),
                   .max_iterations = options.max_iterations},
      .progress = progress,
      .pool = pool};
  const auto solved = solve_by(report.route, tasks, coupling, delta, weights, runner);
  joint.evaluate(weights);

  report.stop = solved.stop;
  report.iterations = solved.iterations;
  report.passes = solved.passes + joint.passes();
  report.residual = joint.residual();
  report.objective = joint.value();
  return report;
}

Matrix<double> mean_coupling(Index tasks) {
  if (tasks < 1) throw UsageError(fmt::format("there must be at least one task, got {}", tasks));
  Matrix<double> s(tasks, tasks, -1 / static_cast<double>(tasks));
  for (Index i = 0; i < tasks; ++i) s(i, i) += 1;
  return s;
}

Matrix<double> graph_coupling(const Matrix<double>& adjacency) {
  const Index tasks = adjacency.rows();
  require_symmetric(adjacency, tasks, "the adjacency");
  Matrix<double> s(tasks, tasks);
  for (Index i = 0; i < tasks; ++i) {
    for (Index j = 0; j < tasks; ++j) {
      if (j == i) continue;
      if (adjacency(i, j) < 0) {
        throw UsageError(
            fmt::format("the adjacency({}, {}) is {}, expected >= 0", i, j, adjacency(i, j)));
      }
      s(i, j) = -adjacency(i, j);
      s(i, i) += adjacency(i, j);
    }
  }
  return s;
}

}  // namespace mugrad
