// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/compare.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

Dataset small_data(std::uint64_t seed = 21) {
  return testing::random_problem({.rows = 80, .features = 5, .labels = 4}, seed);
}

TEST(Contender, IsAMethodWithOptionsAndANameIfOneIsGiven) {
  const auto contender = parse_contender(
      "mine: mgd --preset paper --rho 0.1,1 --sigma=0.3 --thresholds per-label --metric micro-f1 "
      "--inner-folds 2",
      {}, true);
  EXPECT_EQ(contender.name, "mine");
  EXPECT_EQ(contender.method, "mgd");
  EXPECT_EQ(contender.tuning.search.fixed.at("sigma"), "0.3");
  EXPECT_EQ(contender.tuning.search.fixed.at("alpha"), "0.02");
  ASSERT_THAT(contender.tuning.search.stages, SizeIs(1));
  EXPECT_THAT(contender.tuning.search.stages[0].space, SizeIs(1));
  EXPECT_EQ(contender.tuning.thresholds, ThresholdRule::per_label);
  EXPECT_EQ(contender.tuning.metric, metric_named("micro-f1"));
  EXPECT_EQ(contender.tuning.inner.folds, 2);
}

TEST(Contender, OptionsAfterAPresetOverruleItAndSoDoThoseBefore) {
  for (const auto* text : {"mgd --preset paper --alpha 0.01", "mgd --alpha 0.01 --preset paper"}) {
    EXPECT_EQ(parse_contender(text, {}, false).tuning.search.fixed.at("alpha"), "0.01") << text;
  }
}

TEST(Contender, UntunedIsTrainedAsItIs) {
  const auto contender = parse_contender("br --weka-ridge", {}, false);
  EXPECT_FALSE(contender.is_tuned());
  EXPECT_EQ(contender.tuning.search.fixed.at("weka-ridge"), "true");
}

TEST(Contender, IsTunedForEachMetricWhereThatIsUsualUnlessItNamesOne) {
  const Contender usual{.tuning = {.for_each_metric = true}};
  EXPECT_TRUE(parse_contender("br --rho 0.1,1", usual, true).tuning.for_each_metric);
  const auto by_one = parse_contender("br --rho 0.1,1 --metric micro-f1", usual, true);
  EXPECT_FALSE(by_one.tuning.for_each_metric);
  EXPECT_EQ(by_one.tuning.metric, metric_named("micro-f1"));
}

TEST(Contender, ItsTextSaysAllAndReadsBack) {
  const Contender usual{
      .tuning = {.metric = {Measure::ranking_loss}, .thresholds = ThresholdRule::one}};
  const auto contender = parse_contender("mgd --rho 0.1,1 --sigma 0.3", usual, true);
  const auto text = to_text(contender);
  EXPECT_EQ(text,
            "mgd --sigma 0.3 --rho 0.1,1 --metric ranking-loss --inner-folds 3 --tune-seed 1 "
            "--thresholds one --threshold-metric f1");
  EXPECT_EQ(to_text(parse_contender(text, {}, true)), text);
}

TEST(Contender, TheUsualSearchReadsBackAndSoDoesNone) {
  const Contender usual{.tuning = {.thresholds = ThresholdRule::one}};
  for (const bool tuned : {false, true}) {
    const auto text = to_text(parse_contender("mgd --rho 0.1", usual, tuned));
    EXPECT_THAT(text, HasSubstr(tuned ? " --search usual" : " --search none"));
    EXPECT_EQ(to_text(parse_contender(text, usual, !tuned)), text);
  }
  EXPECT_THAT([] { parse_contender("br --search wide", {}, true); },
              ThrowsMessage<UsageError>(HasSubstr("search must be usual or none, got 'wide'")));
}

TEST(Contender, MayBeTunedByAMetricUnderAConvention) {
  const auto contender = parse_contender("br --metric macro-f1 (mulan) --rho 0.1,1", {}, true);
  EXPECT_EQ(contender.tuning.metric, metric_named("macro-f1 (mulan)"));
  EXPECT_THAT(to_text(contender), HasSubstr(" --metric macro-f1 (mulan) "));
  const Contender usual{.tuning = contender.tuning};
  EXPECT_EQ(parse_contender("br --metric each", usual, true).tuning.metric, Metric{});
}

TEST(Contender, ItsTextTellsApartAllThatDecidesItsResults) {
  std::set<std::string> texts;
  const std::vector<std::string> more = {"",
                                         " --inner-folds 4",
                                         " --holdout 0.3",
                                         " --holdout 0.5",
                                         " --inner-stratified",
                                         " --tune-seed 7",
                                         " --metric each",
                                         " --metric coverage",
                                         " --thresholds per-label",
                                         " --thresholds one --threshold-metric micro-f1",
                                         " --thresholds one",
                                         " --draws 2",
                                         " --tolerance 0.1"};
  for (const auto& option : more) {
    const auto text = to_text(parse_contender("br --rho 0.1,1,2" + option, {}, true));
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_EQ(to_text(parse_contender(text, {}, true)), text);
  }
}

TEST(Contender, TakesTheOppositeOfAFlag) {
  EXPECT_EQ(parse_contender("br --no-weka-ridge", {}, false).tuning.search.fixed.at("weka-ridge"),
            "false");
}

TEST(Contender, MistakesQuoteTheText) {
  const auto refuses = [](const char* text, const char* why) {
    EXPECT_THAT([&] { parse_contender(text, {}, true); },
                ThrowsMessage<UsageError>(::testing::AllOf(HasSubstr(text), HasSubstr(why))));
  };
  refuses("magic --rho 1", "there is no method 'magic'");
  refuses("br --sigma 1", "sigma");
  refuses("br --rho -1", "rho must be >= 0, got -1");
  refuses("br rho 1", "'rho' is not an option");
  refuses("two words: br", "must be one word");
  refuses("x:", "it names no method");
  refuses("br --preset paper", "the preset 'paper' belongs to mgd, not to br");
  refuses("br --inner-folds many", "inner-folds must be a whole number");
  refuses("br --holdout 2", "holdout must be between 0 and 1, got '2'");
}

TEST(OuterSplits, AreThoseOfTheSeedsInOrder) {
  const auto data = small_data();
  auto splits = outer_splits(data, {.repeats = 3, .train = 0.75, .seed = 5});
  ASSERT_EQ(splits.count(), 3);
  for (Index k = 0; k < 3; ++k) {
    const auto seed = static_cast<std::uint64_t>(5 + k);
    EXPECT_EQ(splits.at(k).test,
              random_split_rows(data.rows(), {.train = 0.75, .seed = seed}).test);
  }
  EXPECT_EQ(outer_splits(data, {.repeats = 2, .folds = 4}).count(), 8);
  EXPECT_EQ(outer_splits(data, {.repeats = 2, .folds = 4, .stratified = true}).count(), 8);
  EXPECT_EQ(to_text(OuterProtocol{.repeats = 2, .train = 0.75, .stratified = true}),
            "2 stratified splits, 75 % to train on, seed 1");
}

TEST(RunOnce, ChangingTheTestPartChangesNothingThatWasChosen) {
  const auto data = small_data();
  const Contender usual{.tuning = {.thresholds = ThresholdRule::per_label,
                                   .threshold_metric = ThresholdMetric::macro_f1}};
  for (const auto* text : {"mgd --rho 0.001,0.1,10 --sigma 0,1", "cc --rho 0.001,0.1,10",
                           "br --rho 0.001,0.1,10 --metric each"}) {
    const auto contender = parse_contender(text, usual, true);
    Split split = random_split(data);
    const Record before = run_once(split, contender, {});
    const auto other = small_data(99);
    split.test = select_rows(other, std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7});
    const Record after = run_once(split, contender, {});
    EXPECT_EQ(before.options, after.options);
    EXPECT_EQ(before.thresholds, after.thresholds);
    EXPECT_NE(before.metrics, after.metrics);
  }
}

TEST(RunOnce, TunedForEachMetricIsWhatTuningForThatMetricGives) {
  const auto data = small_data();
  const Split split = random_split(data);
  const std::string text = "mgd --rho 0.001,0.1,10 --sigma 0,1 --thresholds one ";
  const Record each = run_once(split, parse_contender(text + "--metric each", {}, true), {});
  ASSERT_EQ(each.failure, "");
  for (const std::string metric : {"average-precision", "coverage", "micro-f1", "macro-f1",
                                   "micro-auc", "log-loss", "calibration-error"}) {
    const bool is_f1 = metric.ends_with("f1");
    const Record one = run_once(
        split,
        parse_contender(
            text + "--metric " + metric + (is_f1 ? " --threshold-metric " + metric : ""), {}, true),
        {});
    EXPECT_EQ(each.metrics.at(metric_named(metric)), one.metrics.at(metric_named(metric)))
        << metric;
  }
  EXPECT_EQ(each.metrics.size(),
            run_once(split, parse_contender("br", {}, false), {}).metrics.size());
}

TEST(RunOnce, HasEveryMeasureThatTheScoresPermit) {
  const Split split = random_split(small_data());
  for (const std::string method : {"br", "br --metric each --rho 0.1,1 --thresholds keep",
                                   "camel --metric each --lambda2 0.1,1 --thresholds keep"}) {
    const bool are_probabilities = method.starts_with("br");
    const Record record = run_once(split, parse_contender(method, {}, false), {});
    ASSERT_EQ(record.failure, "");
    for (const MeasureInfo& info : measures()) {
      const Metric metric{.measure = info.measure, .k = info.has_k ? 1 : 0};
      EXPECT_EQ(record.metrics.contains(metric), are_probabilities || !info.needs_probabilities)
          << method << ' ' << info.name;
    }
  }
}

TEST(RunOnce, HasMetricsUnderBothConventionsOfMacroF1) {
  auto data = small_data();
  // A label that is never there: perfect for Mulan when it is not predicted, nothing otherwise.
  data.y.cols += 1;
  const Record record = run_once(random_split(data), parse_contender("br", {}, false), {});
  EXPECT_EQ(record.failure, "");
  EXPECT_NEAR(record.metrics.at(metric_named("macro-f1 (mulan)")),
              record.metrics.at(metric_named("macro-f1")) + 0.2, 1e-12);
  EXPECT_EQ(record.thresholds, "0.5");
}

TEST(RunOnce, WhatCannotBeTrainedIsAFailureOfTheRecord) {
  auto data = small_data();
  data.unknown = {.cols = data.labels(), .row_start = {0}, .column = {}};
  for (Index row = 0; row < data.rows(); ++row) {
    if (std::ranges::count(data.y.row(row), LabelId{3}) == 0) data.unknown.column.push_back(3);
    data.unknown.end_row();
  }
  const Record record =
      run_once(random_split(data, {.train = 0.9}), parse_contender("lp", {}, false), {});
  EXPECT_THAT(record.failure, HasSubstr("lp requires all labels to be known"));
  EXPECT_TRUE(record.metrics.empty());
}

}  // namespace
}  // namespace mugrad
