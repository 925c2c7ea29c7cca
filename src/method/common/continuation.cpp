// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "data/representation_update.h"
#include "method/common/initial_weights.h"
#include "method/common/new_model.h"
#include "method/common/training_memory.h"
#include "method/common/widened_model.h"
#include "objective/curvature_sums.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/data/files.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace mugrad {
namespace {

/// Options by which the same equilibrium is found in another way.
constexpr std::string_view kOfSolver[] = {"tolerance", "iterations"};

/// The share of the progress for training; the rest is for curvatures.
constexpr double kTraining = 0.9;

void check_continuable(const Model& model) {
  const auto& contents = model.contents();
  const Method& method = method_named(contents.report.method);
  if (!method.traits().takes_prior) {
    throw UsageError(fmt::format(
        "a model of {} cannot be continued, because not every score is linear in its weights; "
        "those of {} can",
        method.name(), names_of_methods([](const MethodTraits& of) { return of.takes_prior; })));
  }
  if (contents.representation.kind != RepresentationKind::gaussian) return;
  throw UsageError(fmt::format(
      "a model with the representation '{}' cannot be continued, because its features are "
      "similarities to examples of its training",
      to_string(contents.representation.kind)));
}

/// The numbers of a list with commas.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const last = at + text.size();
  while (at != last) {
    const auto [end, error] = std::from_chars(at, last, numbers.emplace_back());
    if (error != std::errc{} || (end != last && *end != ',')) return {};
    at = end == last ? end : end + 1;
  }
  return numbers;
}

bool is_same_value(const std::string& a, const std::string& b) {
  const auto numbers = numbers_in(a);
  return a == b || (!numbers.empty() && numbers == numbers_in(b));
}

/// The weight of the positives of each label; empty: all are 1. New labels have the weight 1.
std::vector<double> positive_weights_of(const ModelContents& model, Index labels) {
  const auto found = model.options.find("positive-weight");
  auto weights = found == model.options.end() ? std::vector<double>() : numbers_in(found->second);
  if (weights.size() == 1) weights.resize(as_size(labels), weights.front());
  if (!weights.empty()) weights.resize(as_size(labels), 1);
  const bool are_one = std::ranges::all_of(weights, [](double weight) { return weight == 1; });
  return are_one ? std::vector<double>() : weights;
}

LossKind loss_of(const ModelContents& model) {
  return score_range(model.head).are_probabilities ? LossKind::logistic : LossKind::squared;
}

/// The options of the model, as its method takes them: relations, and strengths per label, are in
/// the model itself.
OptionValues values_of(const ModelContents& model, const Method& method,
                       const OptionValues& given) {
  const OptionValues trained =
      method.with_current_names({model.options.begin(), model.options.end()});
  OptionValues values = trained;
  std::erase_if(values, [&](const auto& value) { return !method.has_option(value.first); });
  for (const char* const name : {"start", "transfer"}) {
    const auto found = values.find(name);
    if (found != values.end() && found->second == "given") values.erase(found);
  }
  if (model.options.contains("transfer") && !values.contains("transfer")) {
    values["transfer"] = "identity";  // of new labels
  }
  if (const auto sigma = values.find("sigma"); sigma != values.end()) {
    const auto strengths = numbers_in(sigma->second);
    if (strengths.size() > 1) sigma->second = fmt::format("{}", std::ranges::max(strengths));
  }
  if (const auto found = values.find("positive-weight"); found != values.end()) {
    if (numbers_in(found->second).size() > 1) values.erase(found);
  }
  for (const auto& [name, text] : method.with_current_names(given)) {
    const auto found = trained.find(name);
    const bool is_free = std::ranges::find(kOfSolver, name) != std::end(kOfSolver);
    const std::string was = found == trained.end() ? "at its default" : found->second;
    if (!is_free && !is_same_value(was, text)) {
      throw UsageError(
          fmt::format("the model was trained with {} {}, and a continued training keeps it; got {}",
                      method_option_text(name), was, text));
    }
    values[name] = text;
  }
  return values;
}

/// The curvature of some examples at the weights of a model, whatever labels they have.
CurvatureSums sums_of(const ModelContents& model, const Dataset& data, bool with_factor,
                      Threads threads, Progress* progress) {
  LinearTaskOptions options{.loss = loss_of(model),
                            .positive_weights = positive_weights_of(model, data.labels()),
                            .row_weights = data.row_weights};
  const DataShape shape = shape_of(data);
  const double parameters = static_cast<double>(shape.features + 1);
  constexpr double kPanel = 16 * 2 * sizeof(double);  // sums of a few labels, for each thread
  require_memory(
      features_memory<double>(design_of(shape), 1) +
          MemoryNeed("the curvature of the model",
                     parameters * (static_cast<double>(shape.labels) * 2 * sizeof(double) +
                                   threads.resolved() * kPanel)),
      fmt::format("finding the curvature of a model on {}", data.name), "fewer features or labels");
  if (data.unknown.rows() > 0) options.unknown = &data.unknown;
  ThreadPool pool(threads);
  const FeatureTransform transform = feature_transform(model.representation);
  return std::visit(
      [&]<class Real>(const Matrix<Real>& of_features) {
        Matrix<Real> weights(of_features.rows() + 1, of_features.cols());
        std::ranges::transform(model.intercepts, weights.row(0).begin(),
                               [](double entry) { return static_cast<Real>(entry); });
        std::ranges::copy(of_features.values(), weights.row(0).end());
        return curvature_sums<Real>(data.x, transform, data.y, options, weights, with_factor, pool,
                                    progress);
      },
      model.weights);
}

/// The weight of the examples where each label is known.
std::vector<double> known_examples(const Dataset& data) {
  std::vector<double> known(as_size(data.labels()), data.total_weight());
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : data.unknown_of(row)) known[as_size(label)] -= data.weight_of(row);
  }
  for (double& weight : known) weight = std::max(0.0, weight);
  return known;
}

/// The curvature of the model's own examples, as if they were like the new ones.
Curvature estimated_curvature(const ModelContents& model, const Dataset& data, Index old_labels,
                              Threads threads, Progress* progress) {
  Dataset all_known = data;
  all_known.unknown = {};
  // Correlations found in few rows are mostly chance.
  constexpr Index kRowsPerDirection = 10;
  const bool has_many_rows = data.rows() >= kRowsPerDirection * correlation_directions(data.x);
  CurvatureSums sums = sums_of(model, all_known, has_many_rows, threads, progress);
  const auto rows = static_cast<double>(model.report.rows);
  const double times = rows / data.total_weight();
  for (Index k = 0; k < sums.diagonal.rows(); ++k) {
    for (Index label = 0; label < sums.diagonal.cols(); ++label) {
      const double entry = times * static_cast<double>(sums.diagonal(k, label));
      constexpr double kMost = std::numeric_limits<float>::max();
      sums.diagonal(k, label) =
          label < old_labels ? static_cast<float>(std::min(entry, kMost)) : 0.0F;
    }
  }
  Curvature curvature{.examples = std::vector<double>(as_size(data.labels()), 0),
                      .diagonal = std::move(sums.diagonal),
                      .factor = std::move(sums.factor)};
  std::fill_n(curvature.examples.begin(), old_labels, rows);
  return curvature;
}

/// The same model under another representation, with nearly the same scores.
void change_representation(const Representation& to, ModelContents& contents) {
  const auto ratios = weight_ratios(contents.representation, to);
  const Matrix<double> weights = weights_under(Model(contents), to);
  std::ranges::copy(weights.row(0), contents.intercepts.begin());
  const auto of_features = weights.values().subspan(as_size(weights.cols()));
  std::visit(
      [&]<class Real>(Matrix<Real>& all) {
        std::ranges::transform(of_features, all.values().begin(),
                               [](double weight) { return static_cast<Real>(weight); });
      },
      contents.weights);
  for (std::size_t k = 0; k < ratios.size() && !contents.curvature.is_empty(); ++k) {
    const double square = ratios[k] * ratios[k];
    for (float& entry : contents.curvature.diagonal.row(as_index(k) + 1)) {
      const double changed = square > 0 ? static_cast<double>(entry) / square : 0;
      constexpr double kMost = std::numeric_limits<float>::max();
      entry = static_cast<float>(std::min(changed, kMost));
    }
  }
  contents.representation = to;
}

/// The sample of all training rows. Those of the model are no longer known if it has other columns
/// now: it is then one of the new rows.
RowSample sample_of_all(const Model& model, const FittedData& fitted) {
  RowSample added = sample_of(fitted.data.x, fitted.data.row_weights);
  for (std::size_t k = 0; k < fitted.from.size(); ++k) {
    if (fitted.from[k] != as_index(k)) return added;
  }
  return merged(model.contents().trained_on, added);
}

/// The first number of an option; `otherwise` if the model does not have the option.
double number_in(const ModelContents& model, const std::string& option, double otherwise) {
  const auto found = model.options.find(option);
  const auto numbers =
      found == model.options.end() ? std::vector<double>() : numbers_in(found->second);
  return numbers.empty() ? otherwise : numbers.front();
}

/// Brings the representation of the widened model up to date: all of it, or that of new terms.
void update_representation(const FittedData& fitted, bool refit, ModelContents& contents) {
  const Dataset& data = fitted.data;
  const auto rows = static_cast<double>(contents.report.rows);
  if (refit) {
    return change_representation(updated(contents.representation, rows, data.x, data.row_weights,
                                         number_in(contents, "text-weight", 1)),
                                 contents);
  }
  std::vector<Index> added;
  for (std::size_t k = 0; k < fitted.from.size(); ++k) {
    if (fitted.from[k] < 0) added.push_back(as_index(k));
  }
  set_statistics_of(added, rows, data.x, data.row_weights, contents.representation);
}

/// The model that stands for the examples so far. Nothing holds the intercepts of labels of which
/// the data say nothing, so that they are not trained.
std::shared_ptr<const Model> prior_model(ModelContents contents,
                                         const std::vector<LabelId>& lacking) {
  for (const LabelId label : lacking) contents.curvature.diagonal(0, label) = 0;
  return std::make_shared<const Model>(std::move(contents));
}

/// The curvature of the examples of the prior, and of the new ones at the new weights.
Curvature curvature_of_all(const ModelContents& before, const ModelContents& now,
                           const FittedData& fitted, Threads threads, Progress* progress) {
  const Curvature& old = before.curvature;
  CurvatureSums added_sums = sums_of(now, fitted.data, old.factor.rows() > 0, threads, progress);
  auto known = known_examples(fitted.data);
  for (const LabelId label : fitted.lacking) {
    known[as_size(label)] = 0;
    for (Index k = 0; k < added_sums.diagonal.rows(); ++k) added_sums.diagonal(k, label) = 0;
  }
  CurvatureSums sums = added({.diagonal = old.diagonal, .factor = old.factor}, added_sums);
  Curvature result{.examples = old.examples,
                   .diagonal = std::move(sums.diagonal),
                   .factor = std::move(sums.factor)};
  for (std::size_t i = 0; i < known.size(); ++i) result.examples[i] += known[i];
  return result;
}

double threshold_in(const ModelContents& model) {
  return number_in(model, "threshold", score_range(model.head).middle);
}

}  // namespace

Model continue_training(const Model& model, const Dataset& data, const Continuation& how,
                        Progress* progress) {
  check_continuable(model);
  const Method& method = method_named(model.contents().report.method);
  const OptionValues values = values_of(model.contents(), method, how.values);
  if (data.rows() == 0) throw InputError(fmt::format("{} has no examples to train on", data.name));
  check_weights(data.row_weights, data.rows(), data.name);
  FittedData fitted = fitted_to(model, data, how.min_count, how.note);
  if (std::ssize(fitted.lacking) == fitted.data.labels()) {
    throw InputError(fmt::format("{} has no labels to train on", data.name));
  }
  ModelContents before = widened(model, fitted, threshold_in(model.contents()));
  fill_missing(fitted.data.x, before.representation.mean);
  update_representation(fitted, how.refit, before);
  Stages stages(progress, Stages::Iterates::passed_on);
  stages.enter(0, (1 - kTraining) / 2);
  if (before.curvature.is_empty()) {
    if (how.note) {
      how.note(fmt::format(
          "the model has no curvature, which says how firmly its {} rows hold its weights: it is "
          "estimated from the {} new rows",
          before.report.rows, data.rows()));
    }
    before.curvature =
        estimated_curvature(before, fitted.data, model.labels(), how.threads, &stages);
  }
  stages.enter((1 - kTraining) / 2, (1 + kTraining) / 2);
  const TrainingExtras extras{
      .prior = prior_model(before, fitted.lacking),
      .positive_weights = positive_weights_of(model.contents(), fitted.data.labels())};
  ModelContents now = method.fit(fitted.data, values, extras, how.threads, &stages).contents();
  now.thresholds = before.thresholds;
  now.calibration = before.calibration;
  now.options = model.contents().options;
  stages.enter((1 + kTraining) / 2, 1);
  now.curvature = curvature_of_all(before, now, fitted, how.threads, &stages);
  now.trained_on = sample_of_all(model, fitted);
  return Model(std::move(now));
}

Model with_curvature(const Model& model, const Dataset& data, Threads threads, Progress* progress) {
  check_continuable(model);
  ModelContents contents = model.contents();
  if (data.features() != model.features() || data.labels() != model.labels()) {
    throw UsageError(
        fmt::format("the curvature of a model of {} features and {} labels needs data "
                    "with as many; {} has {} and {}",
                    model.features(), model.labels(), data.name, data.features(), data.labels()));
  }
  CurvatureSums sums = sums_of(contents, data, true, threads, progress);
  contents.curvature = {.examples = known_examples(data),
                        .diagonal = std::move(sums.diagonal),
                        .factor = std::move(sums.factor)};
  return Model(std::move(contents));
}

}  // namespace mugrad
