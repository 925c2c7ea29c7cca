// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/metric/evaluate.h>

#include <span>

namespace mugrad {

/// 2 tp / (2 tp + fp + fn); `nothing` if all three are 0.
double f1(const LabelCounts& counts, double nothing) noexcept;

/// Precision, recall and F1 of one label; all three are `nothing` if it is neither present nor
/// predicted. A single 0/0 is 0.
LabelQuality quality(const LabelCounts& counts, double nothing) noexcept;

/// The mean of the labels' F1. Requires: at least one label.
double macro_f1(std::span<const LabelCounts> labels, double nothing) noexcept;
/// F1 of the summed counts of the labels.
double micro_f1(std::span<const LabelCounts> labels, double nothing) noexcept;

}  // namespace mugrad
