// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace mugrad {

/// The probability 1 / (1 + exp(slope f + shift)) of being positive, given a decision value f.
struct PlattScaling {
  double slope = 0;
  double shift = 0;

  double probability(double decision) const noexcept;
};

/// Platt scaling (2000) as in Lin, Lin and Weng (2007): minimises the cross-entropy to the targets
/// (P + 1) / (P + 2) of the P positives and 1 / (N + 2) of the N negatives, by Newton's method with
/// backtracking. The slope is 0 if the decision values hardly differ, relative to their size.
/// Requires: at least one decision value, signs of 1 and -1.
PlattScaling fit_platt_scaling(std::span<const double> decisions, std::span<const double> signs);

/// Examples with about the same decision value.
struct DecisionBin {
  double decision = 0;
  double positives = 0, negatives = 0;  ///< how many
};

/// Slope and shift with their variances: what is known of them before the examples, or after.
struct PlattEstimate {
  PlattScaling scaling;
  double slope_variance = 0, shift_variance = 0;
};

/// The most probable slope and shift given the examples and a normal prior with independent slope
/// and shift, with the variances of the normal approximation there. Requires: positive variances;
/// infinity means that nothing is known before, and then both classes must occur.
PlattEstimate fit_platt_scaling(std::span<const DecisionBin> bins, const PlattEstimate& prior);

}  // namespace mugrad
