// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "experiment/known_labels.h"
#include "experiment/threshold_choice.h"

#include <mugrad/experiment/thresholds.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace mugrad {
namespace {

constexpr Name<ThresholdRule> kRules[] = {{ThresholdRule::keep, "keep"},
                                          {ThresholdRule::one, "one"},
                                          {ThresholdRule::per_label, "per-label"},
                                          {ThresholdRule::cardinality, "cardinality"}};

/// Evenly spaced over the range, and denser just above 0, where rare labels have their scores if
/// scores are probabilities or were trained towards 0 and 1; and the usual threshold.
std::vector<double> candidates_in(const ScoreRange& range, double usual) {
  std::vector<double> candidates;
  if (range.low == 0 && range.high == 1) {
    for (const double small : {0.001, 0.002, 0.003, 0.005, 0.007}) candidates.push_back(small);
  }
  for (int k = 1; k < 100; ++k) {
    // Rounded only once if the ends are whole numbers: 0.29, not the next double.
    candidates.push_back((range.low * (100 - k) + range.high * k) / 100.0);
  }
  const auto place = std::ranges::lower_bound(candidates, usual);
  if (place == candidates.end() || *place != usual) candidates.insert(place, usual);
  return candidates;
}

using By = ThresholdMetric;
struct MeasuredBy {
  By metric;
  std::optional<Measure> measure = {};  ///< empty: it is none
};
constexpr MeasuredBy kMetrics[] = {{By::micro_f1, Measure::micro_f1},
                                   {By::macro_f1, Measure::macro_f1},
                                   {By::f1},
                                   {By::hamming_loss, Measure::hamming_loss}};

std::span<const Name<By>> metric_names() {
  static const auto all = [] {
    std::vector<Name<By>> names;
    for (const auto& [metric, measure] : kMetrics) {
      names.push_back({metric, measure ? info_of(*measure).name : "f1"});
    }
    return names;
  }();
  return all;
}

Index sum_of(std::span<const Index> counts) {
  return std::accumulate(counts.begin(), counts.end(), Index{0});
}

}  // namespace

std::string_view to_string(ThresholdRule rule) { return name_of<ThresholdRule>(kRules, rule); }

ThresholdRule threshold_rule_named(std::string_view name) {
  return named<ThresholdRule>(kRules, name, "rule for thresholds");
}

std::string_view to_string(ThresholdMetric metric) { return name_of<By>(metric_names(), metric); }

ThresholdMetric threshold_metric_named(std::string_view name) {
  return named<By>(metric_names(), name, "metric to choose thresholds by");
}

std::optional<ThresholdMetric> threshold_metric_of(Measure measure) {
  for (const auto& entry : kMetrics) {
    if (entry.measure == measure) return entry.metric;
  }
  return std::nullopt;
}

ThresholdCounts::ThresholdCounts(Index labels, const ScoreRange& range, double usual)
    : labels_(labels),
      usual_(usual),
      candidates_(candidates_in(range, usual)),
      positive_rows_(as_size(labels) * candidates_.size()),
      negative_rows_(positive_rows_.size()),
      positives_(as_size(labels)),
      negatives_(as_size(labels)) {}

void ThresholdCounts::add(std::span<const double> scores, std::span<const LabelId> truth,
                          std::span<const LabelId> unknown) {
  for_each_known_label(as_size(labels_), truth, unknown, [&](std::size_t label, bool is_true) {
    add(as_index(label), scores[label], is_true ? 1 : 0, is_true ? 0 : 1);
  });
}

void ThresholdCounts::add(Index label, double score, Index positives, Index negatives) {
  positives_[as_size(label)] += positives;
  negatives_[as_size(label)] += negatives;
  const auto above = std::ranges::upper_bound(candidates_, score);
  if (above == candidates_.begin()) return;
  const auto reached = place(label, as_size(above - candidates_.begin()) - 1);
  positive_rows_[reached] += positives;
  negative_rows_[reached] += negatives;
}

std::vector<Index> ThresholdCounts::numbers() const {
  std::vector<Index> result;
  result.reserve(as_size(labels_) * numbers_per_label());
  for (std::size_t label = 0; label < as_size(labels_); ++label) {
    result.push_back(positives_[label]);
    result.push_back(negatives_[label]);
    for (const auto* const rows : {&positive_rows_, &negative_rows_}) {
      const auto begin = rows->begin() + as_index(label * candidates_.size());
      result.insert(result.end(), begin, begin + std::ssize(candidates_));
    }
  }
  return result;
}

void ThresholdCounts::add_numbers(std::span<const LabelId> labels, std::span<const Index> numbers) {
  auto next = numbers.begin();
  for (const LabelId label : labels) {
    positives_[as_size(label)] += *next++;
    negatives_[as_size(label)] += *next++;
    for (auto* const rows : {&positive_rows_, &negative_rows_}) {
      for (std::size_t k = 0; k < candidates_.size(); ++k) (*rows)[place(label, k)] += *next++;
    }
  }
}

std::vector<double> ThresholdCounts::choose(ThresholdRule rule, ThresholdMetric by,
                                            Convention convention,
                                            const std::optional<ThresholdTarget>& target) const {
  if (rule == ThresholdRule::keep) {
    return std::vector<double>(as_size(labels_), usual_);
  }
  if (target && !(target->value > 0 && target->value <= 1)) {
    throw UsageError(
        fmt::format("the target of thresholds must be in (0, 1], got {}", target->value));
  }
  if (target && rule == ThresholdRule::cardinality) {
    throw UsageError("thresholds by cardinality have no target: use one, or per-label");
  }
  const CountTable table(positive_rows_, negative_rows_, positives_);
  const ThresholdChooser chooser(table, candidates_, usual_, by, convention,
                                 sum_of(positives_) + sum_of(negatives_), target);
  const Choice choice = rule == ThresholdRule::one         ? chooser.for_all()
                        : rule == ThresholdRule::per_label ? chooser.per_label()
                                                           : chooser.with_cardinality();
  std::vector<double> thresholds;
  for (const std::size_t candidate : choice) thresholds.push_back(candidates_[candidate]);
  return thresholds;
}

double ThresholdCounts::value(std::span<const double> thresholds, ThresholdMetric by,
                              Convention convention) const {
  const CountTable table(positive_rows_, negative_rows_, positives_);
  const ThresholdChooser chooser(table, candidates_, usual_, by, convention,
                                 sum_of(positives_) + sum_of(negatives_));
  Choice choice;
  for (const double threshold : thresholds) {
    const auto found = std::ranges::lower_bound(candidates_, threshold);
    if (found == candidates_.end() || *found != threshold) {
      throw UsageError(fmt::format("{} is not among the thresholds that were counted", threshold));
    }
    choice.push_back(as_size(found - candidates_.begin()));
  }
  const double value = chooser.value(choice);
  return by == By::hamming_loss ? -value : value;
}

std::string thresholds_text(const std::vector<double>& thresholds) {
  const auto [least, most] = std::ranges::minmax(thresholds);
  return least == most ? fmt::format("{}", least)
                       : fmt::format("one per label, {} to {}", least, most);
}

}  // namespace mugrad
