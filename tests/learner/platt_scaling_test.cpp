// SPDX-License-Identifier: MIT
#include "learner/platt_scaling.h"

#include <mugrad/core/random.h>
#include <mugrad/core/types.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace mugrad {
namespace {

struct Decisions {
  std::vector<double> values, signs;
};

Decisions random_decisions(std::size_t count, double share, double separation, std::uint64_t seed) {
  RandomStream random(seed, "platt");
  Decisions result;
  for (std::size_t i = 0; i < count; ++i) {
    const double sign = random.uniform() < share ? 1 : -1;
    result.signs.push_back(sign);
    result.values.push_back(sign * separation + random.normal());
  }
  return result;
}

double target(const Decisions& decisions, std::size_t i) {
  const auto positives = static_cast<double>(std::ranges::count(decisions.signs, 1.0));
  const double negatives = static_cast<double>(decisions.signs.size()) - positives;
  return decisions.signs[i] > 0 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
}

/// Derivatives of the mean cross-entropy by shift and slope, but for the sign.
std::pair<double, double> slopes(const Decisions& decisions, const PlattScaling& representation) {
  double by_shift = 0, by_slope = 0;
  for (std::size_t i = 0; i < decisions.signs.size(); ++i) {
    const double rest = (target(decisions, i) - representation.probability(decisions.values[i])) /
                        static_cast<double>(decisions.signs.size());
    by_shift += rest;
    by_slope += rest * decisions.values[i];
  }
  return {by_shift, by_slope};
}

TEST(PlattScaling, LeavesNoSlopeOfTheCrossEntropyToTheTargets) {
  for (const double share : {0.5, 0.05}) {
    for (const double separation : {0.0, 0.5, 2.0, 20.0}) {
      const auto decisions = random_decisions(300, share, separation, 3);
      const auto [by_shift, by_slope] =
          slopes(decisions, fit_platt_scaling(decisions.values, decisions.signs));
      EXPECT_NEAR(by_shift, 0, 1e-8) << share << ' ' << separation;
      EXPECT_NEAR(by_slope, 0, 1e-7) << share << ' ' << separation;
    }
  }
}

TEST(PlattScaling, IsTheKnownOneForTwoDecisionValues) {
  // Each value has one class only, so that probabilities are the targets.
  const auto representation = fit_platt_scaling(std::vector<double>{2, 2, -1, -1, -1},
                                                std::vector<double>{1, 1, -1, -1, -1});
  EXPECT_NEAR(representation.probability(2), 3.0 / 4, 1e-9);
  EXPECT_NEAR(representation.probability(-1), 1.0 / 5, 1e-9);
}

TEST(PlattScaling, FollowsTheUnitsOfTheDecisionValues) {
  const auto decisions = random_decisions(200, 0.3, 0.7, 4);
  const auto representation = fit_platt_scaling(decisions.values, decisions.signs);
  auto other = decisions;
  for (double& value : other.values) value = 1e-3 * value - 7;
  const auto moved = fit_platt_scaling(other.values, other.signs);
  for (std::size_t i = 0; i < decisions.values.size(); ++i) {
    EXPECT_NEAR(moved.probability(other.values[i]), representation.probability(decisions.values[i]),
                1e-8);
  }
}

TEST(PlattScaling, DecisionValuesThatAreAllTheSameGiveTheMeanTarget) {
  for (const double noise : {0.0, 1e-9}) {
    std::vector<double> values(20, -1);
    std::vector<double> signs(20, -1);
    signs[3] = signs[4] = 1;
    values[3] += noise;
    const auto representation = fit_platt_scaling(values, signs);
    EXPECT_EQ(representation.slope, 0);
    EXPECT_NEAR(representation.probability(-1), (2 * 3.0 / 4 + 18 * 1.0 / 20) / 20, 1e-9);
  }
}

std::vector<DecisionBin> some_bins() {
  return {{-2, 1, 30}, {-0.5, 6, 20}, {0.4, 9, 8}, {1.5, 20, 2}};
}

/// Of the cross-entropy and a normal prior, by slope and shift.
double objective(const PlattScaling& at, const PlattEstimate& prior) {
  double sum = std::pow(at.slope - prior.scaling.slope, 2) / (2 * prior.slope_variance) +
               std::pow(at.shift - prior.scaling.shift, 2) / (2 * prior.shift_variance);
  for (const auto& bin : some_bins()) {
    const double p = at.probability(bin.decision);
    sum -= bin.positives * std::log(p) + bin.negatives * std::log1p(-p);
  }
  return sum;
}

TEST(PlattScaling, WithAPriorIsTheMostProbable) {
  for (const double variance : {0.01, 0.3, 1e6, HUGE_VAL}) {
    const PlattEstimate prior{{-0.5, 0.3}, variance, 2 * variance};
    const auto found = fit_platt_scaling(some_bins(), prior);
    const double least = objective(found.scaling, prior);
    for (const double step : {1e-3, -1e-3}) {
      EXPECT_GT(objective({found.scaling.slope + step, found.scaling.shift}, prior), least);
      EXPECT_GT(objective({found.scaling.slope, found.scaling.shift + step}, prior), least);
    }
  }
}

TEST(PlattScaling, IsThePriorWhereThatIsCertain) {
  const auto found = fit_platt_scaling(some_bins(), {{-0.5, 0.3}, 1e-12, 1e-12});
  EXPECT_NEAR(found.scaling.slope, -0.5, 1e-9);
  EXPECT_NEAR(found.scaling.shift, 0.3, 1e-9);
  EXPECT_LE(found.slope_variance, 1e-12);
}

TEST(PlattScaling, VariancesAreThePriorsWithoutExamples) {
  const auto found = fit_platt_scaling(std::vector<DecisionBin>{}, {{-1, 0}, 0.2, 0.5});
  EXPECT_NEAR(found.slope_variance, 0.2, 1e-9);
  EXPECT_NEAR(found.shift_variance, 0.5, 1e-9);
}

TEST(PlattScaling, OneExampleIsEnough) {
  const auto representation = fit_platt_scaling(std::vector<double>{0.0}, std::vector<double>{1});
  EXPECT_NEAR(representation.probability(0), 2.0 / 3, 1e-9);
}

}  // namespace
}  // namespace mugrad
