// SPDX-License-Identifier: MIT
// Areas under the ROC curve.
#include "metric/random_rows.h"
#include "support/label_rows.h"

#include <mugrad/metric/evaluate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using testing::binary_rows;
using testing::dense_rows;
using testing::KnownPair;
using testing::RandomRows;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kCases = 40;

EvaluateOptions with_areas(Index most = kAllScores) { return {.most_kept_scores = most}; }

/// The definition: pair against pair.
double area_of(const std::vector<KnownPair>& pairs) {
  double in_order = 0, compared = 0;
  for (const KnownPair& one : pairs) {
    for (const KnownPair& other : pairs) {
      if (!one.is_true || other.is_true) continue;
      ++compared;
      in_order += one.score > other.score ? 1 : one.score == other.score ? 0.5 : 0;
    }
  }
  return in_order / compared;
}

const MetricValue& macro_auc(const Evaluation& result) {
  return *std::ranges::find(result.metrics, Measure::macro_auc,
                            [](const MetricValue& value) { return value.metric.measure; });
}

TEST(Areas, AreTheShareOfKnownPairsInOrder) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const RandomRows rows(seed);
    const auto result = rows.evaluated(with_areas());
    EXPECT_NEAR(result["micro-auc"], area_of(rows.known_pairs()), 1e-14);
    double sum = 0;
    Index counted = 0;
    for (LabelId label = 0; label < rows.truth.cols; ++label) {
      const double area = area_of(rows.known_pairs(label));
      if (std::isnan(area)) continue;
      sum += area;
      ++counted;
    }
    ASSERT_GT(counted, 0);
    EXPECT_NEAR(result["macro-auc"], sum / static_cast<double>(counted), 1e-14);
    EXPECT_EQ(macro_auc(result).skipped, rows.truth.cols - counted);
  }
}

TEST(Areas, AreUnchangedByStrictlyIncreasingTransforms) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    RandomRows rows(seed);
    const auto before = rows.evaluated(with_areas());
    for (double& score : rows.scores.values()) score = std::exp(3 * score) - 7;
    const auto after = rows.evaluated(with_areas());
    EXPECT_EQ(after["micro-auc"], before["micro-auc"]);
    EXPECT_EQ(after["macro-auc"], before["macro-auc"]);
    // The area of a label does not depend on the scores of others.
    for (Index row = 0; row < rows.scores.rows(); ++row) {
      for (Index label = 0; label < rows.scores.cols(); ++label) {
        rows.scores(row, label) += 100 * static_cast<double>(label);
      }
    }
    EXPECT_EQ(rows.evaluated(with_areas())["macro-auc"], before["macro-auc"]);
  }
}

TEST(Areas, OfScoresAndOfTheirNegativesAddUpToOne) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    RandomRows rows(seed);
    const auto before = rows.evaluated(with_areas());
    for (double& score : rows.scores.values()) score = -score;
    const auto after = rows.evaluated(with_areas());
    EXPECT_NEAR(after["micro-auc"], 1 - before["micro-auc"], 1e-14);
    EXPECT_NEAR(after["macro-auc"], 1 - before["macro-auc"], 1e-14);
  }
}

TEST(Areas, DoNotDependOnTheOrderOfRows) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const RandomRows rows(seed);
    const auto forward = rows.evaluated(with_areas());
    const auto backward = rows.reversed().evaluated(with_areas());
    EXPECT_EQ(forward["micro-auc"], backward["micro-auc"]);
    EXPECT_EQ(forward["macro-auc"], backward["macro-auc"]);
  }
}

TEST(Areas, LabelsOfOneClassAreLeftOutOfTheMacroArea) {
  // In order, half in order, always there, never there, and unknown where it would be there.
  const auto unknown = binary_rows({{0, 0, 0, 0, 1}, {0, 0, 0, 0, 0}});
  const auto result =
      evaluate(dense_rows({{.9, .5, .9, .1, .9}, {.1, .5, .1, .2, .1}}),
               binary_rows({{1, 1, 1, 0, 0}, {0, 0, 1, 0, 0}}), with_areas(), &unknown);
  EXPECT_EQ(result["macro-auc"], 0.75);
  EXPECT_EQ(macro_auc(result).skipped, 3);
}

TEST(Areas, AreNotNumbersIfThereIsOneClassOnly) {
  const auto scores = dense_rows({{.9, .5}, {.1, .5}});
  for (const int truth : {0, 1}) {
    const auto result =
        evaluate(scores, binary_rows({{truth, truth}, {truth, truth}}), with_areas());
    EXPECT_TRUE(std::isnan(result["micro-auc"]));
    EXPECT_TRUE(std::isnan(result["macro-auc"]));
    EXPECT_EQ(macro_auc(result).skipped, 2);
  }
}

TEST(Areas, KnowInfiniteScores) {
  const auto result = evaluate(dense_rows({{kInfinity}, {-kInfinity}, {kInfinity}, {0}}),
                               binary_rows({{1}, {0}, {0}, {1}}), with_areas());
  // Of four pairs two are in order, one is tied, and one is not in order.
  EXPECT_EQ(result["micro-auc"], 2.5 / 4);
}

TEST(KeptScores, AreDiscardedAboveTheirLimit) {
  const std::vector<double> scores = {.9, .1};
  const std::vector<LabelId> truth = {0};
  Evaluator evaluator(2, with_areas(5));
  const auto has_areas = [&] {
    return std::ranges::any_of(evaluator.finish().metrics, [](const MetricValue& value) {
      return info_of(value.metric.measure).needs_all_scores;
    });
  };
  for (int row = 0; row < 2; ++row) {
    evaluator.add(scores, truth);
    EXPECT_TRUE(has_areas());
  }
  for (int row = 2; row < 5; ++row) {
    evaluator.add(scores, truth);
    EXPECT_FALSE(has_areas());
  }
  EXPECT_EQ(evaluator.finish()["average-precision"], 1);
}

}  // namespace
}  // namespace mugrad
