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

/// Log-odds of being positive: a + b times the decision.
struct Line {
  double a = 0, b = 0;

  double at(double decision) const noexcept { return a + b * decision; }
};

/// Some examples with one decision value.
struct DecisionPoint {
  double decision;
  double target;  ///< mean over the examples
  double count = 1;
};

/// Adds (a - centre.a)^2 / (2 variance of a), and the same for b, to the cross-entropy.
struct LineBelief {
  Line centre = {};
  Line inverse_variance = {};

  double value(const Line& line) const noexcept {
    const double a = line.a - centre.a, b = line.b - centre.b;
    return (inverse_variance.a * a * a + inverse_variance.b * b * b) / 2;
  }
};

double objective(const std::vector<DecisionPoint>& points, const LineBelief& belief,
                 const Line& line) {
  double sum = belief.value(line);
  for (const DecisionPoint& point : points) {
    const double z = line.at(point.decision);
    sum += point.count *
           (LogisticLoss::value(z, false) + point.target * LogisticLoss::positive_difference(z));
  }
  return sum;
}

struct Derivatives {
  double by_a = 0, by_b = 0;
  double by_aa = 0, by_ab = 0, by_bb = 0;

  double determinant() const noexcept { return by_aa * by_bb - by_ab * by_ab; }
};

Derivatives derivatives(const std::vector<DecisionPoint>& points, const LineBelief& belief,
                        const Line& line) {
  constexpr double kRidge = 1e-12;
  const Line& weight = belief.inverse_variance;
  Derivatives sums{.by_a = weight.a * (line.a - belief.centre.a),
                   .by_b = weight.b * (line.b - belief.centre.b),
                   .by_aa = kRidge + weight.a,
                   .by_bb = kRidge + weight.b};
  for (const DecisionPoint& point : points) {
    const double z = line.at(point.decision);
    const double slope = point.count * (LogisticLoss::probability(z) - point.target);
    const double curvature = point.count * LogisticLoss::second_derivative(z);
    sums.by_a += slope;
    sums.by_b += slope * point.decision;
    sums.by_aa += curvature;
    sums.by_ab += curvature * point.decision;
    sums.by_bb += curvature * point.decision * point.decision;
  }
  return sums;
}

/// Newton's method with backtracking.
Line least(const std::vector<DecisionPoint>& points, const LineBelief& belief, Line line) {
  constexpr int kMostIterations = 100;
  constexpr double kSmallSlope = 1e-10;
  constexpr double kLeastStep = 1e-10;
  constexpr double kSufficient = 1e-4;
  double examples = 0;
  for (const DecisionPoint& point : points) examples += point.count;
  double value = objective(points, belief, line);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const auto d = derivatives(points, belief, line);
    const double small = kSmallSlope * examples;
    if (std::fabs(d.by_a) < small && std::fabs(d.by_b) < small) break;
    const double move_a = -(d.by_bb * d.by_a - d.by_ab * d.by_b) / d.determinant();
    const double move_b = -(d.by_aa * d.by_b - d.by_ab * d.by_a) / d.determinant();
    const double fall = d.by_a * move_a + d.by_b * move_b;
    double step = 1;
    Line next{line.a + move_a, line.b + move_b};
    double next_value = objective(points, belief, next);
    while (!(next_value < value + kSufficient * step * fall) && step >= kLeastStep) {
      step /= 2;
      next = {line.a + step * move_a, line.b + step * move_b};
      next_value = objective(points, belief, next);
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
  std::vector<DecisionPoint> points(decisions.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {.decision = all_same ? 0 : (decisions[i] - mean) / deviation,
                 .target = signs[i] > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2)};
  }
  const Line line = least(points, {}, {.a = std::log((positives + 1) / (negatives + 1))});
  if (all_same) return {.slope = 0, .shift = -line.a};
  return {.slope = -line.b / deviation, .shift = line.b * mean / deviation - line.a};
}

PlattEstimate fit_platt_scaling(std::span<const DecisionBin> bins, const PlattEstimate& prior) {
  assert(prior.slope_variance > 0 && prior.shift_variance > 0);
  std::vector<DecisionPoint> points;
  for (const DecisionBin& bin : bins) {
    const double count = bin.positives + bin.negatives;
    if (count > 0) points.push_back({bin.decision, bin.positives / count, count});
  }
  const Line centre{.a = -prior.scaling.shift, .b = -prior.scaling.slope};
  const LineBelief belief{
      .centre = centre,
      .inverse_variance = {.a = 1 / prior.shift_variance, .b = 1 / prior.slope_variance}};
  const Line line = least(points, belief, centre);
  const auto d = derivatives(points, belief, line);
  return {.scaling = {.slope = -line.b, .shift = -line.a},
          .slope_variance = d.by_aa / d.determinant(),
          .shift_variance = d.by_bb / d.determinant()};
}

}  // namespace mugrad
