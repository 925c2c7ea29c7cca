// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "metric/convention.h"
#include "metric/label_based.h"

#include <mugrad/experiment/thresholds.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Labels with fewer positives use the common threshold.
constexpr Index kPositivesToTell = 3;

/// Evenly spaced over the range, and denser just above 0, where rare labels have their scores if
/// scores are probabilities or were trained towards 0 and 1.
std::vector<double> candidates_in(const ScoreRange& range) {
  std::vector<double> candidates;
  if (range.low == 0 && range.high == 1) {
    for (const double small : {0.001, 0.002, 0.003, 0.005, 0.007}) candidates.push_back(small);
  }
  for (int k = 1; k < 100; ++k) {
    // Rounded only once if the ends are whole numbers: 0.29, not the next double.
    candidates.push_back((range.low * (100 - k) + range.high * k) / 100.0);
  }
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

/// One candidate per label.
using Choice = std::vector<std::size_t>;

/// Labels x candidates: the predictions at each candidate.
class CountTable {
 public:
  /// From the rows by highest candidate reached, and all positives of each label.
  CountTable(std::span<const Index> positive_rows, std::span<const Index> negative_rows,
             std::span<const Index> positives)
      : candidates_(positives.empty() ? 1 : positive_rows.size() / positives.size()),
        counts_(positive_rows.size()) {
    for (std::size_t label = 0; label < positives.size(); ++label) {
      LabelCounts reached;
      for (std::size_t k = candidates_; k-- > 0;) {
        const std::size_t place = label * candidates_ + k;
        reached.true_positives += positive_rows[place];
        reached.false_positives += negative_rows[place];
        reached.false_negatives = positives[label] - reached.true_positives;
        counts_[place] = reached;
      }
    }
  }

  std::size_t labels() const noexcept { return counts_.size() / candidates_; }
  const LabelCounts& at(std::size_t label, std::size_t candidate) const {
    return counts_[label * candidates_ + candidate];
  }

 private:
  std::size_t candidates_;
  std::vector<LabelCounts> counts_;
};

/// How near these counts come to a target: what reaches it is larger, by the other quantity, than
/// what does not.
double nearness(const LabelCounts& counts, const ThresholdTarget& target) {
  const Index predicted = counts.true_positives + counts.false_positives;
  const Index positives = counts.true_positives + counts.false_negatives;
  const auto ratio = [&](Index all) {
    return all == 0 ? 0.0 : static_cast<double>(counts.true_positives) / static_cast<double>(all);
  };
  const bool is_precision = target.quantity == ThresholdTarget::Quantity::precision;
  const double wanted = ratio(is_precision ? predicted : positives);
  const double other = ratio(is_precision ? positives : predicted);
  return wanted >= target.value ? 1 + other : wanted - 1;
}

/// Chooses among candidates by a metric or a target; larger is better.
class Chooser {
 public:
  Chooser(const CountTable& table, std::span<const double> candidates, double usual, By metric,
          Convention convention, Index known, const std::optional<ThresholdTarget>& target = {})
      : table_(table),
        metric_(metric),
        target_(target),
        nothing_(rules_of(convention).nothing_over_nothing),
        known_(known) {
    for (std::size_t k = 0; k < candidates.size(); ++k) by_distance_.push_back(k);
    std::ranges::stable_sort(by_distance_, {},
                             [&](std::size_t k) { return std::abs(candidates[k] - usual); });
  }

  double value(const Choice& choice) const {
    std::vector<LabelCounts> counts;
    for (std::size_t label = 0; label < choice.size(); ++label) {
      counts.push_back(table_.at(label, choice[label]));
    }
    if (target_) return nearness(pooled(counts), *target_);
    switch (metric_) {
      case By::micro_f1:
        return micro_f1(counts, nothing_);
      case By::macro_f1:
        return macro_f1(counts, nothing_);
      case By::f1:
        return (micro_f1(counts, nothing_) + macro_f1(counts, nothing_)) / 2;
      case By::hamming_loss:
        break;
    }
    return -wrong(counts);
  }

  Choice for_all() const {
    return Choice(table_.labels(), best([&](std::size_t candidate) {
                    return value(Choice(table_.labels(), candidate));
                  }));
  }

  Choice with_cardinality() const {
    const auto distance = [&](std::size_t candidate) {
      Index predicted = 0, positives = 0;
      for (std::size_t label = 0; label < table_.labels(); ++label) {
        const LabelCounts& counts = table_.at(label, candidate);
        predicted += counts.true_positives + counts.false_positives;
        positives += counts.true_positives + counts.false_negatives;
      }
      return -std::abs(static_cast<double>(predicted - positives));
    };
    return Choice(table_.labels(), best(distance));
  }

  /// Labels with too few positives keep the common threshold.
  Choice per_label() const {
    if (target_) return per_label_alone();
    switch (metric_) {
      case By::micro_f1:
        return per_label_pooled();
      case By::f1:
        return better_of(per_label_alone(), per_label_pooled());
      case By::macro_f1:
      case By::hamming_loss:
        break;
    }
    return per_label_alone();
  }

 private:
  /// Each label separately.
  Choice per_label_alone() const {
    Choice choice = for_all();
    for (std::size_t label = 0; label < choice.size(); ++label) {
      if (!can_tell(label)) continue;
      choice[label] = best([&](std::size_t candidate) {
        const LabelCounts& counts = table_.at(label, candidate);
        if (target_) return nearness(counts, *target_);
        if (metric_ != By::hamming_loss) return f1(counts, nothing_);
        return -static_cast<double>(counts.false_positives + counts.false_negatives);
      });
    }
    return choice;
  }

  /// The best of these and of the common threshold: macro-F1 and micro-F1 have different optimal
  /// thresholds, and a common one may suit both better.
  Choice better_of(const Choice& a, const Choice& b) const {
    Choice one = for_all();
    const Choice& own = value(a) > value(b) ? a : b;
    return value(own) > value(one) ? own : one;
  }

  /// F1 of all labels pooled is 2 tp / (predicted + positives). For the best F, the best choice
  /// maximises 2 tp - F predicted for each label; F is found by iterating this from below.
  Choice per_label_pooled() const {
    Choice choice = for_all();
    for (double now = value(choice);;) {
      Choice next = choice;
      for (std::size_t label = 0; label < next.size(); ++label) {
        if (!can_tell(label)) continue;
        next[label] = best([&](std::size_t candidate) {
          const LabelCounts& counts = table_.at(label, candidate);
          const Index predicted = counts.true_positives + counts.false_positives;
          return 2 * static_cast<double>(counts.true_positives) -
                 now * static_cast<double>(predicted);
        });
      }
      const double reached = value(next);
      if (!(reached > now)) return choice;
      choice = std::move(next);
      now = reached;
    }
  }

  bool can_tell(std::size_t label) const {
    const LabelCounts& counts = table_.at(label, 0);
    return counts.true_positives + counts.false_negatives >= kPositivesToTell;
  }

  static LabelCounts pooled(std::span<const LabelCounts> counts) {
    LabelCounts sum;
    for (const auto& label : counts) {
      sum.true_positives += label.true_positives;
      sum.false_positives += label.false_positives;
      sum.false_negatives += label.false_negatives;
    }
    return sum;
  }

  double wrong(std::span<const LabelCounts> counts) const {
    Index wrong = 0;
    for (const auto& label : counts) wrong += label.false_positives + label.false_negatives;
    return static_cast<double>(wrong) / static_cast<double>(std::max<Index>(known_, 1));
  }

  /// The best candidate; ties go to the nearest to the usual threshold.
  template <class Value>
  std::size_t best(const Value& value) const {
    std::size_t found = by_distance_.front();
    double best_value = -std::numeric_limits<double>::infinity();
    for (const std::size_t candidate : by_distance_) {
      const double here = value(candidate);
      if (here > best_value) {
        best_value = here;
        found = candidate;
      }
    }
    return found;
  }

  const CountTable& table_;
  By metric_;
  std::optional<ThresholdTarget> target_;
  double nothing_;
  Index known_;
  std::vector<std::size_t> by_distance_;  ///< candidates by distance from the usual one
};

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
      candidates_(candidates_in(range)),
      positive_rows_(as_size(labels) * candidates_.size()),
      negative_rows_(positive_rows_.size()),
      positives_(as_size(labels)),
      negatives_(as_size(labels)) {}

void ThresholdCounts::add(std::span<const double> scores, std::span<const LabelId> truth,
                          std::span<const LabelId> unknown) {
  auto next_true = truth.begin();
  auto next_unknown = unknown.begin();
  for (Index label = 0; label < labels_; ++label) {
    const bool is_true = next_true != truth.end() && *next_true == label;
    if (is_true) ++next_true;
    if (next_unknown != unknown.end() && *next_unknown == label) {
      ++next_unknown;
      continue;
    }
    add(label, scores[as_size(label)], is_true ? 1 : 0, is_true ? 0 : 1);
  }
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
  const Chooser chooser(table, candidates_, usual_, by, convention,
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
  const Chooser chooser(table, candidates_, usual_, by, convention,
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
