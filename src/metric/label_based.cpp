// SPDX-License-Identifier: MIT
#include "metric/label_based.h"

namespace mugrad {
namespace {

double ratio(Index numerator, Index denominator) noexcept {
  return denominator == 0 ? 0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

bool is_nothing(const LabelCounts& counts) noexcept {
  return counts.true_positives + counts.false_positives + counts.false_negatives == 0;
}

}  // namespace

double f1(const LabelCounts& counts, double nothing) noexcept {
  if (is_nothing(counts)) return nothing;
  return ratio(2 * counts.true_positives,
               2 * counts.true_positives + counts.false_positives + counts.false_negatives);
}

LabelQuality quality(const LabelCounts& counts, double nothing) noexcept {
  LabelQuality result;
  result.positives = counts.true_positives + counts.false_negatives;
  result.predicted = counts.true_positives + counts.false_positives;
  result.precision = is_nothing(counts) ? nothing : ratio(counts.true_positives, result.predicted);
  result.recall = is_nothing(counts) ? nothing : ratio(counts.true_positives, result.positives);
  result.f1 = f1(counts, nothing);
  return result;
}

double macro_f1(std::span<const LabelCounts> labels, double nothing) noexcept {
  double sum = 0;
  for (const LabelCounts& counts : labels) sum += f1(counts, nothing);
  return sum / static_cast<double>(labels.size());
}

double micro_f1(std::span<const LabelCounts> labels, double nothing) noexcept {
  LabelCounts pooled;
  for (const LabelCounts& counts : labels) {
    pooled.true_positives += counts.true_positives;
    pooled.false_positives += counts.false_positives;
    pooled.false_negatives += counts.false_negatives;
  }
  return f1(pooled, nothing);
}

}  // namespace mugrad
