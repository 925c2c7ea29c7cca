// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>

namespace mugrad {

/// Log loss and Brier score over all pairs of a row and a known label. A pair costs a few
/// nanoseconds.
class ProbabilityLosses {
 public:
  /// Probabilities are clipped to [kLeast, 1 - kLeast] for the log loss.
  static constexpr double kLeast = 1e-15;

  /// Requires: truth ascending, with positions in `probabilities`.
  void add(std::span<const double> probabilities, std::span<const LabelId> truth) noexcept;

  /// The mean of -ln p, p being the probability of the truth; NaN without pairs.
  double log_loss() const noexcept;
  /// The mean of (p - y)^2; NaN without pairs.
  double brier_score() const noexcept;

 private:
  Index pairs_ = 0;
  double sum_of_logs_ = 0;
  double sum_of_squares_ = 0;
};

}  // namespace mugrad
