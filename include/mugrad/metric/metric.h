// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace mugrad {

/// How ties, rows without labels, and labels without positives are counted; docs/metrics.md has the
/// table.
enum class Convention { sklearn, mulan, lamda };

std::string_view to_string(Convention convention);
/// Throws UsageError listing the valid names.
Convention convention_named(std::string_view name);

/// What a metric measures, in the order of docs/metrics.md.
enum class Measure {
  average_precision,
  coverage,
  ranking_loss,
  one_error,
  macro_f1,
  micro_f1,
  example_f1,
  hamming_loss,
  subset_accuracy,
  precision_at_k,
  ndcg_at_k,
  micro_auc,
  macro_auc,
  log_loss,
  brier_score,
  calibration_error,
};

/// Properties of a measure.
struct MeasureInfo {
  Measure measure = Measure::average_precision;
  std::string_view name = {};  ///< "macro-f1"; without the k: "precision@"
  bool larger_is_better = true;
  bool has_k = false;            ///< it is one metric for every k
  bool uses_thresholds = false;  ///< computed from predicted labels; otherwise from scores alone
  bool needs_probabilities = false;  ///< left out if scores are not probabilities
  bool needs_all_scores = false;     ///< left out if the scores are not kept
};

/// All measures, in the order of Measure.
std::span<const MeasureInfo> measures();
const MeasureInfo& info_of(Measure measure);

/// A measure under a convention. Texts such as "macro-f1 (mulan)" are written and parsed only here.
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

/// Name and convention, unless that is scikit-learn's: "macro-f1", "macro-f1 (mulan)".
std::string to_string(const Metric& metric);
/// The inverse of `to_string`. Throws UsageError listing the valid names.
Metric metric_named(std::string_view text);

/// As MeasureInfo::larger_is_better.
inline bool larger_is_better(const Metric& metric) {
  return info_of(metric.measure).larger_is_better;
}

}  // namespace mugrad
