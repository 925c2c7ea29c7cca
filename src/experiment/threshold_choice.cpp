// SPDX-License-Identifier: MIT
#include "experiment/threshold_choice.h"

#include "metric/convention.h"
#include "metric/label_based.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using By = ThresholdMetric;

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

/// How much F1 changes if one more positive, or one more negative, is predicted.
struct Influence {
  double positive = 0, negative = 0;

  explicit Influence(const LabelCounts& counts) {
    if (is_nothing(counts)) return;
    const auto sum = static_cast<double>(2 * counts.true_positives + counts.false_positives +
                                         counts.false_negatives);
    const double value = f1(counts, 0);
    positive = (2 - value) / sum;
    negative = -value / sum;
  }

  /// Neither present nor predicted.
  static bool is_nothing(const LabelCounts& counts) noexcept {
    return counts.true_positives + counts.false_positives + counts.false_negatives == 0;
  }
};

LabelCounts pooled(std::span<const LabelCounts> counts) {
  LabelCounts sum;
  for (const auto& label : counts) {
    sum.true_positives += label.true_positives;
    sum.false_positives += label.false_positives;
    sum.false_negatives += label.false_negatives;
  }
  return sum;
}

}  // namespace

ThresholdChooser::ThresholdChooser(const CountTable& table, std::span<const double> candidates,
                                   double usual, By metric, Convention convention, Index known,
                                   const std::optional<ThresholdTarget>& target)
    : table_(table),
      metric_(metric),
      target_(target),
      nothing_(rules_of(convention).nothing_over_nothing),
      known_(static_cast<double>(std::max<Index>(known, 1))) {
  for (std::size_t k = 0; k < candidates.size(); ++k) by_distance_.push_back(k);
  std::ranges::stable_sort(by_distance_, {},
                           [&](std::size_t k) { return std::abs(candidates[k] - usual); });
}

template <class Value>
std::size_t ThresholdChooser::best(const Value& value) const {
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

double ThresholdChooser::value(const Choice& choice) const {
  const std::vector<LabelCounts> counts = counts_of(choice);
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

Choice ThresholdChooser::for_all() const {
  Choice usual(table_.labels(), by_distance_.front());
  Choice found(table_.labels(), best([&](std::size_t candidate) {
                 return value(Choice(table_.labels(), candidate));
               }));
  if (target_ || value(found) - value(usual) > standard_error(found, usual)) return found;
  return usual;
}

Choice ThresholdChooser::with_cardinality() const {
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

Choice ThresholdChooser::per_label() const {
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

Choice ThresholdChooser::per_label_alone() const {
  Choice choice = for_all();
  for (std::size_t label = 0; label < choice.size(); ++label) {
    if (!has_enough_positives(label)) continue;
    choice[label] = best([&](std::size_t candidate) {
      const LabelCounts& counts = table_.at(label, candidate);
      if (target_) return nearness(counts, *target_);
      if (metric_ != By::hamming_loss) return f1(counts, nothing_);
      return -static_cast<double>(counts.false_positives + counts.false_negatives);
    });
  }
  return choice;
}

Choice ThresholdChooser::better_of(const Choice& a, const Choice& b) const {
  Choice one = for_all();
  const Choice& own = value(a) > value(b) ? a : b;
  return value(own) > value(one) ? own : one;
}

/// F1 of all labels pooled is 2 tp / (predicted + positives). For the best F, the best choice
/// maximises 2 tp - F predicted for each label; F is found by iterating this from below.
Choice ThresholdChooser::per_label_pooled() const {
  Choice choice = for_all();
  for (double now = value(choice);;) {
    Choice next = choice;
    for (std::size_t label = 0; label < next.size(); ++label) {
      if (!has_enough_positives(label)) continue;
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

double ThresholdChooser::standard_error(const Choice& choice, const Choice& other) const {
  const std::vector<LabelCounts> counts = counts_of(choice), others = counts_of(other);
  const bool is_mean = metric_ == By::f1;
  const double micro = metric_ == By::micro_f1 ? 1 : is_mean ? 0.5 : 0;
  const double macro = (metric_ == By::macro_f1 ? 1
                        : is_mean               ? 0.5
                                                : 0) /
                       static_cast<double>(counts.size());
  const double one_wrong = metric_ == By::hamming_loss ? 1 / known_ : 0;
  const Influence on_micro(pooled(counts));
  double variance = 0;
  for (std::size_t label = 0; label < counts.size(); ++label) {
    const LabelCounts &now = counts[label], &before = others[label];
    const Influence on_macro(now);
    const double positive = micro * on_micro.positive + macro * on_macro.positive + one_wrong;
    const double negative = micro * on_micro.negative + macro * on_macro.negative - one_wrong;
    const auto positives =
        static_cast<double>(std::abs(now.true_positives - before.true_positives));
    const auto negatives =
        static_cast<double>(std::abs(now.false_positives - before.false_positives));
    variance += positives * positive * positive + negatives * negative * negative;
    if (Influence::is_nothing(now) != Influence::is_nothing(before)) {
      // F1 jumps by a convention.
      variance += std::pow(macro * (f1(now, nothing_) - f1(before, nothing_)), 2);
    }
  }
  return std::sqrt(variance);
}

std::vector<LabelCounts> ThresholdChooser::counts_of(const Choice& choice) const {
  std::vector<LabelCounts> counts;
  for (std::size_t label = 0; label < choice.size(); ++label) {
    counts.push_back(table_.at(label, choice[label]));
  }
  return counts;
}

bool ThresholdChooser::has_enough_positives(std::size_t label) const {
  const LabelCounts& counts = table_.at(label, 0);
  return counts.true_positives + counts.false_negatives >= kPositivesForOwnThreshold;
}

double ThresholdChooser::wrong(std::span<const LabelCounts> counts) const {
  Index wrong = 0;
  for (const auto& label : counts) wrong += label.false_positives + label.false_negatives;
  return static_cast<double>(wrong) / known_;
}

}  // namespace mugrad
