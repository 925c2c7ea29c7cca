// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/metric/metric.h>

#include <optional>

namespace mugrad {

/// Which of two labels with the same score stands first.
enum class Ties {
  pessimistic,  ///< the other one: a label's rank counts every label tied with it
  by_index,     ///< the one with the larger index, as after a stable ascending sort
  optimistic,   ///< this one: labels tied with it do not count
};

/// How a convention counts one ranking metric.
struct RankingRule {
  Ties ties = Ties::pessimistic;
  std::optional<double> without_labels;  ///< value of a row without labels; empty: skipped
  bool full_rows_count = true;           ///< false: rows that have every label are skipped
};

/// Everything in which the conventions differ; the table of docs/metrics.md.
struct ConventionRules {
  RankingRule average_precision;
  RankingRule coverage;  ///< of a row: the worst rank of its labels, less one
  RankingRule ranking_loss;
  RankingRule one_error;
  bool average_ties_at_k = false;   ///< precision@k and ndcg@k; false: ties by index
  double nothing_over_nothing = 0;  ///< precision, recall and F1 without positives or predictions
};

const ConventionRules& rules_of(Convention convention);

}  // namespace mugrad
