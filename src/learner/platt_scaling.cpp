// SPDX-License-Identifier: MIT
#include "learner/platt_scaling.h"

#include "objective/logistic.h"

#include <mugrad/core/types.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace mugrad {
namespace {

/// Relative differences of decision values below this are rounding errors of the solver.
constexpr double kSameDecision = 1e-6;

struct Example {
  double decision;  ///< minus the mean, in deviations
  double target;
};

/// Log-odds of being positive: a + b times the decision.
struct Line {
  double a = 0, b = 0;

  double at(const Example& example) const noexcept { return a + b * example.decision; }
};

double cross_entropy(const std::vector<Example>& examples, const Line& line) {
  double sum = 0;
  for (const Example& example : examples) {
    const double z = line.at(example);
    sum += LogisticLoss::value(z, false) + example.target * LogisticLoss::positive_difference(z);
  }
  return sum;
}

struct Derivatives {
  double by_a = 0, by_b = 0;
  double by_aa = 0, by_ab = 0, by_bb = 0;
};

Derivatives derivatives(const std::vector<Example>& examples, const Line& line) {
  constexpr double kRidge = 1e-12;
  Derivatives sums{.by_aa = kRidge, .by_bb = kRidge};
  for (const Example& example : examples) {
    const double z = line.at(example);
    const double slope = LogisticLoss::probability(z) - example.target;
    const double curvature = LogisticLoss::second_derivative(z);
    sums.by_a += slope;
    sums.by_b += slope * example.decision;
    sums.by_aa += curvature;
    sums.by_ab += curvature * example.decision;
    sums.by_bb += curvature * example.decision * example.decision;
  }
  return sums;
}

Line least_cross_entropy(const std::vector<Example>& examples, Line line) {
  constexpr int kMostIterations = 100;
  constexpr double kSmallSlope = 1e-10;
  constexpr double kLeastStep = 1e-10;
  constexpr double kSufficient = 1e-4;
  double value = cross_entropy(examples, line);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const auto d = derivatives(examples, line);
    const auto small = kSmallSlope * static_cast<double>(examples.size());
    if (std::fabs(d.by_a) < small && std::fabs(d.by_b) < small) break;
    const double determinant = d.by_aa * d.by_bb - d.by_ab * d.by_ab;
    const double move_a = -(d.by_bb * d.by_a - d.by_ab * d.by_b) / determinant;
    const double move_b = -(d.by_aa * d.by_b - d.by_ab * d.by_a) / determinant;
    const double fall = d.by_a * move_a + d.by_b * move_b;
    double step = 1;
    Line next{line.a + move_a, line.b + move_b};
    double next_value = cross_entropy(examples, next);
    while (!(next_value < value + kSufficient * step * fall) && step >= kLeastStep) {
      step /= 2;
      next = {line.a + step * move_a, line.b + step * move_b};
      next_value = cross_entropy(examples, next);
    }
    if (step < kLeastStep) break;
    line = next;
    value = next_value;
  }
  return line;
}

}  // namespace

double PlattScaling::probability(double decision) const noexcept {
  return LogisticLoss::probability(-(slope * decision + shift));
}

PlattScaling fit_platt_scaling(std::span<const double> decisions, std::span<const double> signs) {
  assert(!decisions.empty() && decisions.size() == signs.size());
  const auto count = static_cast<double>(decisions.size());
  const auto positives = static_cast<double>(std::ranges::count(signs, 1.0));
  const double negatives = count - positives;
  double mean = 0;
  for (const double decision : decisions) mean += decision / count;
  double variance = 0, largest = 0;
  for (const double decision : decisions) {
    variance += (decision - mean) * (decision - mean) / count;
    largest = std::max(largest, std::fabs(decision));
  }
  const double deviation = std::sqrt(variance);
  const bool all_same = deviation <= kSameDecision * largest;
  // Centred and scaled decision values keep the Hessian well-conditioned; the minimum is the same.
  std::vector<Example> examples(decisions.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    examples[i] = {
        .decision = all_same ? 0 : (decisions[i] - mean) / deviation,
        .target = signs[i] > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2)};
  }
  const Line line =
      least_cross_entropy(examples, {.a = std::log((positives + 1) / (negatives + 1))});
  if (all_same) return {.slope = 0, .shift = -line.a};
  return {.slope = -line.b / deviation, .shift = line.b * mean / deviation - line.a};
}

}  // namespace mugrad
