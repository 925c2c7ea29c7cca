// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/metric/metric.h>

#include <charconv>
#include <optional>

namespace mugrad {
namespace {

constexpr Name<Convention> kConventions[] = {
    {Convention::sklearn, "sklearn"}, {Convention::mulan, "mulan"}, {Convention::lamda, "lamda"}};

constexpr Name<Measure> kMeasures[] = {{Measure::average_precision, "average-precision"},
                                       {Measure::macro_f1, "macro-f1"},
                                       {Measure::micro_f1, "micro-f1"},
                                       {Measure::subset_accuracy, "subset-accuracy"},
                                       {Measure::coverage, "coverage"},
                                       {Measure::ranking_loss, "ranking-loss"},
                                       {Measure::one_error, "one-error"},
                                       {Measure::hamming_loss, "hamming-loss"},
                                       {Measure::precision_at_k, "precision@"},
                                       {Measure::ndcg_at_k, "ndcg@"}};

bool has_k(Measure measure) {
  return measure == Measure::precision_at_k || measure == Measure::ndcg_at_k;
}

/// By the name without a convention.
std::optional<Metric> named_so(std::string_view name) {
  for (const auto& [measure, start] : kMeasures) {
    if (!name.starts_with(start)) continue;
    Metric metric{.measure = measure};
    std::from_chars(name.data() + start.size(), name.data() + name.size(), metric.k);
    if (has_k(measure) == (metric.k > 0) && metric.name() == name) return metric;
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

std::string Metric::name() const {
  const auto text = name_of<Measure>(kMeasures, measure);
  return has_k(measure) ? fmt::format("{}{}", text, k) : std::string(text);
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
  for (const auto& [measure, name] : kMeasures) {
    known += fmt::format("{}{}{}", known.empty() ? "" : ", ", name, has_k(measure) ? "K" : "");
  }
  throw UsageError(fmt::format("there is no metric '{}'; there are {}", text, known));
}

bool larger_is_better(const Metric& metric) {
  switch (metric.measure) {
    case Measure::coverage:
    case Measure::ranking_loss:
    case Measure::one_error:
    case Measure::hamming_loss:
      return false;
    default:
      return true;
  }
}

}  // namespace mugrad
