// SPDX-License-Identifier: MIT
#include "metric/input_checks.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace mugrad {
namespace {

void check_labels(Index row, Index labels, std::string_view kind, std::span<const LabelId> given) {
  Index before = -1;
  for (const LabelId label : given) {
    if (label <= before || label >= labels) {
      throw UsageError(
          fmt::format("row {}: {} label {} after {}, expected ascending labels from 0 to {}", row,
                      kind, label, before, labels - 1));
    }
    before = label;
  }
}

}  // namespace

void check_thresholds(Index labels, const EvaluateOptions& options) {
  const auto count = std::ssize(options.thresholds);
  if (count != 0 && count != labels) {
    throw UsageError(fmt::format("there are {} thresholds for {} labels", count, labels));
  }
  if (std::isnan(options.threshold)) throw UsageError("the threshold is not a number");
  for (Index label = 0; label < count; ++label) {
    if (std::isnan(options.thresholds[as_size(label)])) {
      throw UsageError(fmt::format("the threshold of label {} is not a number", label));
    }
  }
}

std::vector<Index> usable_ks(Index labels, const std::vector<Index>& at) {
  std::vector<Index> usable;
  for (const Index k : at) {
    if (k < 1) throw UsageError(fmt::format("the k of precision@k must be >= 1, got {}", k));
    if (k <= labels && std::ranges::count(usable, k) == 0) usable.push_back(k);
  }
  return usable;
}

Index checked_labels(Index labels) {
  if (labels < 1) {
    throw UsageError(fmt::format("there must be at least 1 label to evaluate, got {}", labels));
  }
  return labels;
}

void check_row(Index row, Index labels, std::span<const double> scores,
               std::span<const LabelId> truth, std::span<const LabelId> unknown) {
  if (std::ssize(scores) != labels) {
    throw UsageError(fmt::format("row {} has {} scores for {} labels", row, scores.size(), labels));
  }
  for (std::size_t label = 0; label < scores.size(); ++label) {
    if (std::isnan(scores[label])) {
      throw UsageError(fmt::format("row {}: the score of label {} is not a number", row, label));
    }
  }
  check_labels(row, labels, "true", truth);
  check_labels(row, labels, "unknown", unknown);
  for (const LabelId label : unknown) {
    if (std::ranges::binary_search(truth, label)) {
      throw UsageError(fmt::format("row {}: label {} is both true and unknown", row, label));
    }
  }
}

void check_probabilities(Index row, std::span<const double> scores) {
  for (std::size_t label = 0; label < scores.size(); ++label) {
    if (is_probability(scores[label])) continue;
    throw UsageError(fmt::format("row {}: the score of label {} is not a probability: {}", row,
                                 label, scores[label]));
  }
}

}  // namespace mugrad
