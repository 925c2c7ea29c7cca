// SPDX-License-Identifier: MIT
#include "support/random_problem.h"
#include "support/text_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/tune.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

/// Most values are zero, so that all representations suit.
Dataset sparse_data() {
  return testing::random_problem(
      {.rows = 90, .features = 30, .labels = 4, .feature_probability = 0.1}, 3);
}

TuneOptions usual(const OptionValues& given = {}) {
  return {.search = search_of(method_named("mgd").traits(), given)};
}

/// Two stages of few settings: a representation with rho, then rho and the strength of transfer.
TuneOptions small(bool is_usual) {
  const Dimension rho{"rho", {"0.01", "1"}};
  return {.search = {.stages = {{.fixed = {{"sigma-ratio", "0"}},
                                 .alternatives = {{{"representation", "zscore"}},
                                                  {{"representation", "unit"}}},
                                 .space = {rho}},
                                {.fixed = {{"transfer", "weights"}},
                                 .space = {rho, {"sigma-ratio", {"1"}}}}},
                     .is_usual = is_usual},
          .threads = {1}};
}

bool is_second(const Trial& trial) { return trial.values.contains("transfer"); }

std::set<std::string> representations(const std::vector<Trial>& trials, bool second) {
  std::set<std::string> found;
  for (const Trial& trial : trials) {
    if (is_second(trial) == second) found.insert(trial.values.at("representation"));
  }
  return found;
}

/// The best representation of the first stage by a metric.
std::string best_representation(const Tuning& tuning, const Metric& metric,
                                const TuneOptions& options) {
  Tuning first = tuning;
  std::erase_if(first.trials, is_second);
  return best_for(metric, first, options).values.at("representation");
}

TEST(TuningStages, LaterStagesHaveTheBestAlternativeOfTheFirst) {
  const auto options = small(false);
  const auto tuning = tune(sparse_data(), method_named("mgd"), options);
  ASSERT_THAT(tuning.trials, SizeIs(4 + 2));
  EXPECT_TRUE(tuning.is_complete);
  EXPECT_THAT(representations(tuning.trials, false), SizeIs(2));
  EXPECT_THAT(representations(tuning.trials, true),
              std::set{best_representation(tuning, options.metric, options)});
}

TEST(TuningStages, LaterStagesHaveAllOptionsOfTheBestAlternative) {
  // Labels are noise, which a small rho fits.
  const auto data = testing::random_problem({.rows = 60, .features = 20, .labels = 3}, 3);
  for (const bool more_first : {false, true}) {
    std::vector<OptionValues> alternatives = {{{"representation", "zscore"}},
                                              {{"representation", "zscore"}, {"rho", "10"}}};
    if (more_first) std::ranges::reverse(alternatives);
    const auto tuning = tune(
        data, method_named("mgd"),
        {.search = {.stages = {{.alternatives = alternatives}, {.space = {{"sigma", {"0.2"}}}}}},
         .metric = metric_named("log-loss")});
    ASSERT_THAT(tuning.trials, SizeIs(3));
    EXPECT_EQ(tuning.trials[2].values,
              (OptionValues{{"representation", "zscore"}, {"rho", "10"}, {"sigma", "0.2"}}));
  }
}

TEST(TuningStages, TrialsOfAllStagesCompete) {
  const auto tuning = tune(sparse_data(), method_named("mgd"), small(false));
  for (const Trial& trial : tuning.trials) EXPECT_LE(trial.mean, tuning.best_trial().mean);
}

TEST(TuningStages, TunedForEachMetricTheBestAlternativesOfAllGoOn) {
  auto options = small(false);
  options.thresholds = ThresholdRule::one;
  options.for_each_metric = true;
  const auto tuning = tune(sparse_data(), method_named("mgd"), options);
  std::set<std::string> best;
  for (const Metric& metric : tuned_metrics(tuning.trials)) {
    best.insert(best_representation(tuning, metric, options));
  }
  EXPECT_EQ(representations(tuning.trials, true), best);
}

TEST(TuningStages, AListedSearchTriesEverySettingOnAllParts) {
  const auto tuning = tune(sparse_data(), method_named("mgd"), small(false));
  for (const Trial& trial : tuning.trials) {
    EXPECT_EQ(trial.parts, 3);
    EXPECT_THAT(trial.scores, SizeIs(3));
  }
}

TEST(TuningStages, TheUsualSearchDropsTheWorseHalfAfterTheFirstPart) {
  const auto tuning = tune(sparse_data(), method_named("mgd"), usual());
  for (const bool second : {false, true}) {
    double worst_kept = INFINITY, best_dropped = -INFINITY;
    std::size_t kept = 0, all = 0;
    for (const Trial& trial : tuning.trials) {
      if (is_second(trial) != second) continue;
      ++all;
      kept += trial.parts == 3;
      double& bound = trial.parts == 3 ? worst_kept : best_dropped;
      bound = trial.parts == 3 ? std::min(bound, trial.scores.front())
                               : std::max(bound, trial.scores.front());
      EXPECT_THAT(trial.scores, SizeIs(trial.parts));
    }
    EXPECT_EQ(kept, (all + 1) / 2);
    EXPECT_GE(worst_kept, best_dropped);
  }
  EXPECT_EQ(tuning.best_trial().parts, 3);
}

TEST(TuningStages, WithTransferOnlyRhoNearTheBestAloneIsTried) {
  const auto options = usual();
  const auto tuning = tune(sparse_data(), method_named("mgd"), options);
  Tuning alone = tuning;
  std::erase_if(alone.trials, is_second);
  const auto best = std::stod(best_for(options.metric, alone, options).values.at("rho"));
  std::set<double> tried;
  for (const Trial& trial : tuning.trials) {
    if (is_second(trial)) tried.insert(std::stod(trial.values.at("rho")));
  }
  // The list has factors of about 3: two values below and one above.
  EXPECT_THAT(tried, SizeIs(::testing::AllOf(::testing::Ge(2), ::testing::Le(4))));
  EXPECT_THAT(tried, ::testing::Contains(best));
  EXPECT_GT(*tried.begin(), best / 11);
  EXPECT_LT(*tried.rbegin(), best * 4);
}

TEST(TuningStages, APathEndsAfterTwoSettingsThatAreWorseThanItsBest) {
  const auto options = usual();
  const auto tuning = tune(sparse_data(), method_named("mgd"), options);
  // By representation, the scores on the first part from the largest rho to the smallest.
  std::map<std::string, std::map<double, double, std::greater<>>> paths;
  for (const Trial& trial : tuning.trials) {
    if (is_second(trial)) continue;
    paths[trial.values.at("representation")][std::stod(trial.values.at("rho"))] =
        trial.scores.front();
  }
  EXPECT_THAT(paths, SizeIs(3));
  bool is_any_shorter = false;
  for (const auto& [representation, path] : paths) {
    std::vector<double> scores;
    for (const auto& [rho, score] : path) scores.push_back(score);
    const auto best = std::max_element(scores.rbegin(), scores.rend());
    const auto after = best - scores.rbegin();  // since the last of the best
    EXPECT_LE(after, 2) << representation;
    if (scores.size() < 9) {
      EXPECT_EQ(after, 2) << representation;
    }
    EXPECT_EQ(path.begin()->first, 1) << representation;
    is_any_shorter |= scores.size() < 9;
  }
  EXPECT_TRUE(is_any_shorter);
}

TEST(TuningStages, APathGoesOnWhileScoresAreEqual) {
  // With strong penalties, no score reaches the threshold: micro-F1 is 0.
  const auto data = testing::random_problem({.rows = 120, .features = 6, .labels = 3}, 3);
  Search search{.stages = {{.space = {{"rho", {"0.01", "0.1", "1e4", "2e4", "4e4", "8e4"}}}}},
                .fixed = {{"threshold", "0.7"}},
                .is_usual = true};
  const auto tuning =
      tune(data, method_named("br"), {.search = search, .metric = {.measure = Measure::micro_f1}});
  EXPECT_THAT(tuning.trials, SizeIs(6));
  EXPECT_EQ(tuning.trials.back().mean, 0);
  EXPECT_GT(tuning.best_trial().mean, 0);
}

TEST(TuningStages, APathThatIsGivenIsTriedToItsEnd) {
  auto options = usual();
  for (auto& stage : options.search.stages) stage.alternatives.clear();
  options.search.is_usual = false;
  const auto tuning = tune(sparse_data(), method_named("mgd"), options);
  const auto first = std::ranges::count_if(
      tuning.trials, [](const Trial& trial) { return !is_second(trial) && trial.parts == 3; });
  EXPECT_EQ(first, 9);
}

TEST(TuningStages, RepresentationsThatDoNotSuitAreNotTried) {
  const auto dense = testing::random_problem({.rows = 60, .features = 5, .labels = 3}, 3);
  const auto tuning =
      tune(dense, method_named("br"), {.search = search_of(method_named("br").traits(), {})});
  EXPECT_THAT(representations(tuning.trials, false), (std::set<std::string>{"zscore", "gaussian"}));
  EXPECT_THAT(representations(tune(sparse_data(), method_named("br"),
                                   {.search = search_of(method_named("br").traits(), {})})
                                  .trials,
                              false),
              (std::set<std::string>{"zscore", "unit", "tfidf"}));
  EXPECT_THAT(representations(tune(testing::text_problem(60, 3), method_named("br"),
                                   {.search = search_of(method_named("br").traits(), {})})
                                  .trials,
                              false),
              (std::set<std::string>{"zscore", "none"}));
}

TEST(TuningStages, WeightsOfTextsAreTriedBesideOtherFeaturesAlone) {
  const auto weights = [](const Dataset& data, const OptionValues& given) {
    const auto search = search_of(method_named("br").traits(), given);
    std::set<std::string> found;
    for (const Trial& trial : tune(data, method_named("br"), {.search = search}).trials) {
      const auto weight = trial.values.find("text-weight");
      found.insert(weight == trial.values.end() ? "usual" : weight->second);
    }
    return found;
  };
  const auto mixed = testing::text_problem(60, 3);
  EXPECT_EQ(weights(mixed, {}), (std::set<std::string>{"0.2", "1", "5", "usual"}));
  EXPECT_EQ(weights(mixed, {{"text-weight", "2"}}), std::set<std::string>{"2"});
  EXPECT_EQ(weights(sparse_data(), {}), std::set<std::string>{"usual"});
  Dataset texts = sparse_data();
  texts.term_blocks = {{.first = 0, .count = texts.features()}};
  EXPECT_EQ(weights(texts, {}), std::set<std::string>{"usual"});
}

TEST(TuningStages, ThreadsDoNotChangeTheTrials) {
  const auto data = sparse_data();
  auto options = small(true);
  const auto one = tune(data, method_named("mgd"), options);
  options.threads = {3};
  const auto three = tune(data, method_named("mgd"), options);
  ASSERT_EQ(one.trials.size(), three.trials.size());
  EXPECT_EQ(one.best, three.best);
  for (std::size_t k = 0; k < one.trials.size(); ++k) {
    EXPECT_EQ(one.trials[k].values, three.trials[k].values);
    EXPECT_EQ(one.trials[k].scores, three.trials[k].scores);
  }
}

/// Records shares, which must never decrease, and is out of time from a given share on.
class Clock final : public Progress {
 public:
  explicit Clock(double end) : end_(end) {}
  bool update(double share) override {
    EXPECT_GE(share, share_);
    share_ = share;
    return true;
  }
  bool is_over() const { return share_ >= end_; }
  double share() const { return share_; }

 private:
  double end_, share_ = 0;
};

Tuning tune_until(double share, TuneOptions options) {
  Clock clock(share);
  options.is_out_of_time = [&] { return clock.is_over(); };
  return tune(sparse_data(), method_named("mgd"), options, &clock);
}

TEST(TuningStages, ProgressReachesTheEndAlsoIfSettingsAreDropped) {
  for (const bool is_usual : {false, true}) {
    Clock clock(2);
    tune(sparse_data(), method_named("mgd"), small(is_usual), &clock);
    EXPECT_NEAR(clock.share(), 1, 1e-12);
  }
}

TEST(TuningStages, OutOfTimeBeforeTheFirstTrialTheFixedOptionsAreLeft) {
  auto options = small(false);
  options.search.fixed = {{"tolerance", "0.01"}};
  const auto tuning = tune_until(0, options);
  EXPECT_FALSE(tuning.is_complete);
  EXPECT_EQ(tuning.parts, 0);
  ASSERT_THAT(tuning.trials, SizeIs(1));
  EXPECT_EQ(tuning.best_trial().values, options.search.fixed);
  EXPECT_NO_THROW(
      fit_as_tried(sparse_data(), method_named("mgd"), tuning.best_trial(), {.threads = {1}}));
}

TEST(TuningStages, OutOfTimeInTheFirstStageTheFinishedPartsDecide) {
  // The first stage is two thirds of the settings, each of its three parts two ninths.
  const auto whole = tune(sparse_data(), method_named("mgd"), small(false));
  const auto tuning = tune_until(0.3, small(false));
  EXPECT_FALSE(tuning.is_complete);
  EXPECT_EQ(tuning.parts, 1);
  ASSERT_THAT(tuning.trials, SizeIs(4));
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(tuning.trials[k].values, whole.trials[k].values);
    EXPECT_EQ(tuning.trials[k].mean, whole.trials[k].scores.front());
  }
}

TEST(TuningStages, OutOfTimeOnTheFirstPartTheSettingsTriedCompete) {
  const auto tuning = tune_until(0.1, small(false));
  EXPECT_EQ(tuning.parts, 1);
  EXPECT_GE(tuning.trials.size(), 1);
  EXPECT_LT(tuning.trials.size(), 4);
}

TEST(TuningStages, OutOfTimeInTheSecondStageTheFirstDecides) {
  const auto whole = tune(sparse_data(), method_named("mgd"), small(false));
  const auto tuning = tune_until(0.8, small(false));
  EXPECT_FALSE(tuning.is_complete);
  EXPECT_EQ(tuning.parts, 3);
  EXPECT_FALSE(is_second(tuning.best_trial()));
  EXPECT_TRUE(std::ranges::any_of(tuning.trials, is_second));
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(tuning.trials[k].mean, whole.trials[k].mean);
}

TEST(TuningStages, AnInterruptionIsStillAnInterruption) {
  class Stops final : public Progress {
   public:
    bool update(double share) override { return share < 0.5; }
  } stops;
  auto options = small(false);
  options.is_out_of_time = [] { return false; };
  EXPECT_THROW(tune(sparse_data(), method_named("mgd"), options, &stops), InterruptedError);
}

/// Peers that are called one after the other, each with what the others had to say.
TEST(TuningStages, PeersTogetherFindWhatOneFindsAlone) {
  const auto data = sparse_data();
  const auto alone = tune(data, method_named("mgd"), small(true));
  // Exchanges are replayed from the trials of a run alone, which all peers must reproduce.
  for (const std::size_t number : {0U, 1U}) {
    std::size_t exchanges = 0, own = 0;
    TuningPeers peers{.number = number, .count = 2};
    peers.exchange = [&](std::vector<Trial>& trials, const std::vector<char>& tried) {
      ++exchanges;
      for (std::size_t k = 0; k < trials.size(); ++k) {
        const auto known = std::ranges::find(alone.trials, trials[k].values, &Trial::values);
        ASSERT_NE(known, alone.trials.end());
        const bool is_first_part = exchanges % 2 == 1;
        Trial expected = *known;
        if (is_first_part) {
          expected.scores.resize(1);
          expected.mean = expected.scores.front();
          expected.parts = 1;
        }
        if (tried[k]) {
          ++own;
          EXPECT_EQ(trials[k].scores, expected.scores);
          EXPECT_EQ(trials[k].parts, expected.parts);
        } else {
          EXPECT_EQ(trials[k].parts, 0);
          trials[k] = expected;
        }
      }
    };
    auto options = small(true);
    options.peers = &peers;
    const auto tuning = tune(data, method_named("mgd"), options);
    EXPECT_EQ(exchanges, 4);  // after the first part and at the end of both stages
    EXPECT_GT(own, 0);
    EXPECT_EQ(tuning.best_trial().values, alone.best_trial().values);
  }
}

}  // namespace
}  // namespace mugrad
