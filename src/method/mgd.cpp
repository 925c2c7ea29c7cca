// SPDX-License-Identifier: MIT
#include "method/base_score.h"
#include "method/trainable_labels.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/method/mgd.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/accelerated.h>
#include <mugrad/solver/mgd_iteration.h>
#include <mugrad/theory/step.h>
#include <mugrad/transfer/transfer.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// The share of the largest safe step that an automatic step takes: a little short of where the
/// fastest mode would stop shrinking.
constexpr double kStepShare = 0.95;

void require(bool holds, std::string_view what) {
  if (!holds) throw UsageError(std::string(what));
}

void validate_objective(const MgdOptions& o, const Dataset& data) {
  require(std::isfinite(o.rho) && o.rho >= 0, fmt::format("rho must be >= 0, got {}", o.rho));
  require(std::isfinite(o.l1) && o.l1 >= 0, fmt::format("l1 must be >= 0, got {}", o.l1));
  require(std::isfinite(o.l1_sharpness) && o.l1_sharpness > 0,
          fmt::format("the sharpness of l1 must be > 0, got {}", o.l1_sharpness));
  require(std::isfinite(o.positive_weight) && o.positive_weight > 0,
          fmt::format("the weight of positives must be > 0, got {}", o.positive_weight));
  const auto& weights = o.positive_weights;
  require(weights.empty() || std::ssize(weights) == data.labels(),
          fmt::format("there are {} weights of positives for {} labels", weights.size(),
                      data.labels()));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require(std::isfinite(weights[i]) && weights[i] > 0,
            fmt::format("the weight of positives of label '{}' must be > 0, got {}",
                        name_or_number(data.label_names, static_cast<Index>(i)), weights[i]));
  }
}

void validate(const MgdOptions& o) {
  require(std::isfinite(o.sigma) && o.sigma >= 0,
          fmt::format("sigma must be >= 0, got {}", o.sigma));
  require(o.tolerance >= 0 && o.tolerance < 1,
          fmt::format("tolerance must be in [0, 1), got {}", o.tolerance));
  require(o.max_iterations > 0,
          fmt::format("the number of iterations must be > 0, got {}", o.max_iterations));
  require(o.loss != LossKind::logistic || (o.threshold >= 0 && o.threshold <= 1),
          fmt::format("threshold must be in [0, 1], got {}", o.threshold));
  require(std::isfinite(o.threshold), fmt::format("threshold must be finite, got {}", o.threshold));
  require(std::isfinite(o.start_deviation) && o.start_deviation >= 0,
          fmt::format("the deviation of a random start must be >= 0, got {}", o.start_deviation));
  require(!o.neighbours || *o.neighbours >= 1,
          fmt::format("neighbours must be >= 1, got {}", o.neighbours.value_or(0)));
  if (!o.alpha) return;
  require(std::isfinite(*o.alpha) && *o.alpha > 0,
          fmt::format("alpha must be > 0, got {}", *o.alpha));
  require(o.solver == SolverKind::plain,
          "alpha is the step of the plain iteration; the accelerated solver chooses its own");
}

std::map<std::string, std::string> as_text(const MgdOptions& o) {
  const auto& weights = o.positive_weights;
  return {{"loss", std::string(to_string(o.loss))},
          {"rho", fmt::format("{}", o.rho)},
          {"l1", fmt::format("{}", o.l1)},
          {"l1-sharpness", fmt::format("{}", o.l1_sharpness)},
          {"positive-weight", weights.empty() ? fmt::format("{}", o.positive_weight)
                                              : fmt::format("{}", fmt::join(weights, ","))},
          {"sigma", o.sigma_per_label.empty() ? fmt::format("{}", o.sigma) : "per label"},
          {"transfer", o.transfer ? "given" : std::string(to_string(o.similarity))},
          {"neighbours", o.neighbours ? fmt::format("{}", *o.neighbours) : "all"},
          {"transfer-intercept", o.transfer_intercept ? "true" : "false"},
          {"scaling", std::string(to_string(o.scaling))},
          {"solver", std::string(to_string(o.solver))},
          {"alpha", o.alpha ? fmt::format("{}", *o.alpha) : "auto"},
          {"tolerance", fmt::format("{}", o.tolerance)},
          {"max-iterations", fmt::format("{}", o.max_iterations)},
          {"start", std::string(to_string(o.start))},
          {"start-deviation", fmt::format("{}", o.start_deviation)},
          {"seed", fmt::format("{}", o.seed)},
          {"precision", std::string(to_string(o.precision))}};
}

/// Means and deviations overflow where values do not: say so before anything is trained.
void check_range(const Dataset& data, const Scaling& scaling) {
  for (std::size_t k = 0; k < scaling.mean.size(); ++k) {
    if (std::isfinite(scaling.mean[k]) && std::isfinite(scaling.deviation[k])) continue;
    throw InputError(fmt::format(
        "feature '{}' of {} has values too large to train on: its mean is {}, its deviation {}",
        name_or_number(data.feature_names, static_cast<Index>(k)), data.name, scaling.mean[k],
        scaling.deviation[k]));
  }
}

LinearTaskOptions task_options(const MgdOptions& options, const TrainableLabels& trainable) {
  LinearTaskOptions result{.loss = options.loss,
                           .rho = options.rho,
                           .l1 = options.l1,
                           .l1_sharpness = options.l1_sharpness};
  if (!options.positive_weights.empty()) {
    result.positive_weights = trainable.narrowed(options.positive_weights);
  } else if (options.positive_weight != 1) {
    result.positive_weights.assign(static_cast<std::size_t>(trainable.labels().cols),
                                   options.positive_weight);
  }
  return result;
}

template <class Real>
Matrix<Real> start_weights(const MgdOptions& options, const LinearTaskOptions& tasks,
                           const BinaryMatrix& labels, Index features) {
  Matrix<Real> weights(features + 1, labels.cols);
  if (options.start == Start::log_odds) {
    const auto counts = column_counts(labels);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double weight = tasks.positive_weights.empty() ? 1 : tasks.positive_weights[i];
      const auto positives = static_cast<double>(counts[i]);
      const double negatives = static_cast<double>(labels.rows()) - positives;
      weights(0, static_cast<Index>(i)) = static_cast<Real>(
          base_score(tasks.loss, weight * positives, weight * positives + negatives));
    }
  } else if (options.start == Start::random) {
    RandomStream random(options.seed, "mgd-start");
    for (Real& weight : weights.values()) {
      weight = static_cast<Real>(options.start_deviation * random.normal());
    }
  }
  return weights;
}

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

template <class Real>
Solution<Real> solve(const Dataset& data, const TrainableLabels& trainable, const Scaling& scaling,
                     const TransferMatrix& matrix, double sigma, const MgdOptions& options,
                     Observer* observer) {
  ThreadPool pool(options.threads);
  const auto& labels = trainable.labels();
  const auto of_tasks = task_options(options, trainable);
  const auto tasks = linear_tasks<Real>(data.x, feature_transform(scaling), labels, of_tasks, pool);
  const auto transfer = scalar_transfer<Real>(
      matrix.mbar, options.transfer_intercept ? Intercepts::transferred : Intercepts::own, pool);
  Solution<Real> solution{
      .weights = start_weights<Real>(options, of_tasks, labels, data.features()),
      .curvature = tasks->curvature()};
  if (!std::isfinite(solution.curvature)) {
    throw InputError(
        fmt::format("{} has values too large to train on without scaling: the curvature is {}",
                    data.name, solution.curvature));
  }
  const double safe = theory::largest_safe_step(solution.curvature, sigma, matrix);
  Stopping stopping{.tolerance = options.tolerance, .max_iterations = options.max_iterations};

  if (options.solver == SolverKind::plain) {
    solution.step = options.alpha.value_or(kStepShare * safe);
    stopping.step_is_suspect = solution.step >= safe;
    if (stopping.step_is_suspect) {
      solution.warnings.push_back(
          fmt::format("alpha {} is not below {:.6g}, the largest step proven safe for this data",
                      solution.step, safe));
    }
    solution.solve = run_mgd(*tasks, *transfer, sigma, solution.step, solution.weights, stopping,
                             observer, pool);
  } else {
    solution.step = safe / 2;
    solution.solve = run_accelerated(*tasks, *transfer, sigma, solution.step, solution.weights,
                                     stopping, observer, pool);
  }
  Matrix<Real> gradient(solution.weights.rows(), solution.weights.cols());
  std::vector<double> losses(static_cast<std::size_t>(labels.cols));
  tasks->gradient(solution.weights, gradient, losses);
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

/// The transfer among the trainable labels and its strength.
struct ChosenTransfer {
  TransferMatrix matrix;
  double sigma = 0;
};

ChosenTransfer transfer_for(const TrainableLabels& trainable, const MgdOptions& options) {
  const BinaryMatrix& labels = trainable.labels();
  const auto sigmas = options.sigma_per_label.empty() ? std::vector<double>{}
                                                      : trainable.narrowed(options.sigma_per_label);
  const double sigma = options.sigma_per_label.empty() ? options.sigma
                       : sigmas.empty()                ? 0
                                                       : std::ranges::max(sigmas);
  // Without transfer nothing is borrowed, and the relations in the model say so.
  if (sigma == 0) return {no_transfer(labels.cols), 0};
  TransferMatrix matrix =
      options.transfer ? transfer_as_given(trainable.narrowed(options.transfer->mbar), labels.cols)
                       : label_transfer(labels, options.similarity, options.neighbours);
  if (!options.sigma_per_label.empty()) matrix = with_strengths(matrix, sigmas);
  return {std::move(matrix), sigma};
}

void check_shapes(const Dataset& data, const MgdOptions& options) {
  const auto labels = static_cast<std::size_t>(data.labels());
  if (!options.sigma_per_label.empty() && options.sigma_per_label.size() != labels) {
    throw UsageError(fmt::format("sigma is given for {} labels, and there are {}",
                                 options.sigma_per_label.size(), labels));
  }
  for (const double sigma : options.sigma_per_label) {
    require(std::isfinite(sigma) && sigma >= 0, fmt::format("sigma must be >= 0, got {}", sigma));
  }
  if (options.transfer) transfer_as_given(options.transfer->mbar, data.labels());
}

template <class Real>
Model train(const Dataset& data, const MgdOptions& options, Observer* observer) {
  const TrainableLabels trainable(data.y);
  ModelContents contents;
  contents.feature_names = data.feature_names;
  contents.label_names = data.label_names;
  contents.scaling = fit_scaling(data.x, options.scaling);
  check_range(data, contents.scaling);
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

  const auto [matrix, sigma] = transfer_for(trainable, options);
  Matrix<Real> weights;
  if (trainable.labels().cols > 0) {
    const auto solution =
        solve<Real>(data, trainable, contents.scaling, matrix, sigma, options, observer);
    throw_unless_done(solution, options);
    auto& report = contents.report;
    report.stop = to_string(solution.solve.stop);
    report.passes = solution.solve.passes;
    report.step = solution.step;
    report.curvature = solution.curvature;
    report.first_residual = solution.solve.first_residual;
    report.residual = solution.solve.residual;
    report.total_loss = solution.total_loss;
    std::ranges::copy(solution.warnings, std::back_inserter(report.warnings));
    weights = solution.weights;
  } else {
    weights = Matrix<Real>(data.features() + 1, 0);
  }
  contents.relations = trainable.widened(matrix.mbar);
  contents.intercepts = trainable.intercepts<Real>(weights.row(0), options.loss);
  contents.weights = trainable.widened(weights);
  return Model(std::move(contents));
}

}  // namespace

MgdOptions with_paper_preset(MgdOptions options) {
  options.solver = SolverKind::plain;
  options.alpha = 0.02;
  options.tolerance = 0;
  options.max_iterations = 1000;
  options.start = Start::zero;
  options.scaling = ScalingKind::zscore;
  options.transfer_intercept = true;
  return options;
}

Model fit(const Dataset& data, const MgdOptions& options, Observer* observer) {
  validate(options);
  validate_objective(options, data);
  if (data.rows() == 0) throw InputError(fmt::format("{} has no examples to train on", data.name));
  if (data.features() == 0) {
    throw InputError(fmt::format("{} has no features to train on", data.name));
  }
  if (data.labels() == 0) throw InputError(fmt::format("{} has no labels to train on", data.name));
  check_shapes(data, options);
  return options.precision == Precision::double_precision ? train<double>(data, options, observer)
                                                          : train<float>(data, options, observer);
}

}  // namespace mugrad
