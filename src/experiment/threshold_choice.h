// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/experiment/thresholds.h>
#include <mugrad/metric/evaluate.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mugrad {

/// One candidate per label, by its place among all candidates.
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

/// Chooses among candidates by a metric or a target. The table must outlive it.
class ThresholdChooser {
 public:
  ThresholdChooser(const CountTable& table, std::span<const double> candidates, double usual,
                   ThresholdMetric metric, Convention convention, Index known,
                   const std::optional<ThresholdTarget>& target = {});

  /// By the metric or the target; larger is better.
  double value(const Choice& choice) const;
  /// The best common candidate. By a metric, the usual one unless the best is better by more than
  /// the standard error of the difference.
  Choice for_all() const;
  Choice with_cardinality() const;
  /// Labels with too few positives use the common threshold.
  Choice per_label() const;

 private:
  /// Each label separately.
  Choice per_label_alone() const;
  /// The best of these and of the common threshold: macro-F1 and micro-F1 have different optimal
  /// thresholds, and a common one may suit both better.
  Choice better_of(const Choice& a, const Choice& b) const;
  /// Labels pooled.
  Choice per_label_pooled() const;
  /// Of the difference between two values. The counts of the rows that the choices predict
  /// differently are taken for independent Poisson variables.
  double standard_error(const Choice& choice, const Choice& other) const;
  std::vector<LabelCounts> counts_of(const Choice& choice) const;
  bool has_enough_positives(std::size_t label) const;
  /// The share of wrong predictions.
  double wrong(std::span<const LabelCounts> counts) const;
  /// The candidate with the largest value; ties go to the nearest to the usual threshold.
  template <class Value>
  std::size_t best(const Value& value) const;

  const CountTable& table_;
  ThresholdMetric metric_;
  std::optional<ThresholdTarget> target_;
  double nothing_;                        ///< F1 of a label that is neither present nor predicted
  double known_;                          ///< number of pairs of a row and a label, at least 1
  std::vector<std::size_t> by_distance_;  ///< candidates by distance from the usual one
};

}  // namespace mugrad
