// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_options.h"

#include "core/names.h"
#include "method/common/common_options.h"
#include "method/common/initial_weights.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/mgd/learned_similarity.h"
#include "method/mgd/mgd_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

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

template <class Value>
void require_value(bool holds, std::string_view option, std::string_view expected, Value value) {
  if (holds) return;
  throw UsageError(
      fmt::format("{} must be {}, got {}", method_option_text(option), expected, value));
}

void validate_objective(const MgdOptions& o, const Dataset& data) {
  require_value(std::isfinite(o.rho) && o.rho >= 0, "rho", ">= 0", o.rho);
  require_value(std::isfinite(o.l1) && o.l1 >= 0, "l1", ">= 0", o.l1);
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
                        name_or_number(data.label_names, as_index(i)), weights[i]));
  }
}

void validate_run(const MgdOptions& o) {
  require_value(std::isfinite(o.sigma) && o.sigma >= 0, "sigma", ">= 0", o.sigma);
  require_value(!o.sigma_ratio || (std::isfinite(*o.sigma_ratio) && *o.sigma_ratio >= 0),
                "sigma-ratio", ">= 0", o.sigma_ratio.value_or(0));
  require(!o.sigma_ratio || o.sigma_per_label.empty(),
          fmt::format("{} cannot be given with a strength for each label",
                      method_option_text("sigma-ratio")));
  require_value(o.text_weight > 0 && o.text_weight <= kMostTextWeight, "text-weight",
                fmt::format("> 0 and at most {:g}", kMostTextWeight), o.text_weight);
  require_value(o.tolerance >= 0 && o.tolerance < 1, "tolerance", "in [0, 1)", o.tolerance);
  require(o.max_iterations > 0,
          fmt::format("the number of iterations must be > 0, got {}", o.max_iterations));
  require_value(o.loss != LossKind::logistic || (o.threshold >= 0 && o.threshold <= 1), "threshold",
                "in [0, 1]", o.threshold);
  require_value(std::isfinite(o.threshold), "threshold", "finite", o.threshold);
  require(std::isfinite(o.start_deviation) && o.start_deviation >= 0,
          fmt::format("the deviation of a random start must be >= 0, got {}", o.start_deviation));
  require_value(!o.neighbours || *o.neighbours >= 1, "neighbours", ">= 1",
                o.neighbours.value_or(0));
  if (!o.alpha) return;
  require_value(std::isfinite(*o.alpha) && *o.alpha > 0, "alpha", "> 0", *o.alpha);
  require(o.solver == SolverKind::plain,
          "alpha is the step of the plain iteration; the accelerated solver chooses its own");
}

void validate_transfer(const Dataset& data, const MgdOptions& options) {
  const auto labels = as_size(data.labels());
  if (!options.sigma_per_label.empty() && options.sigma_per_label.size() != labels) {
    throw UsageError(fmt::format("sigma is given for {} labels, but there are {}",
                                 options.sigma_per_label.size(), labels));
  }
  for (const double sigma : options.sigma_per_label) {
    require_value(std::isfinite(sigma) && sigma >= 0, "sigma", ">= 0", sigma);
  }
  if (options.transfer) transfer_as_given(options.transfer->mbar, data.labels());
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

double transfer_strength(const MgdOptions& options) noexcept {
  return options.sigma_ratio ? *options.sigma_ratio * options.rho : options.sigma;
}

void list_options(MgdOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list.number("sigma", options.sigma, "Transfer strength; 0 trains every label alone",
              {.at_least = 0});
  list.optional_number("sigma-ratio", options.sigma_ratio,
                       "Transfer strength as a multiple of rho, instead of sigma", "none",
                       {.at_least = 0});
  list.choice(
      "transfer", options.similarity, "Which labels borrow from which",
      {Similarity::cosine, Similarity::jaccard, Similarity::conditional, Similarity::pearson,
       Similarity::identity, Similarity::weights, Similarity::predicted},
      similarity_named);
  list.optional_whole("neighbours", options.neighbours,
                      "Borrow only from this many most similar labels; learned relations (weights, "
                      "predicted): 10 unless given",
                      "all", {.at_least = 1});
  list.flag("transfer-intercept", options.transfer_intercept,
            "Transfer the intercepts too, as the paper does");
  list.choice("loss", options.loss, "Loss of each label", {LossKind::logistic, LossKind::squared},
              loss_named);
  list.number("l1", options.l1, "Strength of the smoothed L1 on the weights", {.at_least = 0});
  list.number("l1-sharpness", options.l1_sharpness,
              "How closely the smoothed L1 follows |w|; larger values take longer to solve",
              {.above = 0});
  list.number("positive-weight", options.positive_weight,
              "Weight of a positive example relative to a negative one", {.above = 0});
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_linear_threshold(options.threshold, list);
  list.choice("solver", options.solver, "How the equilibrium is computed",
              {SolverKind::accelerated, SolverKind::plain}, solver_named);
  list_solving(options.tolerance, options.max_iterations, list);
  list.optional_number("alpha", options.alpha, "Step of the plain solver", "auto", {.above = 0});
  list.choice("start", options.start, "Where the solver starts",
              {Start::log_odds, Start::zero, Start::random}, start_named);
  list.seed(options.seed);
  list_precision(options.precision, list);
}

void validate(const MgdOptions& options, const Dataset& data) {
  validate_run(options);
  validate_objective(options, data);
  check_trainable(data);
  validate_transfer(data, options);
  if (!options.initial) return;
  check_initial(*options.initial,
                {.features = data.features(),
                 .labels = data.labels(),
                 .feature_names = data.feature_names,
                 .label_names = data.label_names,
                 .representation = options.representation,
                 .link = options.loss == LossKind::logistic ? Link::logistic : Link::identity,
                 .term_blocks = data.term_blocks});
}

std::map<std::string, std::string> as_text(const MgdOptions& o) {
  const OptionValues values = options_text(o);
  std::map<std::string, std::string> text(values.begin(), values.end());
  const auto put_each = [&](const char* name, const std::vector<double>& of_labels) {
    if (!of_labels.empty()) text[name] = fmt::format("{}", fmt::join(of_labels, ","));
  };
  put_each("positive-weight", o.positive_weights);
  put_each("sigma", o.sigma_per_label);
  if (o.transfer) text["transfer"] = "given";
  // Values that follow from others, so that the model says what was used.
  if (o.sigma_ratio) text["sigma"] = fmt::format("{}", transfer_strength(o));
  if (learns_relations(o)) text["neighbours"] = fmt::format("{}", learned_neighbours(o));
  if (o.initial) text["start"] = "given";
  text["start-deviation"] = fmt::format("{}", o.start_deviation);
  return text;
}

MgdOptions mgd_options(const OptionValues& values) { return options_of<MgdOptions>("mgd", values); }

MgdOptions with_paper_preset(MgdOptions options) {
  options.solver = SolverKind::plain;
  options.alpha = 0.02;
  options.tolerance = 0;
  options.max_iterations = 1000;
  options.start = Start::zero;
  options.representation = RepresentationKind::zscore;
  options.transfer_intercept = true;
  return options;
}

OptionValues paper_preset() {
  const OptionValues usual = options_text(MgdOptions{});
  OptionValues preset = options_text(with_paper_preset());
  std::erase_if(preset, [&](const auto& entry) { return usual.at(entry.first) == entry.second; });
  return preset;
}

}  // namespace mugrad
