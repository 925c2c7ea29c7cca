// SPDX-License-Identifier: MIT
#include "method/common/gaussian_training.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/method/certify.h>
#include <mugrad/solver/solvers.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace mugrad {
namespace {

/// |w_i - v_i| for every task.
std::vector<double> task_distances(const Matrix<double>& w, const Matrix<double>& v) {
  std::vector<double> distances(as_size(w.cols()), 0);
  for (Index k = 0; k < w.rows(); ++k) {
    for (std::size_t i = 0; i < distances.size(); ++i) {
      const double gap = w.row(k)[i] - v.row(k)[i];
      distances[i] += gap * gap;
    }
  }
  for (double& distance : distances) distance = std::sqrt(distance);
  return distances;
}

double block_distance(const Matrix<double>& w, const Matrix<double>& v) {
  return std::ranges::max(task_distances(w, v));
}

double weighted_distance(const Matrix<double>& w, const Matrix<double>& v,
                         const std::vector<double>& weights) {
  const auto distances = task_distances(w, v);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * distances[i] * distances[i];
  return std::sqrt(sum);
}

/// Guarantees are about the plain iteration.
MgdOptions plain(MgdOptions options) {
  options.solver = SolverKind::plain;
  return options;
}

theory::Certificate promise_for(MgdProblem<double>& problem, const MgdOptions& options) {
  return theory::certify(problem.tasks().curvatures(), problem.sigma(),
                         theory::facts_of(problem.matrix(), problem.intercepts()), options.alpha);
}

/// The equilibrium for this transfer strength.
Matrix<double> equilibrium(MgdProblem<double>& problem, double sigma) {
  constexpr Stopping kTight{.tolerance = 1e-10, .max_iterations = 100000};
  Matrix<double> weights = problem.start();
  const auto report = find_equilibrium(problem.tasks(), problem.transfer(), weights,
                                       {.sigma = sigma, .stopping = kTight}, problem.pool());
  if (report.stop != Stop::converged) {
    throw Error(
        fmt::format("the weights to compare with could not be computed: residual {:.3g} after {} "
                    "passes",
                    report.residual, report.passes));
  }
  return weights;
}

PromiseCheck compared(std::string what, double promised, double observed) {
  constexpr double kRounding = 1e-9;
  return {std::move(what), promised, observed, observed <= promised * (1 + kRounding)};
}

Matrix<double> random_start(const MgdProblem<double>& problem, std::uint64_t index) {
  Matrix<double> weights = problem.start();
  RandomStream random(1, "certify", index);
  for (double& weight : weights.values()) weight += random.normal();
  return weights;
}

using Distance = std::function<double(const Matrix<double>&, const Matrix<double>&)>;

/// The largest factor by which an iteration changed each distance between two runs.
std::vector<double> observed_factors(MgdProblem<double>& problem, double step, Index iterations,
                                     const std::vector<Distance>& distances) {
  Matrix<double> first = random_start(problem, 1);
  Matrix<double> second = random_start(problem, 2);
  std::vector<double> largest(distances.size(), 0);
  std::vector<double> before;
  before.reserve(distances.size());
  for (const auto& distance : distances) before.push_back(distance(first, second));
  // Once the runs agree up to rounding, distances are meaningless.
  const std::vector<double> start = before;
  for (Index iteration = 0; iteration < iterations; ++iteration) {
    for (Matrix<double>* weights : {&first, &second}) {
      run_mgd(problem.tasks(), problem.transfer(), *weights,
              {.sigma = problem.sigma(),
               .step = step,
               .stopping = {.tolerance = 0, .max_iterations = 1}},
              problem.pool());
    }
    for (std::size_t k = 0; k < distances.size(); ++k) {
      const double after = distances[k](first, second);
      if (before[k] > 1e-6 * start[k]) largest[k] = std::max(largest[k], after / before[k]);
      before[k] = after;
    }
  }
  return largest;
}

}  // namespace

MgdCertificate certify(const Dataset& data, const MgdOptions& options) {
  if (is_gaussian(options)) {
    return train_gaussian(data, options, nullptr,
                          [](const GaussianData& given, const MgdOptions& inner, Progress*) {
                            return certify(given.data, inner);
                          });
  }
  MgdProblem<double> problem(data, plain(options));
  if (problem.is_empty()) {
    throw InputError(fmt::format("no label of {} has both classes", data.name));
  }
  MgdCertificate result{.promise = promise_for(problem, options),
                        .rows = data.rows(),
                        .features = data.features(),
                        .labels = problem.trainable().labels().cols};
  if (!result.promise.distance_bound(1)) return result;
  const Matrix<double> minimisers = equilibrium(problem, 0);
  result.largest_minimiser =
      block_distance(minimisers, Matrix<double>(minimisers.rows(), minimisers.cols()));
  result.distance_bound = result.promise.distance_bound(*result.largest_minimiser);
  return result;
}

std::vector<PromiseCheck> check_promises(const Dataset& data, const MgdOptions& options,
                                         Index iterations) {
  if (is_gaussian(options)) {
    return train_gaussian(data, options, nullptr,
                          [&](const GaussianData& given, const MgdOptions& inner, Progress*) {
                            return check_promises(given.data, inner, iterations);
                          });
  }
  const MgdCertificate certificate = certify(data, options);
  const auto& promise = certificate.promise;
  if (promise.step >= promise.safe_step) {
    throw UsageError(
        fmt::format("there is no guarantee for step {:.6g}: the largest proven safe is "
                    "{:.6g}",
                    promise.step, promise.safe_step));
  }
  MgdProblem<double> problem(data, plain(options));
  std::vector<Distance> distances;
  std::vector<std::pair<std::string, double>> promised;
  if (std::isfinite(promise.contraction)) {
    distances.emplace_back(block_distance);
    promised.emplace_back("contraction per iteration, largest task", promise.contraction);
  }
  if (promise.contraction_weighted) {
    const auto& weights = problem.matrix().reversing_weights;
    distances.emplace_back([&weights](const Matrix<double>& w, const Matrix<double>& v) {
      return weighted_distance(w, v, weights);
    });
    promised.emplace_back("contraction per iteration, weighted sum", *promise.contraction_weighted);
  }
  const auto observed = observed_factors(problem, promise.step, iterations, distances);
  std::vector<PromiseCheck> checks;
  for (std::size_t k = 0; k < promised.size(); ++k) {
    checks.push_back(compared(promised[k].first, promised[k].second, observed[k]));
  }
  if (certificate.distance_bound) {
    checks.push_back(
        compared("distance from the own minimisers", *certificate.distance_bound,
                 block_distance(equilibrium(problem, problem.sigma()), equilibrium(problem, 0))));
  }
  return checks;
}

}  // namespace mugrad
