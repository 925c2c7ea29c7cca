// SPDX-License-Identifier: MIT
// Metrics of scores that are probabilities: log loss, Brier score and calibration error.
#include "metric/random_rows.h"
#include "support/label_rows.h"

#include <mugrad/core/error.h>
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
using ::testing::ThrowsMessage;

constexpr std::uint64_t kCases = 40;

EvaluateOptions of_probabilities(Convention convention = Convention::sklearn) {
  return {.convention = convention, .are_probabilities = true, .most_kept_scores = kAllScores};
}

/// Every pair as a row with a single label.
Evaluation evaluated_alone(const std::vector<KnownPair>& pairs) {
  std::vector<std::vector<double>> scores;
  std::vector<std::vector<int>> truth;
  for (const KnownPair& pair : pairs) {
    scores.push_back({pair.score});
    truth.push_back({pair.is_true ? 1 : 0});
  }
  return evaluate(dense_rows(scores), binary_rows(truth), of_probabilities());
}

/// `count` pairs with this score, of which `trues` are true.
void add_pairs(std::vector<KnownPair>& pairs, double score, int count, int trues) {
  for (int k = 0; k < count; ++k) pairs.push_back({.score = score, .is_true = k < trues});
}

TEST(ProbabilityMetrics, AgreeWithTheDefinitionsOnKnownPairs) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const RandomRows rows(seed);
    const auto pairs = rows.known_pairs();
    const auto count = static_cast<double>(pairs.size());
    double log_loss = 0, brier_score = 0;
    for (const auto& [p, is_true] : pairs) {
      const double clipped = std::min(std::max(p, 1e-15), 1 - 1e-15);
      log_loss -= std::log(is_true ? clipped : 1 - clipped) / count;
      brier_score += (is_true ? (1 - p) * (1 - p) : p * p) / count;
    }
    const auto result = rows.evaluated(of_probabilities());
    EXPECT_NEAR(result["log-loss"], log_loss, 1e-13);
    EXPECT_NEAR(result["brier-score"], brier_score, 1e-13);
  }
}

TEST(ProbabilityMetrics, UnknownPairsCountAsIfTheyWereNotThere) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const RandomRows rows(seed);
    const auto result = rows.evaluated(of_probabilities());
    const auto alone = evaluated_alone(rows.known_pairs());
    for (const auto* name : {"log-loss", "brier-score", "calibration-error", "micro-auc"}) {
      EXPECT_NEAR(result[name], alone[name], 1e-13) << name;
    }
  }
}

TEST(ProbabilityMetrics, DoNotDependOnTheOrderOfRowsOrOnTheConvention) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const RandomRows rows(seed);
    const auto forward = rows.evaluated(of_probabilities());
    const auto backward = rows.reversed().evaluated(of_probabilities());
    EXPECT_NEAR(backward["log-loss"], forward["log-loss"], 1e-14);
    EXPECT_NEAR(backward["brier-score"], forward["brier-score"], 1e-14);
    EXPECT_EQ(backward["calibration-error"], forward["calibration-error"]);
    for (const auto convention : {Convention::mulan, Convention::lamda}) {
      const auto other = rows.evaluated(of_probabilities(convention));
      for (const auto* name :
           {"log-loss", "brier-score", "calibration-error", "micro-auc", "macro-auc"}) {
        EXPECT_EQ(other[name], forward[name]);
      }
    }
  }
}

TEST(ProbabilityMetrics, HaveTheirKnownValuesIfAllProbabilitiesAreOneHalf) {
  std::vector<KnownPair> pairs;
  add_pairs(pairs, 0.5, 40, 13);
  const auto result = evaluated_alone(pairs);
  EXPECT_NEAR(result["log-loss"], std::log(2), 1e-15);
  EXPECT_EQ(result["brier-score"], 0.25);
  EXPECT_EQ(result["calibration-error"], 7.0 / 40);
  EXPECT_EQ(result["micro-auc"], 0.5);
}

TEST(LogLoss, OfCertainMistakesIsFinite) {
  const std::vector<double> wrong(100, 1), right(100, 0);
  Evaluator mistaken(100, of_probabilities()), correct(100, of_probabilities());
  mistaken.add(wrong, {});
  correct.add(right, {});
  EXPECT_NEAR(mistaken.finish()["log-loss"], -std::log(1 - (1 - 1e-15)), 1e-12);
  EXPECT_NEAR(correct.finish()["log-loss"], 1e-15, 1e-16);
  EXPECT_EQ(mistaken.finish()["brier-score"], 1);
  EXPECT_EQ(correct.finish()["brier-score"], 0);
}

TEST(LogLoss, ProductsOfTheSmallestProbabilitiesDoNotUnderflow) {
  for (const int labels : {15, 16, 17, 33}) {
    const std::vector<double> scores(as_size(labels), 0);
    std::vector<LabelId> truth(as_size(labels));
    for (LabelId label = 0; label < labels; ++label) truth[as_size(label)] = label;
    Evaluator evaluator(labels, of_probabilities());
    evaluator.add(scores, truth);
    EXPECT_NEAR(evaluator.finish()["log-loss"], -std::log(1e-15), 1e-12);
  }
}

TEST(CalibrationError, IsZeroIfProbabilitiesAreTheSharesOfTruePairs) {
  std::vector<KnownPair> pairs;
  add_pairs(pairs, 0, 50, 0);
  add_pairs(pairs, 0.125, 80, 10);
  add_pairs(pairs, 0.25, 4, 1);
  add_pairs(pairs, 0.75, 40, 30);
  add_pairs(pairs, 1, 7, 7);
  EXPECT_EQ(evaluated_alone(pairs)["calibration-error"], 0);
}

TEST(CalibrationError, IsOneIfEveryCertaintyIsAMistake) {
  std::vector<KnownPair> pairs;
  add_pairs(pairs, 0, 20, 20);
  add_pairs(pairs, 1, 30, 0);
  EXPECT_EQ(evaluated_alone(pairs)["calibration-error"], 1);
}

TEST(CalibrationError, HasFifteenBinsOfEqualCountWithoutTies) {
  // Three pairs for each bin, of which those of bin b have b % 4 true ones.
  std::vector<KnownPair> pairs;
  double expected = 0;
  for (int bin = 0; bin < 15; ++bin) {
    double excess = 0;
    for (int k = 0; k < 3; ++k) {
      const double p = (3 * bin + k) / 64.0;
      add_pairs(pairs, p, 1, k < bin % 4 ? 1 : 0);
      excess += p - (k < bin % 4 ? 1 : 0);
    }
    expected += std::abs(excess) / 45;
  }
  EXPECT_NEAR(evaluated_alone(pairs)["calibration-error"], expected, 1e-15);
}

TEST(CalibrationError, EqualScoresShareTheBinOfTheirMiddle) {
  // 30 pairs, two ranks for each bin. Ranks 0 to 4 are tied: their middle, rank 2, is in bin 1.
  std::vector<KnownPair> pairs;
  add_pairs(pairs, 0.125, 5, 2);
  for (int rank = 5; rank < 30; ++rank) add_pairs(pairs, rank / 32.0, 1, 0);
  double expected = std::abs(0.125 * 5 - 2);
  for (int rank = 5; rank < 30; ++rank) expected += rank / 32.0;
  EXPECT_NEAR(evaluated_alone(pairs)["calibration-error"], expected / 30, 1e-15);
  // Ranks 0 to 2 belong to bin 0 by rank 1, and ranks 3 and 4 to bin 1.
  pairs[4].score = 0.1328125;
  pairs[3].score = 0.1328125;
  double moved = std::abs(0.125 * 3 - 2) + 2 * 0.1328125;
  for (int rank = 5; rank < 30; ++rank) moved += rank / 32.0;
  EXPECT_NEAR(evaluated_alone(pairs)["calibration-error"], moved / 30, 1e-15);
}

TEST(ProbabilityMetrics, ScoresOutOfRangeAreRefusedUnlessByRounding) {
  const auto with = [](double score) {
    Evaluator evaluator(2, of_probabilities());
    evaluator.add(std::vector<double>{0.5, score}, {});
    return evaluator.finish()["log-loss"];
  };
  EXPECT_THAT([&] { with(1.5); },
              ThrowsMessage<UsageError>("row 0: the score of label 1 is not a probability: 1.5"));
  EXPECT_THROW(with(-0.01), UsageError);
  EXPECT_THROW(with(std::numeric_limits<double>::infinity()), UsageError);
  EXPECT_NEAR(with(-1e-14), with(0), 1e-14);
  EXPECT_NEAR(with(1 + 1e-14), with(1), 1e-14);
}

}  // namespace
}  // namespace mugrad
