// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <string>
#include <string_view>
#include <tuple>

namespace mugrad {

/// How ties, rows without labels, and labels without positives are counted; docs/metrics.md has
/// the table.
enum class Convention { sklearn, mulan, lamda };

std::string_view to_string(Convention convention);
/// Throws UsageError listing the names there are.
Convention convention_named(std::string_view name);

/// What a metric measures, in the order of docs/metrics.md.
enum class Measure {
  average_precision,
  coverage,
  ranking_loss,
  one_error,
  macro_f1,
  micro_f1,
  hamming_loss,
  subset_accuracy,
  precision_at_k,
  ndcg_at_k,
};

/// A measure under a convention. Texts such as "macro-f1 (mulan)" are made and read here alone.
struct Metric {
  Measure measure = Measure::average_precision;
  Index k = 0;  ///< of precision@k and ndcg@k; 0 for the others
  Convention convention = Convention::sklearn;

  bool operator==(const Metric&) const = default;
  bool operator<(const Metric& other) const noexcept {
    return std::tie(measure, k, convention) < std::tie(other.measure, other.k, other.convention);
  }

  /// Without the convention: "macro-f1", "precision@3".
  std::string name() const;
};

/// Name and, unless it is scikit-learn's, convention: "macro-f1", "macro-f1 (mulan)".
std::string to_string(const Metric& metric);
/// The opposite of `to_string`. Throws UsageError listing the names there are.
Metric metric_named(std::string_view text);

/// Larger is better, except for coverage and the losses.
bool larger_is_better(const Metric& metric);

}  // namespace mugrad
