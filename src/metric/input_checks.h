// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/metric/evaluate.h>

#include <span>
#include <vector>

namespace mugrad {

// Checks of an evaluator's arguments. All throw UsageError.

/// Checks that thresholds are numbers, one per label or none.
void check_thresholds(Index labels, const EvaluateOptions& options);

/// The values of k that are at most the number of labels, without duplicates, in the given order.
std::vector<Index> usable_ks(Index labels, const std::vector<Index>& at);

/// The number of labels, if it is positive.
Index checked_labels(Index labels);

/// Checks the requirements of Evaluator::add.
void check_row(Index row, Index labels, std::span<const double> scores,
               std::span<const LabelId> truth, std::span<const LabelId> unknown);

/// Checks that the scores of a row are from 0 to 1, apart from rounding.
void check_probabilities(Index row, std::span<const double> scores);

}  // namespace mugrad
