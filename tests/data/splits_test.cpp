// SPDX-License-Identifier: MIT
#include "support/label_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/data/generator.h>
#include <mugrad/data/splits.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

template <class Call>
std::string usage_error(Call call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

BinaryMatrix generated_labels(Index rows, std::uint64_t seed) {
  return generate({.rows = rows, .features = 10, .labels = 15, .cardinality = 2, .seed = seed})
      .data.y;
}

/// Every row is in exactly one of the two parts, each ascending, none empty.
void expect_partition(const SplitRows& split, Index rows) {
  EXPECT_TRUE(std::ranges::is_sorted(split.train));
  EXPECT_TRUE(std::ranges::is_sorted(split.test));
  EXPECT_FALSE(split.train.empty());
  EXPECT_FALSE(split.test.empty());
  std::vector<Index> together = split.train;
  together.insert(together.end(), split.test.begin(), split.test.end());
  std::ranges::sort(together);
  std::vector<Index> all(static_cast<std::size_t>(rows));
  std::iota(all.begin(), all.end(), Index{0});
  EXPECT_EQ(together, all);
}

TEST(PlannedSplits, AreMadeOneByOneHoweverManyThereAre) {
  const auto labels = generated_labels(40, 1);
  PlannedSplits many(labels, {.repeats = 2147483647, .seed = 3});
  EXPECT_EQ(many.count(), 2147483647);
  for (const Index k : {Index{0}, Index{7}, Index{2147483646}}) {
    const auto seed = static_cast<std::uint64_t>(3 + k);
    EXPECT_EQ(many.at(k).test, random_split_rows(40, {.seed = seed}).test);
  }
  for (const bool stratified : {false, true}) {
    PlannedSplits folds(
        labels, {.repeats = 1'000'000'000, .folds = 40, .stratified = stratified, .seed = 3});
    EXPECT_EQ(folds.count(), 40'000'000'000);
    const auto of_seed_8 =
        stratified ? stratified_k_fold_rows(labels, 40, 8) : k_fold_rows(40, 40, 8);
    for (const Index fold : {5, 0, 39}) {
      const auto split = folds.at(5 * 40 + fold);
      EXPECT_EQ(split.test, of_seed_8[static_cast<std::size_t>(fold)].test);
      EXPECT_EQ(split.train, of_seed_8[static_cast<std::size_t>(fold)].train);
    }
  }
}

TEST(PlannedSplits, RefuseWhatTheRowsDoNotAllow) {
  const auto labels = generated_labels(10, 1);
  const auto refuse = [&](const SplitPlan& plan) {
    EXPECT_THROW(PlannedSplits(labels, plan), UsageError);
  };
  refuse({.repeats = 0});
  refuse({.train = 1});
  refuse({.folds = 11});
  refuse({.repeats = std::numeric_limits<Index>::max(), .folds = 3});
}

/// Every row is tested on exactly once.
void expect_folds(const std::vector<SplitRows>& folds, Index rows) {
  std::vector<Index> tested;
  for (const auto& fold : folds) {
    expect_partition(fold, rows);
    tested.insert(tested.end(), fold.test.begin(), fold.test.end());
  }
  EXPECT_EQ(static_cast<Index>(tested.size()), rows);
  std::ranges::sort(tested);
  EXPECT_TRUE(std::ranges::adjacent_find(tested) == tested.end());
}

TEST(SplitSeed, FirstSplitHasTheSeedItselfAndNoOtherThatOfAnotherSeed) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(split_seed(seed, 0), seed);
    for (std::uint64_t number = 0; number < 20; ++number) {
      seeds.push_back(split_seed(seed, number));
    }
  }
  std::ranges::sort(seeds);
  EXPECT_TRUE(std::ranges::adjacent_find(seeds) == seeds.end());
}

TEST(RandomSplit, IsTheSameOnEveryMachine) {
  EXPECT_THAT(random_split_rows(10, {.train = 0.6, .seed = 7}).test, ElementsAre(4, 5, 7, 8));
  EXPECT_THAT(k_fold_rows(9, 3, 7)[0].test, ElementsAre(2, 6, 7));
}

TEST(StratifiedSplit, IsTheSameOnEveryMachine) {
  const auto y = testing::binary_rows(
      {{1, 0}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {0, 1}, {1, 0}, {0, 0}, {1, 1}, {0, 1}});
  EXPECT_THAT(stratified_split_rows(y, {.train = 0.6, .seed = 7}).test, ElementsAre(0, 2, 4, 5));
  EXPECT_THAT(stratified_k_fold_rows(y, 3, 7)[0].test, ElementsAre(5, 6, 9));
}

TEST(RandomSplit, PutsEveryRowInOnePart) {
  for (const double train : {0.001, 0.2, 0.5, 0.8, 0.999}) {
    for (const Index rows : {2, 3, 10, 101}) {
      expect_partition(random_split_rows(rows, {.train = train, .seed = 3}), rows);
      expect_partition(
          stratified_split_rows(generated_labels(rows, 1), {.train = train, .seed = 3}), rows);
    }
  }
}

TEST(RandomSplit, TrainsOnTheRoundedShare) {
  EXPECT_EQ(random_split_rows(10, {.train = 0.8}).train.size(), 8U);
  EXPECT_EQ(random_split_rows(593, {.train = 0.8}).train.size(), 474U);
  EXPECT_EQ(random_split_rows(3, {.train = 0.5}).train.size(), 2U);
}

TEST(RandomSplit, ChangesWithTheSeed) {
  EXPECT_EQ(random_split_rows(50, {.seed = 1}).test, random_split_rows(50, {.seed = 1}).test);
  EXPECT_NE(random_split_rows(50, {.seed = 1}).test, random_split_rows(50, {.seed = 2}).test);
  EXPECT_NE(k_fold_rows(50, 5, 1)[0].test, k_fold_rows(50, 5, 2)[0].test);
}

TEST(KFold, TestsEveryRowOnceInFoldsOfAlikeSize) {
  for (const auto& [rows, folds] : {std::pair<Index, Index>{10, 3}, {10, 10}, {2, 2}, {101, 5}}) {
    const auto result = k_fold_rows(rows, folds, 4);
    ASSERT_EQ(static_cast<Index>(result.size()), folds);
    expect_folds(result, rows);
    for (const auto& fold : result) {
      EXPECT_GE(static_cast<Index>(fold.test.size()), rows / folds);
      EXPECT_LE(static_cast<Index>(fold.test.size()), (rows + folds - 1) / folds);
    }
  }
}

TEST(KFold, StratifiedTestsEveryRowOnceAndLeavesNoFoldEmpty) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    expect_folds(stratified_k_fold_rows(generated_labels(6, seed), 6, seed), 6);
    expect_folds(stratified_k_fold_rows(generated_labels(50, seed), 7, seed), 50);
  }
}

TEST(KFold, StratifiedKeepsLabelSharesBetterThanRandom) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto y = generated_labels(300, seed);
    double random = 0;
    double stratified = 0;
    for (const auto& fold : k_fold_rows(300, 5, seed)) {
      random += split_quality(y, fold).label_deviation;
    }
    for (const auto& fold : stratified_k_fold_rows(y, 5, seed)) {
      stratified += split_quality(y, fold).label_deviation;
    }
    EXPECT_LT(stratified, random / 2);
  }
}

TEST(SplitQuality, IsTheMeanDeviationOfTheLabelShares) {
  const auto y = testing::binary_rows({{1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {0, 0, 0}});
  const auto quality = split_quality(y, {.train = {0, 1, 2}, .test = {3}});
  // Label 0: 1/2 of all, 2/3 of train, none of test; label 1: 1/4, 1/3, 0; label 2: none at all.
  EXPECT_DOUBLE_EQ(quality.label_deviation, (1.0 / 6 + 1.0 / 2 + 1.0 / 12 + 1.0 / 4) / 6);
  EXPECT_EQ(quality.labels_missing_in_train, 0);
  EXPECT_EQ(quality.labels_missing_in_test, 2);
  EXPECT_EQ(split_quality(y, {.train = {2, 3}, .test = {0, 1}}).labels_missing_in_train, 2);
}

TEST(SplitQuality, IsZeroWithoutLabels) {
  BinaryMatrix y;
  for (int row = 0; row < 4; ++row) y.end_row();
  EXPECT_EQ(split_quality(y, random_split_rows(4)).label_deviation, 0);
  expect_partition(stratified_split_rows(y), 4);
}

TEST(Split, TakesTheRowsOfFeaturesAndLabels) {
  const auto data = generate({.rows = 40}).data;
  for (const bool stratified : {false, true}) {
    const SplitOptions options{.train = 0.75, .seed = 2};
    const auto rows = stratified ? stratified_split_rows(data.y, options)
                                 : random_split_rows(data.rows(), options);
    const auto split = stratified ? stratified_split(data, options) : random_split(data, options);
    EXPECT_EQ(split.train.x, select_rows(data, rows.train).x);
    EXPECT_EQ(split.test.x, select_rows(data, rows.test).x);
    EXPECT_EQ(split.test.y, select_rows(data, rows.test).y);
    EXPECT_EQ(split.train.label_names, data.label_names);
    EXPECT_EQ(split.train.rows() + split.test.rows(), 40);
  }
}

TEST(Split, CountsTestRowsThatAreTrainingRowsToo) {
  const Dataset data{.x = Matrix<double>{{1, 2}, {0, 0}, {1, 2}, {0, 0}, {3, 4}, {1, 2}},
                     .y = {.cols = 1, .row_start = {0, 0, 0, 0, 0, 0, 0}}};
  EXPECT_EQ(repeated_rows(take(data, {.train = {0, 1}, .test = {2, 3, 4, 5}})), 2);
  EXPECT_EQ(repeated_rows(take(data, {.train = {1, 4}, .test = {0, 2, 3, 5}})), 0);
}

TEST(Split, RefusesAShareOutsideZeroToOne) {
  const auto y = testing::binary_rows({{1}, {0}, {1}});
  for (const double train : {0.0, 1.0, -0.5, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    const auto message = fmt::format("train must be above 0 and below 1, got {}", train);
    EXPECT_EQ(usage_error([&] { random_split_rows(3, {.train = train}); }), message);
    EXPECT_EQ(usage_error([&] { stratified_split_rows(y, {.train = train}); }), message);
  }
}

TEST(Split, RefusesFoldsThatRowsCannotFill) {
  const auto y = testing::binary_rows({{1}, {0}, {1}});
  for (const Index folds : {-1, 0, 1, 4}) {
    const auto message =
        fmt::format("folds must be between 2 and the number of rows, 3, got {}", folds);
    EXPECT_EQ(usage_error([&] { k_fold_rows(3, folds); }), message);
    EXPECT_EQ(usage_error([&] { stratified_k_fold_rows(y, folds); }), message);
  }
}

TEST(Split, RefusesFewerThanTwoRows) {
  const auto y = testing::binary_rows({{1}});
  const std::string message = "a split needs at least 2 rows, got 1";
  EXPECT_EQ(usage_error([&] { random_split_rows(1); }), message);
  EXPECT_EQ(usage_error([&] { stratified_split_rows(y); }), message);
  EXPECT_EQ(usage_error([&] { k_fold_rows(1, 2); }), message);
  EXPECT_EQ(usage_error([&] { stratified_k_fold_rows(y, 2); }), message);
}

}  // namespace
}  // namespace mugrad
