// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

Dataset small_data() {
  return testing::random_problem({.rows = 90, .features = 6, .labels = 4}, 11);
}

TuneOptions over(const OptionValues& given) { return {.search = search_of({}, given, false)}; }

/// The plain reference: every setting trained alone on every fold.
double mean_on_folds(const Dataset& data, const Method& method, const OptionValues& values,
                     const TuneOptions& options) {
  double sum = 0;
  auto splits = inner_splits(data, options.inner);
  for (Index k = 0; k < splits.count(); ++k) {
    const Split split = take(data, splits.at(k));
    const Model model = method.fit(split.train, values, {1}, nullptr);
    sum += evaluate(model.scores(split.test.x), split.test.y,
                    {.thresholds = model.contents().thresholds,
                     .are_probabilities = score_range(model.contents().head).are_probabilities,
                     .most_kept_scores = kAllScores})[options.metric];
  }
  return sum / static_cast<double>(splits.count());
}

TEST(Tune, TrialsAreWhatTrainingEachSettingAloneGives) {
  const auto data = small_data();
  for (const auto* name : {"mgd", "br", "cc"}) {
    const Method& method = method_named(name);
    auto options = over({{"rho", "0.01,0.1,1"}, {"tolerance", "1e-6"}});
    if (std::string_view(name) == "mgd") {
      options = over({{"rho", "0.1,1"},
                      {"sigma", "0,0.3"},
                      {"transfer", "cosine,pearson"},
                      {"tolerance", "1e-6"}});
    }
    const auto tuning = tune(data, method, options);
    for (const auto& trial : tuning.trials) {
      EXPECT_NEAR(trial.mean, mean_on_folds(data, method, trial.values, options), 1e-3)
          << name << ' ' << settings_text(trial.values);
    }
  }
}

TEST(Tune, TakesMetricsOfProbabilitiesAndOfAllScores) {
  const auto data = small_data();
  const Method& br = method_named("br");
  for (const auto* metric :
       {"log-loss", "brier-score", "calibration-error", "micro-auc", "macro-auc", "example-f1"}) {
    // Tight, since scores that change places change areas and bins.
    auto options = over({{"rho", "0.01,1"}, {"tolerance", "1e-8"}});
    options.metric = metric_named(metric);
    for (const auto& trial : tune(data, br, options).trials) {
      EXPECT_NEAR(trial.mean, mean_on_folds(data, br, trial.values, options), 1e-3) << metric;
    }
  }
}

TEST(Tune, TrialsHaveMetricsOfAllScoresOnlyIfTheseAreAskedFor) {
  const auto data = small_data();
  auto options = over({{"rho", "0.1"}});
  const auto has = [&](Measure measure) {
    return tune(data, method_named("br"), options).best_trial().metrics.contains({measure});
  };
  EXPECT_TRUE(has(Measure::log_loss));
  EXPECT_FALSE(has(Measure::micro_auc));
  options.metric = {Measure::calibration_error};
  EXPECT_TRUE(has(Measure::micro_auc));
  options.metric = {Measure::average_precision};
  options.for_each_metric = true;
  EXPECT_TRUE(has(Measure::micro_auc));
}

TEST(Tune, MetricsOfProbabilitiesAreRefusedWhereScoresAreNone) {
  auto options = over({{"threshold", "0"}});
  options.metric = {Measure::log_loss};
  EXPECT_THAT([&] { tune(small_data(), method_named("camel"), options); },
              ThrowsMessage<UsageError>(HasSubstr("requires scores that are probabilities")));
}

TEST(Tune, TheBestTrialHasTheBestMean) {
  const auto data = small_data();
  for (const auto* metric : {"average-precision", "ranking-loss", "log-loss"}) {
    auto options = over({{"rho", "0.001,0.03,1,30"}});
    options.metric = metric_named(metric);
    const auto tuning = tune(data, method_named("br"), options);
    for (const auto& trial : tuning.trials) {
      if (larger_is_better(options.metric)) {
        EXPECT_LE(trial.mean, tuning.best_trial().mean);
      } else {
        EXPECT_GE(trial.mean, tuning.best_trial().mean);
      }
    }
  }
}

TEST(Tune, ThresholdsAreSearchedAmongTheScoresOfTheHeadWhateverTheUsualOneIs) {
  const auto data = small_data();
  const Method& camel = method_named("camel");  // whose scores lie on both sides of zero
  for (const auto rule : {ThresholdRule::one, ThresholdRule::per_label}) {
    auto options = over({{"threshold", "0"}});
    options.thresholds = rule;
    options.metric = {Measure::micro_f1};
    options.threshold_metric = ThresholdMetric::micro_f1;
    const auto about_zero = tune(data, camel, options).best_trial();
    EXPECT_LT(about_zero.counts->candidates().front(), -0.9);
    for (const char* usual : {"0.1", "0.5", "-0.3"}) {
      options.search = over({{"threshold", usual}}).search;
      const auto trial = tune(data, camel, options).best_trial();
      EXPECT_EQ(std::vector(trial.counts->candidates().begin(), trial.counts->candidates().end()),
                std::vector(about_zero.counts->candidates().begin(),
                            about_zero.counts->candidates().end()));
      EXPECT_NEAR(trial.mean, about_zero.mean, 1e-12) << usual;
    }
  }
}

TEST(Tune, ThreadsDoNotChangeTheTrials) {
  const auto data = small_data();
  auto options = over({{"rho", "0.01,0.1"}, {"sigma", "0,0.3"}, {"neighbours", "1,2"}});
  options.thresholds = ThresholdRule::per_label;
  options.threads = {1};
  const auto one = tune(data, method_named("mgd"), options);
  options.threads = {4};
  const auto four = tune(data, method_named("mgd"), options);
  ASSERT_EQ(one.trials.size(), four.trials.size());
  EXPECT_EQ(one.best, four.best);
  for (std::size_t k = 0; k < one.trials.size(); ++k) {
    EXPECT_EQ(one.trials[k].scores, four.trials[k].scores);
    EXPECT_EQ(one.trials[k].thresholds, four.trials[k].thresholds);
  }
}

TEST(Tune, MetricsOfLabelsetsAreThoseAtTheThresholdsChosen) {
  const auto data = small_data();
  auto options = over({{"rho", "0.01,0.1"}});
  options.metric = {Measure::micro_f1};
  const auto kept = tune(data, method_named("br"), options);
  options.thresholds = ThresholdRule::one;
  options.threshold_metric = ThresholdMetric::micro_f1;
  const auto chosen = tune(data, method_named("br"), options);
  for (std::size_t k = 0; k < kept.trials.size(); ++k) {
    EXPECT_TRUE(kept.trials[k].thresholds.empty());
    EXPECT_THAT(chosen.trials[k].thresholds, SizeIs(data.labels()));
    EXPECT_GT(chosen.trials[k].mean, kept.trials[k].mean);
  }
}

TEST(Tune, ADivergingSettingFailsAndTheOthersStand) {
  const auto data = small_data();
  const auto tuning =
      tune(data, method_named("mgd"), over({{"solver", "plain"}, {"alpha", "0.1,1e9"}}));
  ASSERT_EQ(tuning.trials.size(), 2);
  EXPECT_TRUE(tuning.trials[0].failure.empty());
  EXPECT_THAT(tuning.trials[1].failure, HasSubstr("diverged"));
  EXPECT_TRUE(std::isnan(tuning.trials[1].mean));
  EXPECT_EQ(tuning.best, 0);
  EXPECT_THAT(
      [&] {
        tune(data, method_named("mgd"), over({{"solver", "plain"}, {"alpha", "1e8,1e9"}}));
      },
      ThrowsMessage<DivergenceError>(HasSubstr("none of the 2 settings could be evaluated")));
}

TEST(Tune, ADivergingSettingFailsAloneAmongThoseOfAGrid) {
  const auto data = small_data();
  const auto tuning =
      tune(data, method_named("mgd"),
           over({{"solver", "plain"}, {"alpha", "0.1"}, {"rho", "0.1,1,1e6"}, {"sigma", "0,0.1"}}));
  ASSERT_EQ(tuning.trials.size(), 6);
  for (const auto& trial : tuning.trials) {
    EXPECT_EQ(trial.failure.empty(), trial.values.at("rho") != "1e6")
        << settings_text(trial.values);
  }
}

TEST(Tune, RefittingUsesTheSettingAndTheThresholds) {
  const auto data = small_data();
  auto options = over({{"rho", "0.01,1"}});
  options.thresholds = ThresholdRule::per_label;
  const Method& br = method_named("br");
  const auto tuning = tune(data, br, options);
  const auto model = fit_as_tried(data, br, tuning.best_trial(), {});
  EXPECT_EQ(model.contents().thresholds, tuning.best_trial().thresholds);
  const auto plain = br.fit(data, tuning.best_trial().values, {}, nullptr);
  EXPECT_EQ(model.contents().weights, plain.contents().weights);
}

TEST(Tune, WhatTrialsAloneHaveIsNotTrainedWith) {
  const auto data = small_data();
  const Method& br = method_named("br");
  const TuneOptions options{.search = search_of(method_named("br").traits(), {{"rho", "0.01,1"}})};
  ASSERT_FALSE(options.search.trial_only.empty());
  const auto tuning = tune(data, br, options);
  EXPECT_FALSE(tuning.best_trial().values.contains("tolerance"));
  EXPECT_EQ(fit_as_tried(data, br, tuning.best_trial(), {}).contents().options.at("tolerance"),
            "0.0001");
}

TEST(Tune, ThresholdsOfOneSettingAreThoseOfItsTrial) {
  const auto data = small_data();
  const Method& br = method_named("br");
  auto options = over({{"rho", "0.1"}});
  options.thresholds = ThresholdRule::per_label;
  const auto model = fit_by_inner_folds(data, br, {{"rho", "0.1"}}, {}, options);
  const auto plain = br.fit(data, {{"rho", "0.1"}}, {}, nullptr);
  EXPECT_EQ(model.contents().weights, plain.contents().weights);
  EXPECT_NE(model.contents().thresholds, plain.contents().thresholds);
  options.search.trial_only = {{"tolerance", br.traits().trial_tolerance}};
  EXPECT_EQ(model.contents().thresholds, tune(data, br, options).best_trial().thresholds);
}

TEST(Tune, FurtherInputsAreUsedOnInnerFoldsToo) {
  const auto data = small_data();
  auto options = over({});
  options.thresholds = ThresholdRule::per_label;
  const TrainingExtras extras{.sigma_per_label = {5, 0, 5, 0}};
  const Method& mgd = method_named("mgd");
  EXPECT_NE(fit_by_inner_folds(data, mgd, {}, extras, options).contents().thresholds,
            fit_by_inner_folds(data, mgd, {}, {}, options).contents().thresholds);
}

TEST(Tune, ThresholdsStayWhereTheyCannotOrMustNotBeChosen) {
  const auto data = small_data();
  const Method& br = method_named("br");
  const auto plain = [&](const Dataset& training) {
    auto contents = br.fit(training, {}, {}, nullptr).contents();
    contents.trained_on = sample_of(training.x);
    return contents;
  };
  EXPECT_EQ(fit_by_inner_folds(data, br, {}, {}, {}).contents(), plain(data));
  const TuneOptions one{.thresholds = ThresholdRule::one};
  const auto few = testing::random_problem({.rows = 10, .features = 2, .labels = 1}, 3);
  EXPECT_FALSE(has_enough_for_inner_folds(few, {}));
  EXPECT_EQ(fit_by_inner_folds(few, br, {}, {}, one).contents(), plain(few));
}

TEST(Tune, FinalModelsKnowTheirRowsAndWarnOfColumnsThatGiveLabelsAway) {
  auto data = testing::random_problem({.rows = 200, .features = 4, .labels = 2}, 3);
  Matrix<double> x(data.rows(), 4);
  for (Index row = 0; row < data.rows(); ++row) {
    data.x.for_each_in_row(row, [&](FeatureId k, double value) { x(row, k) = value; });
    x(row, 2) = std::ranges::binary_search(data.y.row(row), 0) ? 1 : 0;
  }
  data.x = x;
  const Method& br = method_named("br");
  const TuneOptions keep, one{.calibrate = true, .thresholds = ThresholdRule::one};
  const Trial trial{.parts = 3};
  for (const Model& model :
       {fit_by_inner_folds(data, br, {}, {}, keep), fit_by_inner_folds(data, br, {}, {}, one),
        fit_as_tried(data, br, trial, keep), fit_as_tried(data, br, trial, one)}) {
    EXPECT_EQ(model.contents().trained_on, sample_of(data.x));
    ASSERT_EQ(model.contents().report.warnings.size(), 1);
    EXPECT_TRUE(model.contents().report.warnings[0].starts_with("the column '2' alone tells"));
  }
}

TEST(Tune, InnerPartsCoverTheDataOnce) {
  const auto data = small_data();
  for (const bool stratified : {false, true}) {
    std::vector<int> tested(static_cast<std::size_t>(data.rows()));
    auto splits = inner_splits(data, {.folds = 4, .stratified = stratified});
    for (Index k = 0; k < splits.count(); ++k) {
      const SplitRows rows = splits.at(k);
      EXPECT_EQ(static_cast<Index>(rows.train.size() + rows.test.size()), data.rows());
      for (const Index row : rows.test) ++tested[static_cast<std::size_t>(row)];
    }
    EXPECT_THAT(tested, ::testing::Each(1));
  }
  EXPECT_EQ(inner_splits(data, {.folds = 1, .train = 0.5}).count(), 1);
  EXPECT_THROW(inner_splits(data, {.folds = 0}), UsageError);
}

class StopsAt final : public Progress {
 public:
  explicit StopsAt(double share) : share_(share) {}
  bool update(double share) override {
    EXPECT_GE(share, last_);
    EXPECT_LE(share, 1);
    last_ = share;
    return share < share_;
  }
  double last() const { return last_; }

 private:
  double share_, last_ = 0;
};

TEST(Tune, TellsWhatIsDoneAndCanBeStopped) {
  const auto data = small_data();
  StopsAt never(2);
  tune(data, method_named("br"), over({{"rho", "0.01,0.1,1"}}), &never);
  EXPECT_EQ(never.last(), 1);
  StopsAt half(0.5);
  EXPECT_THROW(
      tune(data, method_named("ecc"), over({{"rho", "0.01,0.1,1"}, {"members", "3"}}), &half),
      InterruptedError);
}

TEST(Tune, KeepsTheScoresItHasWhenItIsInterrupted) {
  const auto data = small_data();
  const Method& br = method_named("br");
  auto options = over({{"rho", "0.01,0.1,1"}});
  options.thresholds = ThresholdRule::one;
  options.metric = {Measure::micro_f1};
  options.threads = {1};
  const Tuning whole = tune(data, br, options);

  std::vector<Tuning> kept;
  options.keep = [&](const Tuning& so_far) { kept.push_back(so_far); };
  StopsAt late(0.5);  // in the second of three parts
  EXPECT_THROW(tune(data, br, options, &late), InterruptedError);
  ASSERT_THAT(kept, SizeIs(1));  // after the first part: of the second, not every setting has one
  ASSERT_THAT(kept[0].trials, SizeIs(3));
  EXPECT_EQ(kept[0].parts, 1);

  // As if there had been that part alone.
  auto splits = inner_splits(data, options.inner);
  const Split first = take(data, splits.at(0));
  for (std::size_t k = 0; k < 3; ++k) {
    const Trial& trial = kept[0].trials[k];
    EXPECT_EQ(trial.values, whole.trials[k].values);
    const Model model = br.fit(first.train, trial.values, {1}, nullptr);
    EXPECT_EQ(trial.mean, evaluate(model.with_thresholds(trial.thresholds).scores(first.test.x),
                                   first.test.y, {.thresholds = trial.thresholds})["micro-f1"]);
    EXPECT_DOUBLE_EQ(trial.metrics.at({Measure::average_precision}),
                     evaluate(model.scores(first.test.x), first.test.y, {})["average-precision"]);
  }
}

TEST(Tune, KeepsTheSettingsThatItHasTriedWhenItIsInterruptedOnTheFirstPart) {
  auto options = over({{"rho", "0.01,0.1,1"}});
  options.threads = {1};
  std::vector<Tuning> kept;
  options.keep = [&](const Tuning& so_far) { kept.push_back(so_far); };
  StopsAt early(0.2);  // after the second of three settings, on the first of three parts
  EXPECT_THROW(tune(small_data(), method_named("br"), options, &early), InterruptedError);
  ASSERT_THAT(kept, SizeIs(1));
  ASSERT_THAT(kept[0].trials, SizeIs(2));
  for (const Trial& trial : kept[0].trials) EXPECT_THAT(trial.scores, SizeIs(1));
}

TEST(Tune, KeepsWhatFinishedPartsSaidWhenThereIsNothingElse) {
  const auto data = small_data();
  auto options = over({{"rho", "0.01,0.1,1"}});
  options.threads = {1};
  std::vector<Tuning> kept;
  options.keep = [&](const Tuning& so_far) { kept.push_back(so_far); };
  const Tuning whole = tune(data, method_named("br"), options);
  ASSERT_THAT(kept, SizeIs(2));  // not after the last part: that is the result
  for (std::size_t part = 0; part < kept.size(); ++part) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& scores = kept[part].trials[k].scores;
      ASSERT_THAT(scores, SizeIs(part + 1));
      EXPECT_TRUE(std::equal(scores.begin(), scores.end(), whole.trials[k].scores.begin()));
      EXPECT_NEAR(
          kept[part].trials[k].mean,
          std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size()),
          1e-15);
    }
  }
}

TEST(Tune, KeepsNothingWhereNothingWasFinished) {
  auto options = over({{"rho", "0.01,0.1"}});
  options.keep = [](const Tuning&) { ADD_FAILURE() << "nothing was there to be kept"; };
  StopsAt once(0);
  EXPECT_THROW(tune(small_data(), method_named("br"), options, &once), InterruptedError);
}

TEST(Tune, MistakesAreNamed) {
  const auto data = small_data();
  EXPECT_THAT(
      [&] {
        tune(data, method_named("br"), over({{"threshold", "0.1,0.2"}}));
      },
      ThrowsMessage<UsageError>(HasSubstr("choose a rule for thresholds")));
  EXPECT_THAT(
      [&] {
        tune(data, method_named("br"), over({{"sigma", "0.1,0.2"}}));
      },
      ThrowsMessage<UsageError>(HasSubstr("sigma")));
  EXPECT_THAT(
      [&] {
        tune(data, method_named("br"), over({{"rho", "1,-1"}}));
      },
      ThrowsMessage<UsageError>(HasSubstr("rho must be >= 0, got -1")));
  auto both = over({{"rho", "1,2"}});
  both.metric = {Measure::subset_accuracy};
  both.thresholds = ThresholdRule::one;
  EXPECT_THAT([&] { tune(data, method_named("br"), both); },
              ThrowsMessage<UsageError>(HasSubstr("cannot be chosen by subset-accuracy together")));
  auto options = over({{"rho", "1"}});
  options.metric = {Measure::precision_at_k, 99};
  EXPECT_THAT([&] { tune(data, method_named("br"), options); },
              ThrowsMessage<UsageError>(HasSubstr("precision@99")));
}

}  // namespace
}  // namespace mugrad
