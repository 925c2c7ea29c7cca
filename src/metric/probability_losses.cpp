// SPDX-License-Identifier: MIT
#include "metric/probability_losses.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// One logarithm serves this many probabilities: their product is at least 1e-240.
constexpr std::size_t kPerLogarithm = 16;

}  // namespace

void ProbabilityLosses::add(std::span<const double> probabilities,
                            std::span<const LabelId> truth) noexcept {
  auto next_true = truth.begin();
  for (std::size_t begin = 0; begin < probabilities.size(); begin += kPerLogarithm) {
    const std::size_t end = std::min(probabilities.size(), begin + kPerLogarithm);
    double product = 1;
    for (std::size_t l = begin; l < end; ++l) {
      const bool is_true = next_true != truth.end() && *next_true == static_cast<LabelId>(l);
      if (is_true) ++next_true;
      const double p = probabilities[l];
      const double clipped = std::clamp(p, kLeast, 1 - kLeast);
      const double error = is_true ? p - 1 : p;
      product *= is_true ? clipped : 1 - clipped;
      sum_of_squares_ += error * error;
    }
    sum_of_logs_ += std::log(product);
  }
  pairs_ += std::ssize(probabilities);
}

double ProbabilityLosses::log_loss() const noexcept {
  return -sum_of_logs_ / static_cast<double>(pairs_);
}

double ProbabilityLosses::brier_score() const noexcept {
  return sum_of_squares_ / static_cast<double>(pairs_);
}

}  // namespace mugrad
