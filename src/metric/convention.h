// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/metric/metric.h>

#include <optional>

namespace mugrad {

/// Which of two labels with the same score comes first.
enum class Ties {
  pessimistic,  ///< the other one: the rank of a label counts all labels tied with it
  by_index,     ///< the one with the larger index, as after a stable ascending sort
  optimistic,   ///< this one: labels tied with it are not counted
};

/// How a convention counts one ranking metric.
struct RankingRule {
  Ties ties = Ties::pessimistic;
  std::optional<double> without_labels;  ///< value of a row without labels; empty: skipped
  bool full_rows_count = true;           ///< false: rows with all labels are skipped
};

/// All differences between the conventions; the table of docs/metrics.md.
struct ConventionRules {
  RankingRule average_precision;
  RankingRule coverage;  ///< of a row: the worst rank of its labels, minus one
  RankingRule ranking_loss;
  RankingRule one_error;
  bool average_ties_at_k = false;   ///< precision@k and ndcg@k; false: ties by index
  double nothing_over_nothing = 0;  ///< precision, recall and F1 without positives or predictions
};

const ConventionRules& rules_of(Convention convention);

}  // namespace mugrad
