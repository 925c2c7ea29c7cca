// SPDX-License-Identifier: MIT
#include "metric/reference_metrics.h"
#include "support/label_rows.h"

#include <mugrad/metric/evaluate.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mugrad {
namespace {

using namespace testing;  // NOLINT(*-using-namespace)

constexpr Convention kConventions[] = {Convention::sklearn, Convention::mulan, Convention::lamda};
// Both sides add at most a few hundred terms of size at most 1, in different orders.
constexpr double kTolerance = 1e-12;

struct Case {
  Truth truth;
  Scores scores;
};

/// Few score levels make ties common; low rates make empty rows and labels common.
Case random_case(bool ties) {
  const auto rows = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
  const auto labels = static_cast<std::size_t>(*rc::gen::inRange(1, 9));
  const int rate = *rc::gen::inRange(5, 95);
  Case result;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<int> truth;
    for (const int draw : *rc::gen::container<std::vector<int>>(labels, rc::gen::inRange(0, 100))) {
      truth.push_back(draw < rate ? 1 : 0);
    }
    const auto levels = ties
                            ? *rc::gen::container<std::vector<int>>(labels, rc::gen::inRange(0, 5))
                            : *rc::gen::unique<std::vector<int>>(labels, rc::gen::inRange(0, 1000));
    std::vector<double> scores;
    for (const int level : levels) scores.push_back(level * (ties ? 0.25 : 0.001));
    result.truth.push_back(truth);
    result.scores.push_back(scores);
  }
  return result;
}

Evaluation evaluated(const Case& given, EvaluateOptions options = {}) {
  return evaluate(dense_rows(given.scores), binary_rows(given.truth), options);
}

void near(double actual, double expected) {
  if (std::isnan(expected)) {
    RC_ASSERT(std::isnan(actual));
  } else {
    RC_ASSERT(std::abs(actual - expected) <= kTolerance);
  }
}

TEST(Metrics, RankingAgreesWithTheDefinitions) {
  EXPECT_TRUE(rc::check([] {
    const Case given = random_case(true);
    std::vector<int> at;
    for (std::size_t k = 1; k <= given.truth.front().size(); ++k) at.push_back(static_cast<int>(k));
    for (const Convention convention : kConventions) {
      const auto result = evaluated(
          given, {.convention = convention, .at = std::vector<Index>(at.begin(), at.end())});
      const auto means = reference_ranking_means(given.truth, given.scores, convention, at);
      for (const MetricValue& metric : result.metrics) {
        if (info_of(metric.metric.measure).uses_thresholds) continue;
        const auto mean = means.find(metric.metric.name());
        RC_ASSERT(mean != means.end());
        near(metric.value, mean->second.sum / static_cast<double>(mean->second.counted));
        RC_ASSERT(metric.skipped == mean->second.skipped);
      }
    }
  }));
}

TEST(Metrics, DecisionsAgreeWithTheDefinitions) {
  EXPECT_TRUE(rc::check([] {
    const Case given = random_case(true);
    const auto rows = given.truth.size();
    const auto labels = given.truth.front().size();
    const std::vector<double> levels = {-1, 0.1, 0.25, 0.5, 0.9, 2};
    const double threshold = *rc::gen::elementOf(levels);
    for (const Convention convention : kConventions) {
      const auto result = evaluated(given, {.threshold = threshold, .convention = convention});
      const double nothing = convention == Convention::mulan ? 1 : 0;
      double macro = 0, twice_hits = 0, sizes = 0, wrong = 0, exact = 0, of_examples = 0;
      for (std::size_t l = 0; l < labels; ++l) {
        double hits = 0, positives = 0, predicted = 0;
        for (std::size_t i = 0; i < rows; ++i) {
          const bool is_predicted = given.scores[i][l] >= threshold;
          positives += given.truth[i][l];
          predicted += is_predicted;
          hits += is_predicted && given.truth[i][l] == 1;
          wrong += is_predicted != (given.truth[i][l] == 1);
        }
        const double f1 = positives + predicted == 0 ? nothing : 2 * hits / (positives + predicted);
        near(result.per_label[l].f1, f1);
        RC_ASSERT(result.per_label[l].positives == static_cast<Index>(positives));
        RC_ASSERT(result.per_label[l].predicted == static_cast<Index>(predicted));
        macro += f1 / static_cast<double>(labels);
        twice_hits += 2 * hits;
        sizes += positives + predicted;
      }
      for (std::size_t i = 0; i < rows; ++i) {
        bool same = true;
        double hits = 0, size = 0;
        for (std::size_t l = 0; l < labels; ++l) {
          const bool is_predicted = given.scores[i][l] >= threshold;
          same &= is_predicted == (given.truth[i][l] == 1);
          hits += is_predicted && given.truth[i][l] == 1;
          size += is_predicted + given.truth[i][l];
        }
        exact += same;
        of_examples += size == 0 ? nothing : 2 * hits / size;
      }
      near(result["macro-f1"], macro);
      near(result["micro-f1"], sizes == 0 ? nothing : twice_hits / sizes);
      near(result["example-f1"], of_examples / static_cast<double>(rows));
      near(result["hamming-loss"], wrong / static_cast<double>(rows * labels));
      near(result["subset-accuracy"], exact / static_cast<double>(rows));
    }
  }));
}

TEST(Metrics, RankingIsUnchangedByStrictlyIncreasingTransforms) {
  EXPECT_TRUE(rc::check([] {
    const Case given = random_case(true);
    Case transformed = given;
    for (auto& row : transformed.scores) {
      for (double& score : row) score = std::exp(3 * score) - 7;
    }
    for (const Convention convention : kConventions) {
      const auto before = evaluated(given, {.convention = convention});
      const auto after = evaluated(transformed, {.convention = convention});
      for (std::size_t i = 0; i < before.metrics.size(); ++i) {
        if (info_of(before.metrics[i].metric.measure).uses_thresholds) continue;
        RC_ASSERT(before.metrics[i].skipped == after.metrics[i].skipped);
        near(after.metrics[i].value, before.metrics[i].value);
      }
    }
  }));
}

TEST(Metrics, AveragePrecisionIsOneExactlyWhenRankingLossIsZeroWithoutTies) {
  EXPECT_TRUE(rc::check([] {
    const Case given = random_case(false);
    for (std::size_t i = 0; i < given.truth.size(); ++i) {
      const auto row = evaluated({{given.truth[i]}, {given.scores[i]}});
      RC_ASSERT((row["average-precision"] == 1) == (row["ranking-loss"] == 0));
    }
  }));
}

TEST(Metrics, RankingLossIsOneLessTheMeanAucOfTheRows) {
  EXPECT_TRUE(rc::check([] {
    const Case given = random_case(false);
    double auc_sum = 0;
    double evaluated_rows = 0;
    for (std::size_t i = 0; i < given.truth.size(); ++i) {
      double right = 0, pairs = 0;
      for (std::size_t a = 0; a < given.truth[i].size(); ++a) {
        for (std::size_t b = 0; b < given.truth[i].size(); ++b) {
          if (given.truth[i][a] == 0 || given.truth[i][b] == 1) continue;
          ++pairs;
          right += given.scores[i][a] > given.scores[i][b];
        }
      }
      if (pairs == 0) continue;
      auc_sum += right / pairs;
      ++evaluated_rows;
    }
    // lamda skips the rows without a pair, for which there is no AUC.
    near(evaluated(given, {.convention = Convention::lamda})["ranking-loss"],
         1 - auc_sum / evaluated_rows);
  }));
}

}  // namespace
}  // namespace mugrad
