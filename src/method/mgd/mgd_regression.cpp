// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "core/stages.h"
#include "method/common/common_options.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_training.h"
#include "method/common/initial_weights.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/outcome.h"
#include "method/common/total_loss.h"
#include "method/common/training_memory.h"
#include "method/common/weights_near_one.h"
#include "method/mgd/mgd_options.h"
#include "objective/gram_tasks.h"
#include "objective/real_tasks.h"
#include "solver/equilibrium.h"
#include "transfer/target_similarity.h"
#include "transfer/transfer_memory.h"

#include <mugrad/core/error.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/transfer/transfer.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mugrad {
namespace {

constexpr std::string_view kData = "the data";

constexpr Name<TargetSimilarity> kSimilarities[] = {{TargetSimilarity::pearson, "pearson"},
                                                    {TargetSimilarity::identity, "identity"}};

}  // namespace

void list_options(RegressionOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list.number("sigma", options.sigma, "Transfer strength; 0 trains every target alone",
              {.at_least = 0});
  list.choice("transfer", options.similarity, "Which targets borrow from which",
              {TargetSimilarity::pearson, TargetSimilarity::identity}, target_similarity_named);
  list.optional_whole("neighbours", options.neighbours,
                      "Borrow only from this many most similar targets", "all", {.at_least = 1});
  list.number("l1", options.l1, "Strength of the smoothed L1 on the weights", {.at_least = 0});
  list.number("l1-sharpness", options.l1_sharpness,
              "How closely the smoothed L1 follows |w|; larger values take longer to solve",
              {.above = 0});
  list_representation(options.representation, options.gaussian, list);
  list_solving(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
  list_precision(options.precision, list);
}

namespace {

std::string target_name(const RegressionData& data, Index target) {
  return name_or_number(data.target_names, target);
}

void check_names(std::string_view what, const std::vector<std::string>& names, Index columns) {
  if (names.empty() || std::ssize(names) == columns) return;
  throw InputError(fmt::format("there are {} names for {} {}", names.size(), columns, what));
}

void check_data(const RegressionData& data) {
  if (data.x.rows() == 0) throw InputError("the data has no examples to train on");
  if (data.x.cols() == 0) throw InputError("the data has no features to train on");
  if (data.y.cols() == 0) throw InputError("the data has no targets to train on");
  if (data.y.rows() != data.x.rows()) {
    throw InputError(fmt::format("there are features of {} examples and targets of {}",
                                 data.x.rows(), data.y.rows()));
  }
  check_names("features", data.feature_names, data.x.cols());
  check_names("targets", data.target_names, data.y.cols());
  check_weights(data.row_weights, data.x.rows(), kData);
}

/// Means of the targets over their known examples, where the intercepts start. Throws InputError
/// for an infinite target, and if a target is not known in any example of positive weight.
std::vector<double> target_means(const RegressionData& data, const std::vector<double>& weights) {
  std::vector<double> mean(as_size(data.y.cols()), 0);
  std::vector<double> known(mean.size(), 0);
  for (Index row = 0; row < data.y.rows(); ++row) {
    const double weight = weights.empty() ? 1 : weights[as_size(row)];
    for (std::size_t t = 0; t < mean.size(); ++t) {
      const double y = data.y.row(row)[t];
      if (std::isinf(y)) {
        throw InputError(fmt::format("target '{}' of example {} is infinite",
                                     target_name(data, as_index(t)), row));
      }
      if (std::isnan(y) || weight == 0) continue;
      known[t] += weight;
      // A running mean, which cannot overflow unless the targets do.
      mean[t] += weight / known[t] * (y - mean[t]);
    }
  }
  for (std::size_t t = 0; t < mean.size(); ++t) {
    if (known[t] > 0) continue;
    throw InputError(fmt::format("no example of positive weight has a known target '{}'",
                                 target_name(data, as_index(t))));
  }
  return mean;
}

/// Targets minus their means. Throws InputError if their squares overflow this precision.
template <class Real>
Matrix<Real> centred(const RegressionData& data, const std::vector<double>& means) {
  const double most = std::sqrt(static_cast<double>(std::numeric_limits<Real>::max()) /
                                static_cast<double>(data.y.rows()));
  Matrix<Real> result(data.y.rows(), data.y.cols());
  for (Index row = 0; row < result.rows(); ++row) {
    for (Index t = 0; t < result.cols(); ++t) {
      const double distance = data.y(row, t) - means[as_size(t)];
      if (std::fabs(distance) > most) {
        throw InputError(fmt::format(
            "target '{}' of example {} is too large to train on: {:.3g} from its mean, where "
            "the maximum is {:.3g}",
            target_name(data, t), row, distance, most));
      }
      result(row, t) = static_cast<Real>(distance);
    }
  }
  return result;
}

TransferMatrix transfer_for(const RegressionData& data, const std::vector<double>& weights,
                            const RegressionOptions& options, ThreadPool& pool) {
  const Index targets = data.y.cols();
  if (options.transfer) {
    auto given = transfer_as_given(options.transfer->mbar, targets);
    return options.sigma == 0 ? no_transfer(targets) : given;
  }
  if (options.sigma == 0 || options.similarity == TargetSimilarity::identity) {
    return no_transfer(targets);
  }
  const auto similarity = positive_correlations(data.y, weights, pool);
  return transfer_from(options.neighbours ? strongest_per_row(similarity, *options.neighbours)
                                          : similarity);
}

/// Zero, or the weights of the initial model, for centred targets.
template <class Real>
Matrix<Real> first_weights(const RegressionOptions& options, const Representation& representation,
                           const std::vector<double>& means) {
  Matrix<Real> weights(std::ssize(representation.mean) + 1, std::ssize(means));
  if (!options.initial) return weights;
  const Matrix<double> from = weights_under(*options.initial, representation);
  for (Index k = 0; k < weights.rows(); ++k) {
    for (Index t = 0; t < weights.cols(); ++t) {
      const double mean = k == 0 ? means[as_size(t)] : 0;
      weights(k, t) = static_cast<Real>(from(k, t) - mean);
    }
  }
  return weights;
}

template <class Real>
double residual_at_zero(TaskSet<Real>& tasks, Transfer<Real>& transfer, ThreadPool& pool) {
  const Matrix<Real> zero(tasks.parameters(), tasks.tasks());
  Matrix<Real> field(zero.rows(), zero.cols());
  Equilibrium<Real> equilibrium(tasks, transfer, 0, false, pool);  // zero weights transfer nothing
  equilibrium.evaluate({}, zero, field);
  return equilibrium.residual();
}

ModelContents empty_model(const RegressionData& data, const RegressionOptions& options,
                          Representation representation, const TransferMatrix& matrix) {
  ModelContents contents;
  contents.feature_names = data.feature_names;
  contents.label_names = data.target_names;
  contents.representation = std::move(representation);
  for (const auto& [name, text] : options_text(options)) contents.options[name] = text;
  if (options.transfer) contents.options["transfer"] = "given";
  if (options.initial) contents.options["start"] = "given";
  contents.head = IndependentHead{Link::identity};
  contents.thresholds.assign(as_size(data.y.cols()), 0.5);
  contents.relations = matrix.mbar;
  contents.report = {.method = "mgd-regression", .rows = data.x.rows()};
  return contents;
}

template <class Real>
void add_weights(const Matrix<Real>& weights, const std::vector<double>& means,
                 ModelContents& contents) {
  Matrix<Real> features(weights.rows() - 1, weights.cols());
  std::ranges::copy(weights.values().subspan(means.size()), features.values().begin());
  contents.weights = std::move(features);
  for (std::size_t t = 0; t < means.size(); ++t) {
    contents.intercepts.push_back(means[t] + static_cast<double>(weights.row(0)[t]));
  }
}

void add_solution(const RegressionOptions& options, const SolveReport& solve, double total_loss,
                  TrainingReport& report) {
  report.solve = facts_of("accelerated", solve, total_loss);
  warn_of_stall(options.tolerance, options.precision == Precision::single_precision, solve,
                report.warnings);
  warn_of_limit({options.tolerance, options.max_iterations}, report);
}

DataShape shape_of(const RegressionData& data) {
  return {.rows = data.x.rows(),
          .features = data.x.cols(),
          .labels = data.y.cols(),
          .stored = data.x.stored(),
          .is_sparse = data.x.is_sparse()};
}

/// Targets minus their means, the features, the relations of targets, and the memory for solving.
template <class Real>
MemoryNeed need_in(const RegressionData& data, const DataShape& shape,
                   const RegressionOptions& options) {
  const Index targets = data.y.cols();
  const bool has_relations =
      options.sigma > 0 && (options.transfer || options.similarity != TargetSimilarity::identity);
  const bool is_symmetric = !options.neighbours && !options.transfer;
  const LinearRun run{.design = design_of(shape),
                      .tasks = targets,
                      .coupling = !has_relations ? CouplingKind::none
                                  : is_symmetric ? CouplingKind::reversible
                                                 : CouplingKind::other,
                      .threads = options.threads.resolved()};
  const auto bytes = [](Index rows, Index cols) {
    return static_cast<double>(rows) * static_cast<double>(cols) * sizeof(Real);
  };
  const double weights = bytes(shape.features, targets);
  MemoryNeed finding("the relations of targets", 0);
  MemoryNeed relations("the relations of targets", 0);
  if (has_relations) {
    // Of unrelated targets half of the correlations are positive, of others most.
    const Index all =
        options.transfer ? options.transfer->mbar.nonzeros() : targets * targets / 4 * 3;
    const Index kept = options.neighbours
                           ? std::min(all, targets * (std::min(*options.neighbours, targets) + 1))
                           : all;
    const TransferMemory memory = transfer_memory<Real>(targets, all, kept);
    finding = {"the relations of targets",
               memory.finding + (options.transfer ? 0 : correlations_memory(data.y))};
    relations = {"the relations of targets", memory.kept};
  }
  const MemoryNeed centred("the targets", bytes(data.y.rows(), targets));
  const MemoryNeed features = features_memory<Real>(run.design, targets);
  const MemoryNeed statistics = statistics_memory(shape);
  const bool all_known =
      std::ranges::none_of(data.y.values(), [](double y) { return std::isnan(y); });
  if (!all_known || !gram_pays(run.design, targets)) {
    return statistics + centred +
           larger(finding, relations + features + solving_memory<Real>(run, weights));
  }
  // Products of features replace features and targets.
  const MemoryNeed products("products of features", bytes(run.design.cols, run.design.cols) +
                                                        bytes(run.design.cols, targets));
  const MemoryNeed solving(
      "solving", weights + bytes_to_find_equilibrium<Real>(run.design.cols, targets, run.coupling,
                                                           run.threads));
  return statistics + larger(centred + larger(finding, relations + features + products),
                             relations + products + solving);
}

MemoryNeed need_of(const RegressionData& data, const DataShape& shape,
                   const RegressionOptions& options) {
  return options.precision == Precision::double_precision ? need_in<double>(data, shape, options)
                                                          : need_in<float>(data, shape, options);
}

void require_memory_for(const RegressionData& data, const RegressionOptions& options) {
  require_memory(memory_need(data, options),
                 fmt::format("training on {} examples of {} features and {} targets", data.x.rows(),
                             data.x.cols(), data.y.cols()),
                 "fewer features or targets");
}

template <class Real>
Model train(const RegressionData& data, const RegressionOptions& options, Progress* progress) {
  ThreadPool pool(options.threads);
  const auto row_weights = weights_near_one(data.row_weights);
  const Representation representation =
      fit_representation(data.x, options.representation, row_weights);
  const NamedFeatures features(data.x, data.feature_names, kData);
  check_range(features, representation);
  const FeatureTransform transform = feature_transform(representation);
  check_magnitude<Real>(features, transform);
  const auto means = target_means(data, row_weights);
  auto targets = centred<Real>(data, means);
  const auto matrix = transfer_for(data, row_weights, options, pool);

  const auto tasks = real_tasks<Real>(data.x, transform, std::move(targets),
                                      {.loss = LossKind::squared,
                                       .rho = options.rho,
                                       .l1 = options.l1,
                                       .l1_sharpness = options.l1_sharpness,
                                       .row_weights = row_weights},
                                      pool);
  const auto transfer = scalar_transfer<Real>(matrix.mbar, Intercepts::own, pool);
  Stopping stopping{.tolerance = options.tolerance, .max_iterations = options.max_iterations};
  if (options.initial) stopping.reference_residual = residual_at_zero(*tasks, *transfer, pool);
  auto weights = first_weights<Real>(options, representation, means);
  auto solve = find_equilibrium<Real>(
      *tasks, *transfer, weights,
      {.sigma = options.sigma, .stopping = stopping, .progress = progress}, pool);
  throw_unless_usable(solve);
  if (options.initial) ++solve.passes;

  ModelContents contents = empty_model(data, options, representation, matrix);
  add_solution(options, solve, total_loss<Real>(*tasks, weights), contents.report);
  add_weights(weights, means, contents);
  return Model(std::move(contents));
}

Model train_gaussian(const RegressionData& data, const RegressionOptions& options,
                     Progress* progress) {
  check_no_start(options);
  Stages stages(progress, Stages::Iterates::passed_on);
  stages.enter(0, kGaussianShare);
  GaussianFit fit = represent({data.x, data.feature_names, kData}, data.row_weights,
                              gaussian_request(options), &stages);
  stages.enter(kGaussianShare, 1);
  const RegressionData represented{.x = std::move(fit.rows),
                                   .y = data.y,
                                   .row_weights = data.row_weights,
                                   .target_names = data.target_names};
  return with_gaussian(fit_regression(represented, as_represented(options), &stages),
                       fit.representation, data.feature_names);
}

}  // namespace

std::string_view to_string(TargetSimilarity similarity) {
  return name_of<TargetSimilarity>(kSimilarities, similarity);
}

TargetSimilarity target_similarity_named(std::string_view name) {
  return named<TargetSimilarity>(kSimilarities, name, "similarity");
}

RegressionOptions regression_options(const OptionValues& values) {
  return options_of<RegressionOptions>("mgd-regression", values);
}

std::vector<OptionInfo> regression_option_infos() {
  RegressionOptions options;
  OptionList list;
  list_options(options, list);
  return list.infos();
}

MemoryNeed memory_need(const RegressionData& data, const RegressionOptions& options) {
  const DataShape shape = shape_of(data);
  if (!is_gaussian(options)) return need_of(data, shape, options);
  const GaussianRequest request = gaussian_request(options);
  const double targets = static_cast<double>(data.y.size()) * sizeof(double);
  return MemoryNeed("the targets", targets) +
         gaussian_memory(shape, request, need_of(data, represented_shape(shape, request), options));
}

Model fit_regression(const RegressionData& data, const RegressionOptions& options,
                     Progress* progress) {
  check_options(options);
  check_data(data);
  if (options.initial) {
    check_initial(*options.initial, {.features = data.x.cols(),
                                     .labels = data.y.cols(),
                                     .feature_names = data.feature_names,
                                     .label_names = data.target_names,
                                     .representation = options.representation,
                                     .link = Link::identity});
  }
  require_memory_for(data, options);
  if (is_gaussian(options)) return train_gaussian(data, options, progress);
  return options.precision == Precision::double_precision ? train<double>(data, options, progress)
                                                          : train<float>(data, options, progress);
}

}  // namespace mugrad
