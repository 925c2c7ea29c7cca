// SPDX-License-Identifier: MIT
#include "support/random_problem.h"
#include "support/small_model.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/thresholds.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace mugrad {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Scores that lean towards the truth, and the truth.
struct Scored {
  Matrix<double> scores;
  BinaryMatrix truth;
};

Scored scored(Index rows, Index labels, std::uint64_t seed) {
  RandomStream random(seed, "scores");
  Scored all{Matrix<double>(rows, labels), {.cols = labels, .row_start = {0}, .column = {}}};
  for (Index row = 0; row < rows; ++row) {
    for (Index label = 0; label < labels; ++label) {
      const bool is_true = random.uniform() < 0.1 + 0.05 * static_cast<double>(label);
      if (is_true) all.truth.column.push_back(static_cast<LabelId>(label));
      all.scores(row, label) =
          std::clamp(0.25 + (is_true ? 0.2 : 0) + 0.15 * random.normal(), 0.0, 1.0);
    }
    all.truth.end_row();
  }
  return all;
}

ThresholdCounts counted(const Scored& all, double usual = 0.5, ScoreRange range = {}) {
  ThresholdCounts counts(all.truth.cols, range, usual);
  for (Index row = 0; row < all.truth.rows(); ++row) {
    counts.add(all.scores.row(row), all.truth.row(row));
  }
  return counts;
}

constexpr ThresholdMetric kF1 = ThresholdMetric::f1;
constexpr ThresholdMetric kMacroF1 = ThresholdMetric::macro_f1;
constexpr ThresholdMetric kMicroF1 = ThresholdMetric::micro_f1;
constexpr ThresholdMetric kHammingLoss = ThresholdMetric::hamming_loss;

double value_of(const Scored& all, const std::vector<double>& thresholds, ThresholdMetric metric,
                Convention convention = Convention::sklearn) {
  const auto found =
      evaluate(all.scores, all.truth, {.thresholds = thresholds, .convention = convention});
  if (metric == kF1) return (found["micro-f1"] + found["macro-f1"]) / 2;
  return found[to_string(metric)];
}

TEST(Thresholds, CountsGiveTheMetricsThatEvaluateGives) {
  const auto all = scored(200, 5, 1);
  const auto counts = counted(all);
  for (const double threshold : {0.001, 0.2, 0.35, 0.99}) {
    const std::vector<double> thresholds(5, threshold);
    for (const auto metric : {kMicroF1, kMacroF1, kF1, kHammingLoss}) {
      EXPECT_NEAR(counts.value(thresholds, metric), value_of(all, thresholds, metric), 1e-12)
          << to_string(metric) << ' ' << threshold;
    }
    EXPECT_NEAR(counts.value(thresholds, kMacroF1, Convention::mulan),
                value_of(all, thresholds, kMacroF1, Convention::mulan), 1e-12);
  }
}

TEST(Thresholds, TheOneForAllIsTheBestCandidateOfManyRows) {
  const auto all = scored(2000, 5, 2);
  const auto counts = counted(all, 0.05);  // far worse than the best
  for (const auto metric : {kMicroF1, kMacroF1, kF1, kHammingLoss}) {
    const auto chosen = counts.choose(ThresholdRule::one, metric);
    EXPECT_THAT(chosen, Each(chosen.front()));
    const double sign = metric == kHammingLoss ? -1 : 1;
    for (const double candidate : counts.candidates()) {
      EXPECT_GE(sign * value_of(all, chosen, metric),
                sign * value_of(all, std::vector<double>(5, candidate), metric) - 1e-12)
          << to_string(metric) << ' ' << candidate;
    }
  }
}

TEST(Thresholds, TheUsualOneStaysUnlessAnotherIsBetterByMoreThanTheStandardError) {
  for (const auto metric : {kMicroF1, kMacroF1, kF1, kHammingLoss}) {
    const auto chosen_of = [&](Index times) {
      ThresholdCounts counts(1, ScoreRange{}, 0.5);
      counts.add(0, 0.9, 20 * times, 0);
      counts.add(0, 0.3, 3 * times, 2 * times);
      counts.add(0, 0.1, 0, 50 * times);
      return counts.choose(ThresholdRule::one, metric).front();
    };
    // F1 rises from 0.930 to 0.958 in both: by 0.6 and by 1.9 standard errors.
    EXPECT_EQ(chosen_of(1), 0.5) << to_string(metric);
    EXPECT_EQ(chosen_of(10), 0.3) << to_string(metric);
  }
}

TEST(Thresholds, PerLabelNoSingleChangeIsBetter) {
  const auto all = scored(300, 4, 3);
  const auto counts = counted(all);
  for (const auto metric : {kMicroF1, kMacroF1, kHammingLoss}) {
    const auto chosen = counts.choose(ThresholdRule::per_label, metric);
    const double sign = metric == kHammingLoss ? -1 : 1;
    for (std::size_t label = 0; label < chosen.size(); ++label) {
      for (const double candidate : counts.candidates()) {
        auto other = chosen;
        other[label] = candidate;
        EXPECT_GE(sign * counts.value(chosen, metric), sign * counts.value(other, metric) - 1e-12)
            << to_string(metric) << ' ' << label << ' ' << candidate;
      }
    }
    EXPECT_GE(sign * counts.value(chosen, metric),
              sign * counts.value(counts.choose(ThresholdRule::one, metric), metric));
  }
}

TEST(Thresholds, PerLabelByBothF1IsNoWorseThanTheOneForAll) {
  for (const std::uint64_t seed : {3u, 4u, 5u, 6u}) {
    const auto counts = counted(scored(80, 6, seed));
    EXPECT_GE(counts.value(counts.choose(ThresholdRule::per_label, kF1), kF1),
              counts.value(counts.choose(ThresholdRule::one, kF1), kF1));
  }
}

TEST(Thresholds, CardinalityPredictsAsNearlyAsCanBeAsManyLabelsAsThereAre) {
  const auto all = scored(400, 5, 4);
  const auto counts = counted(all);
  const auto off_by = [&](double threshold) {
    Index predicted = 0;
    for (const double score : all.scores.values()) predicted += score >= threshold;
    return std::abs(predicted - all.truth.ones());
  };
  const auto chosen = counts.choose(ThresholdRule::cardinality, kF1);
  EXPECT_LT(off_by(chosen.front()), all.truth.ones() / 10);
  for (const double candidate : counts.candidates()) {
    EXPECT_LE(off_by(chosen.front()), off_by(candidate)) << candidate;
  }
}

using Quantity = ThresholdTarget::Quantity;

/// Precision and recall of some labels together.
struct Reached {
  double precision, recall;
};
Reached reached(const Scored& all, double threshold, Index first, Index end) {
  double hits = 0, predicted = 0, positives = 0;
  for (Index row = 0; row < all.truth.rows(); ++row) {
    const auto truth = all.truth.row(row);
    for (Index label = first; label < end; ++label) {
      const bool is_true = std::ranges::count(truth, static_cast<LabelId>(label)) > 0;
      const bool is_predicted = all.scores(row, label) >= threshold;
      hits += is_true && is_predicted;
      predicted += is_predicted;
      positives += is_true;
    }
  }
  return {predicted == 0 ? 0 : hits / predicted, hits / positives};
}

/// That no candidate reaches the target with more of the other quantity.
void expect_best_at(const Scored& all, const ThresholdCounts& counts, const ThresholdTarget& target,
                    double chosen, Index first, Index end) {
  const bool is_precision = target.quantity == Quantity::precision;
  const auto wanted = [&](const Reached& r) { return is_precision ? r.precision : r.recall; };
  const auto other = [&](const Reached& r) { return is_precision ? r.recall : r.precision; };
  const Reached here = reached(all, chosen, first, end);
  EXPECT_GE(wanted(here), target.value);
  for (const double candidate : counts.candidates()) {
    const Reached there = reached(all, candidate, first, end);
    if (wanted(there) < target.value) continue;
    EXPECT_LE(other(there), other(here)) << candidate;
  }
}

TEST(Thresholds, AtATargetTheOtherQuantityIsAsHighAsItCanBe) {
  const auto all = scored(400, 4, 9);
  const auto counts = counted(all);
  for (const ThresholdTarget& target :
       {ThresholdTarget{Quantity::precision, 0.6}, ThresholdTarget{Quantity::recall, 0.7}}) {
    const auto one = counts.choose(ThresholdRule::one, kF1, Convention::sklearn, target);
    EXPECT_THAT(one, Each(one.front()));
    expect_best_at(all, counts, target, one.front(), 0, 4);
    const auto own = counts.choose(ThresholdRule::per_label, kF1, Convention::sklearn, target);
    for (Index label = 0; label < 4; ++label) {
      expect_best_at(all, counts, target, own[static_cast<std::size_t>(label)], label, label + 1);
    }
  }
}

TEST(Thresholds, IfNoneReachesTheTargetTheClosestIsTaken) {
  ThresholdCounts counts(1, {}, 0.5);
  const LabelId label[] = {0};
  for (const double score : {0.105, 0.205, 0.305}) counts.add(std::vector{score}, label);
  for (const double score : {0.205, 0.305, 0.805}) counts.add(std::vector{score}, {});
  // Precision is 2/5 from 0.2 on, 1/3 at 0.3, and 1/2 below 0.105.
  const auto chosen = counts.choose(ThresholdRule::one, kF1, Convention::sklearn,
                                    ThresholdTarget{Quantity::precision, 0.9});
  EXPECT_LT(chosen.front(), 0.105);
}

TEST(Thresholds, TargetsThatCannotBeAreRefused) {
  const auto counts = counted(scored(20, 2, 1));
  const auto choose = [&](ThresholdRule rule, double value) {
    counts.choose(rule, kF1, Convention::sklearn, ThresholdTarget{Quantity::recall, value});
  };
  EXPECT_THAT([&] { choose(ThresholdRule::one, 0); },
              ThrowsMessage<UsageError>(HasSubstr("must be in (0, 1], got 0")));
  EXPECT_THAT([&] { choose(ThresholdRule::one, 1.5); },
              ThrowsMessage<UsageError>(HasSubstr("must be in (0, 1], got 1.5")));
  EXPECT_THAT([&] { choose(ThresholdRule::cardinality, 0.5); },
              ThrowsMessage<UsageError>(HasSubstr("cardinality have no target")));
}

TEST(Thresholds, OfScoresTrainedTowardsZeroAndOneAreTriedWhereThoseOfProbabilitiesAre) {
  const auto of = [](const Head& head) {
    const ThresholdCounts counts(1, score_range(head), 0.5);
    return std::vector<double>(counts.candidates().begin(), counts.candidates().end());
  };
  const auto probabilities = of(IndependentHead{});
  EXPECT_EQ(probabilities.front(), 0.001);
  EXPECT_EQ(probabilities.back(), 0.99);
  EXPECT_EQ(of(IndependentHead{Link::identity}), probabilities);
  EXPECT_EQ(of(FeedbackHead{}), probabilities);
  EXPECT_EQ(of(KernelHead{}).front(), -0.98);
}

TEST(Thresholds, LabelsWithTooFewPositivesTakeTheOneForAll) {
  const auto chosen = [](Index positives) {
    ThresholdCounts counts(2, {}, 0.5);
    counts.add(0, 0.3, 400, 0);
    counts.add(0, 0.1, 0, 400);
    counts.add(1, 0.05, positives, 6 * positives);
    counts.add(1, 0.01, 0, 800 - 7 * positives);
    return counts.choose(ThresholdRule::per_label, kMacroF1);
  };
  EXPECT_THAT(chosen(kPositivesForOwnThreshold), ElementsAre(0.3, 0.05));
  EXPECT_THAT(chosen(kPositivesForOwnThreshold - 1), ElementsAre(0.3, 0.3));
}

TEST(Thresholds, AJumpOfF1ByAConventionIsNoImprovement) {
  // The label has no positives and one false positive between 0.5 and 0.7. Under Mulan's convention
  // macro-F1 would gain 1/2 without it.
  ThresholdCounts counts(2, {}, 0.5);
  counts.add(0, 0.9, 30, 0);
  counts.add(0, 0.1, 0, 30);
  counts.add(1, 0.6, 0, 1);
  counts.add(1, 0.1, 0, 59);
  EXPECT_THAT(counts.choose(ThresholdRule::one, kMacroF1, Convention::mulan), Each(0.5));
}

TEST(Thresholds, TheUsualOneIsACandidate) {
  const ThresholdCounts counts(1, {}, 0.333);
  EXPECT_THAT(counts.candidates(), Contains(0.333));
  EXPECT_TRUE(std::ranges::is_sorted(counts.candidates()));
}

TEST(Thresholds, AmongEquallyGoodOnesTheNearestToTheUsualIsTaken) {
  ThresholdCounts counts(1, {}, 0.5);
  const std::vector<LabelId> none, one = {0};
  for (int k = 0; k < 5; ++k) counts.add(std::vector{0.2}, none);
  for (int k = 0; k < 5; ++k) counts.add(std::vector{0.4}, one);
  EXPECT_EQ(counts.choose(ThresholdRule::one, kMicroF1).front(), 0.4);
}

TEST(Thresholds, CountsOfSomeLabelsAndRowsAddUpToThoseOfAll) {
  const auto all = scored(300, 5, 4);
  const ThresholdCounts expected = counted(all);
  ThresholdCounts sum(5, {}, 0.5);
  for (const std::vector<LabelId>& labels : {std::vector<LabelId>{3, 0}, {1, 4, 2}}) {
    for (const Index half : {0, 1}) {
      ThresholdCounts part(std::ssize(labels), {}, 0.5);
      for (Index row = half; row < 300; row += 2) {
        std::vector<double> scores;
        std::vector<LabelId> truth;
        for (std::size_t k = 0; k < labels.size(); ++k) {
          scores.push_back(all.scores(row, labels[k]));
          if (std::ranges::count(all.truth.row(row), labels[k]) > 0) {
            truth.push_back(static_cast<LabelId>(k));
          }
        }
        part.add(scores, truth);
      }
      EXPECT_EQ(part.numbers().size(), labels.size() * part.numbers_per_label());
      sum.add_numbers(labels, part.numbers());
    }
  }
  EXPECT_EQ(sum.numbers(), expected.numbers());
  EXPECT_EQ(sum.choose(ThresholdRule::per_label, kF1),
            expected.choose(ThresholdRule::per_label, kF1));
}

TEST(Thresholds, UnknownLabelsDoNotCount) {
  ThresholdCounts with(2, {}, 0.5), without(2, {}, 0.5);
  const std::vector<LabelId> truth = {0}, unknown = {1};
  with.add(std::vector{0.7, 0.9}, truth, unknown);
  EXPECT_EQ(with.value(std::vector{0.5, 0.5}, kHammingLoss), 0);
  without.add(std::vector{0.7, 0.9}, truth);
  EXPECT_EQ(without.value(std::vector{0.5, 0.5}, kHammingLoss), 0.5);
}

TEST(Thresholds, ScoresAboutZeroHaveCandidatesOfBothSigns) {
  const ThresholdCounts counts(1, {-1, 1}, 0.1);
  EXPECT_LT(counts.candidates().front(), -0.9);
  EXPECT_GT(counts.candidates().back(), 0.9);
}

TEST(Thresholds, MetricsThatTheyCannotBeChosenByAreRefused) {
  EXPECT_THAT([] { threshold_metric_named("coverage"); },
              ThrowsMessage<UsageError>(HasSubstr("micro-f1, macro-f1, f1, hamming-loss")));
  EXPECT_FALSE(threshold_metric_of(Measure::coverage));
  EXPECT_EQ(threshold_metric_of(Measure::macro_f1), kMacroF1);
}

}  // namespace
}  // namespace mugrad
