// SPDX-License-Identifier: MIT
#include "method/mgd_options.h"

#include "core/names.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr Name<SolverKind> kSolvers[] = {{SolverKind::accelerated, "accelerated"},
                                         {SolverKind::plain, "plain"}};
constexpr Name<Start> kStarts[] = {
    {Start::log_odds, "log-odds"}, {Start::zero, "zero"}, {Start::random, "random"}};
constexpr Name<Precision> kPrecisions[] = {{Precision::single_precision, "float"},
                                           {Precision::double_precision, "double"}};

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

void validate_run(const MgdOptions& o) {
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

void validate_transfer(const Dataset& data, const MgdOptions& options) {
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

void check_unknown(const Dataset& data) {
  const auto& unknown = data.unknown;
  if (unknown.rows() == 0) return;
  if (unknown.rows() != data.rows() || unknown.cols != data.labels()) {
    throw InputError(fmt::format("the unknown labels of {} are {} x {}, {} x {} expected",
                                 data.name, unknown.rows(), unknown.cols, data.rows(),
                                 data.labels()));
  }
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : unknown.row(row)) {
      if (!std::ranges::binary_search(data.y.row(row), label)) continue;
      throw InputError(fmt::format("label '{}' of example {} of {} is both there and unknown",
                                   name_or_number(data.label_names, label), row, data.name));
    }
  }
}

}  // namespace

std::string_view to_string(SolverKind solver) { return name_of<SolverKind>(kSolvers, solver); }
std::string_view to_string(Start start) { return name_of<Start>(kStarts, start); }
std::string_view to_string(Precision precision) {
  return name_of<Precision>(kPrecisions, precision);
}

SolverKind solver_named(std::string_view name) {
  return named<SolverKind>(kSolvers, name, "solver");
}
Start start_named(std::string_view name) { return named<Start>(kStarts, name, "start"); }
Precision precision_named(std::string_view name) {
  return named<Precision>(kPrecisions, name, "precision");
}

void validate(const MgdOptions& options, const Dataset& data) {
  validate_run(options);
  validate_objective(options, data);
  if (data.rows() == 0) throw InputError(fmt::format("{} has no examples to train on", data.name));
  if (data.features() == 0) {
    throw InputError(fmt::format("{} has no features to train on", data.name));
  }
  if (data.labels() == 0) throw InputError(fmt::format("{} has no labels to train on", data.name));
  validate_transfer(data, options);
  check_unknown(data);
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

}  // namespace mugrad
