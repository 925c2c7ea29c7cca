// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/metric/evaluate.h>

#include <span>
#include <vector>

namespace mugrad {

// What callers of an evaluator may get wrong. All throw UsageError.

/// Thresholds that are numbers, one per label or none.
void check_thresholds(Index labels, const EvaluateOptions& options);

/// The k there are enough labels for, each once, in the order given.
std::vector<Index> usable_ks(Index labels, const std::vector<Index>& at);

/// The number of labels, if there is one.
Index checked_labels(Index labels);

/// What Evaluator::add requires.
void check_row(Index row, Index labels, std::span<const double> scores,
               std::span<const LabelId> truth, std::span<const LabelId> unknown);

}  // namespace mugrad
