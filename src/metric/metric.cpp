// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/metric/metric.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>

namespace mugrad {
namespace {

constexpr Name<Convention> kConventions[] = {
    {Convention::sklearn, "sklearn"}, {Convention::mulan, "mulan"}, {Convention::lamda, "lamda"}};

/// The only list of measures: the compiler warns if one is missing.
constexpr MeasureInfo describe(Measure measure) {
  switch (measure) {
    case Measure::average_precision:
      return {.measure = measure, .name = "average-precision"};
    case Measure::coverage:
      return {.measure = measure, .name = "coverage", .larger_is_better = false};
    case Measure::ranking_loss:
      return {.measure = measure, .name = "ranking-loss", .larger_is_better = false};
    case Measure::one_error:
      return {.measure = measure, .name = "one-error", .larger_is_better = false};
    case Measure::macro_f1:
      return {.measure = measure, .name = "macro-f1", .uses_thresholds = true};
    case Measure::micro_f1:
      return {.measure = measure, .name = "micro-f1", .uses_thresholds = true};
    case Measure::example_f1:
      return {.measure = measure, .name = "example-f1", .uses_thresholds = true};
    case Measure::hamming_loss:
      return {.measure = measure,
              .name = "hamming-loss",
              .larger_is_better = false,
              .uses_thresholds = true};
    case Measure::subset_accuracy:
      return {.measure = measure, .name = "subset-accuracy", .uses_thresholds = true};
    case Measure::precision_at_k:
      return {.measure = measure, .name = "precision@", .has_k = true};
    case Measure::ndcg_at_k:
      return {.measure = measure, .name = "ndcg@", .has_k = true};
    case Measure::micro_auc:
      return {.measure = measure, .name = "micro-auc", .needs_all_scores = true};
    case Measure::macro_auc:
      return {.measure = measure, .name = "macro-auc", .needs_all_scores = true};
    case Measure::log_loss:
      return {.measure = measure,
              .name = "log-loss",
              .larger_is_better = false,
              .needs_probabilities = true};
    case Measure::brier_score:
      return {.measure = measure,
              .name = "brier-score",
              .larger_is_better = false,
              .needs_probabilities = true};
    case Measure::calibration_error:
      return {.measure = measure,
              .name = "calibration-error",
              .larger_is_better = false,
              .needs_probabilities = true,
              .needs_all_scores = true};
  }
  return {};  // after the last
}

constexpr std::size_t count_of_measures() {
  std::size_t count = 0;
  while (!describe(static_cast<Measure>(count)).name.empty()) ++count;
  return count;
}

/// In the order of Measure.
constexpr auto kMeasures = [] {
  std::array<MeasureInfo, count_of_measures()> all{};
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = describe(static_cast<Measure>(k));
  return all;
}();

/// By name without a convention.
std::optional<Metric> named_so(std::string_view name) {
  for (const MeasureInfo& info : kMeasures) {
    if (!name.starts_with(info.name)) continue;
    Metric metric{.measure = info.measure};
    std::from_chars(name.data() + info.name.size(), name.data() + name.size(), metric.k);
    if (info.has_k == (metric.k > 0) && metric.name() == name) return metric;
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Convention convention) {
  return name_of<Convention>(kConventions, convention);
}

Convention convention_named(std::string_view name) {
  return named<Convention>(kConventions, name, "convention");
}

std::span<const MeasureInfo> measures() { return kMeasures; }

const MeasureInfo& info_of(Measure measure) {
  return kMeasures.at(static_cast<std::size_t>(measure));
}

std::string Metric::name() const {
  const MeasureInfo& info = info_of(measure);
  return info.has_k ? fmt::format("{}{}", info.name, k) : std::string(info.name);
}

std::string to_string(const Metric& metric) {
  if (metric.convention == Convention::sklearn) return metric.name();
  return fmt::format("{} ({})", metric.name(), to_string(metric.convention));
}

Metric metric_named(std::string_view text) {
  const auto bracket = text.find(" (");
  if (auto metric = named_so(text.substr(0, bracket))) {
    if (bracket == text.npos) return *metric;
    if (text.ends_with(')')) {
      metric->convention = convention_named(text.substr(bracket + 2, text.size() - bracket - 3));
      return *metric;
    }
  }
  std::string known;
  for (const MeasureInfo& info : kMeasures) {
    known += fmt::format("{}{}{}", known.empty() ? "" : ", ", info.name, info.has_k ? "K" : "");
  }
  throw UsageError(fmt::format("there is no metric '{}'; there are {}", text, known));
}

}  // namespace mugrad
