// SPDX-License-Identifier: MIT
#include "experiment/calibration.h"

#include <mugrad/core/random.h>
#include <mugrad/data/generator.h>
#include <mugrad/data/splits.h>
#include <mugrad/experiment/tune.h>
#include <mugrad/metric/evaluate.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

/// Labels whose probability is logistic(slope z + shift), and whose log-odds score is z.
struct Line {
  double slope, shift;
  Index rows;
};

/// Rows beyond those of a label are unknown to it.
Calibration calibration_of(const std::vector<Line>& lines, std::uint64_t seed = 1) {
  const Index labels = std::ssize(lines);
  CalibrationCounts counts(labels, {});
  RandomStream random(seed, "calibration");
  Index most = 0;
  for (const Line& line : lines) most = std::max(most, line.rows);
  for (Index row = 0; row < most; ++row) {
    std::vector<double> inputs;
    std::vector<LabelId> truth, unknown;
    for (LabelId label = 0; label < labels; ++label) {
      const Line& line = lines[static_cast<std::size_t>(label)];
      const double z = 2 * random.normal();
      inputs.push_back(z);
      const bool is_true = random.uniform() < logistic(line.slope * z + line.shift);
      if (row >= line.rows) {
        unknown.push_back(label);
      } else if (is_true) {
        truth.push_back(label);
      }
    }
    counts.add(inputs, truth, unknown);
  }
  ThreadPool pool(Threads{1});
  return counts.fit(pool);
}

TEST(Calibration, FindsTheLineOfEachLabelThatHasManyRows) {
  const std::vector<Line> lines = {{2, -1, 20'000}, {0.5, 1, 20'000}, {1, 0, 20'000}};
  const auto found = calibration_of(lines);
  ASSERT_EQ(found.slope.size(), 3);
  for (std::size_t t = 0; t < 3; ++t) {
    // Three standard deviations, about, and the width of a bin.
    EXPECT_NEAR(found.slope[t], lines[t].slope, 0.1) << t;
    EXPECT_NEAR(found.shift[t], lines[t].shift, 0.1) << t;
  }
}

TEST(Calibration, LeavesProbabilitiesAloneThatAreRightAlready) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    EXPECT_TRUE(calibration_of({{1, 0, 3000}, {1, 0, 3000}, {1, 0, 300}}, seed).is_empty());
  }
}

TEST(Calibration, OfALabelWithFewRowsIsNearTheOneOfAll) {
  const std::vector<Line> all(8, {2, -1, 5000});
  auto lines = all;
  lines.push_back({-3, 5, 8});
  const auto found = calibration_of(lines);
  ASSERT_EQ(found.slope.size(), 9);
  EXPECT_NEAR(found.slope.back(), 2, 0.15);
  EXPECT_NEAR(found.shift.back(), -1, 0.25);
}

TEST(Calibration, IsNoneWhereHigherScoresDoNotMeanHigherProbabilities) {
  EXPECT_TRUE(calibration_of({{-1, 0, 2000}}).is_empty());
}

TEST(Calibration, IsNoneWithoutBothClasses) {
  CalibrationCounts counts(1, {});
  for (const double score : {0.1, 0.6}) counts.add(std::vector{score}, std::vector<LabelId>{});
  ThreadPool pool(Threads{1});
  EXPECT_TRUE(counts.fit(pool).is_empty());
}

TEST(Calibration, IsRightForScoresThatAreFarTooSure) {
  // Log-odds near 30 and -30, one in twenty of them on the wrong side.
  CalibrationCounts counts(1, {});
  RandomStream random(9, "sure");
  for (int row = 0; row < 20'000; ++row) {
    const double z = (random.uniform() < 0.5 ? -30 : 30) + random.normal();
    const bool is_true = (random.uniform() < 0.05) != (z > 0);
    counts.add(std::vector{z}, is_true ? std::vector<LabelId>{0} : std::vector<LabelId>{});
  }
  ThreadPool pool(Threads{1});
  const auto found = counts.fit(pool);
  ASSERT_EQ(found.slope.size(), 1);
  EXPECT_NEAR(logistic(30 * found.slope[0] + found.shift[0]), 0.95, 0.01);
  EXPECT_NEAR(logistic(-30 * found.slope[0] + found.shift[0]), 0.05, 0.01);
}

TEST(Calibration, OfScoresThatSeparateTheClassesIsNoCertainty) {
  CalibrationCounts counts(1, {});
  for (int row = 0; row < 20; ++row) {
    const bool is_true = row % 2 == 0;
    counts.add(std::vector{is_true ? 1.0 : -1.0},
               is_true ? std::vector<LabelId>{0} : std::vector<LabelId>{});
  }
  ThreadPool pool(Threads{1});
  const auto found = counts.fit(pool);
  ASSERT_EQ(found.slope.size(), 1);
  EXPECT_NEAR(logistic(found.slope[0] + found.shift[0]), 11.0 / 12, 0.01);
}

TEST(Calibration, TurnsScoresThatAreNoProbabilitiesIntoSome) {
  const ScoreRange range{
      .low = -1, .high = 1, .middle = 0, .is_limit = false, .are_probabilities = false};
  CalibrationCounts counts(1, range);
  RandomStream random(7, "scores");
  for (int row = 0; row < 20'000; ++row) {
    const double score = random.normal();
    const bool is_true = random.uniform() < logistic(3 * score + 0.5);
    counts.add(std::vector{score}, is_true ? std::vector<LabelId>{0} : std::vector<LabelId>{});
  }
  ThreadPool pool(Threads{1});
  const auto found = counts.fit(pool);
  ASSERT_EQ(found.slope.size(), 1);
  EXPECT_NEAR(found.slope[0], 3, 0.15);
  EXPECT_NEAR(found.shift[0], 0.5, 0.1);
}

double log_loss(const Model& model, const Dataset& data) {
  return evaluate(model.scores(data.x), data.y,
                  {.thresholds = model.contents().thresholds,
                   .are_probabilities = true})[Metric{.measure = Measure::log_loss}];
}

Dataset learnable(Index rows) {
  return generate({.rows = rows, .features = 12, .labels = 6, .cardinality = 2}).data;
}

TEST(CalibratedTraining, LowersTheLogLossOfNewRowsWhereScoresAreTooNearToBaseRates) {
  const auto data = learnable(600);
  const auto split = random_split(data, {.train = 0.5, .seed = 4});
  const Method& br = method_named("br");
  const OptionValues strong = {{"rho", "1"}};  // weights are far too small
  TuneOptions options{.calibrate = true, .thresholds = ThresholdRule::one};
  const auto model = fit_by_inner_folds(split.train, br, strong, {}, options);
  const auto plain = br.fit(split.train, strong, {}, nullptr);
  ASSERT_FALSE(model.contents().calibration.is_empty());
  EXPECT_EQ(model.contents().weights, plain.contents().weights);
  EXPECT_LT(log_loss(model, split.test), 0.98 * log_loss(plain, split.test));

  options.calibrate = false;
  EXPECT_TRUE(
      fit_by_inner_folds(split.train, br, strong, {}, options).contents().calibration.is_empty());
}

TEST(CalibratedTraining, IsTheSameForAnyNumberOfThreads) {
  const auto data = learnable(300);
  const Method& br = method_named("br");
  const auto trained = [&](int threads) {
    const TuneOptions options{
        .calibrate = true, .thresholds = ThresholdRule::per_label, .threads = Threads{threads}};
    return fit_by_inner_folds(data, br, {{"rho", "1"}}, {}, options).contents();
  };
  EXPECT_EQ(trained(1), trained(3));
}

TEST(CalibratedTraining, WithKeptThresholdsPredictsTheSame) {
  const auto data = learnable(300);
  const Method& br = method_named("br");
  const auto model = fit_by_inner_folds(data, br, {{"rho", "1"}}, {}, {.calibrate = true});
  ASSERT_FALSE(model.contents().calibration.is_empty());
  EXPECT_EQ(model.predict(data.x), br.fit(data, {{"rho", "1"}}, {}, nullptr).predict(data.x));
}

TEST(CalibratedTraining, LeavesScoresOfWeightedExamplesAsTheyAre) {
  auto data = learnable(300);
  data.row_weights.assign(300, 2);
  const Method& br = method_named("br");
  const TuneOptions options{.calibrate = true, .thresholds = ThresholdRule::one};
  const auto model = fit_by_inner_folds(data, br, {{"rho", "1"}}, {}, options);
  EXPECT_TRUE(model.contents().calibration.is_empty());
  EXPECT_NE(model.contents().thresholds.front(), 0.5);
}

TEST(CalibratedTraining, UsesTheModelsOfTheTrialForThoseOfInnerFolds) {
  const auto data = learnable(200);
  const Method& mgd = method_named("mgd");
  for (const std::string kind : {"zscore", "gaussian"}) {
    const OptionValues values = {{"representation", kind}, {"rho", "0.1"}, {"sigma", "0.1"}};
    TuneOptions options{.search = search_of(mgd.traits(), values, false),
                        .calibrate = true,
                        .thresholds = ThresholdRule::per_label};
    const auto tuning = tune(data, mgd, options);
    Trial trial = tuning.best_trial();
    ASSERT_NE(trial.held_out, nullptr) << kind;
    const auto by_trial = fit_as_tried(data, mgd, trial, options).contents();
    // A single setting is trained without a path, so every bit is the same.
    EXPECT_EQ(by_trial, fit_by_inner_folds(data, mgd, values, {}, options).contents()) << kind;
    trial.held_out = nullptr;
    EXPECT_EQ(by_trial, fit_as_tried(data, mgd, trial, options).contents()) << kind;
  }
}

TEST(CalibratedTraining, ByTheModelsOfAPathDecidesAlmostTheSame) {
  const auto data = learnable(600);
  const Method& mgd = method_named("mgd");
  TuneOptions options{
      .search = search_of(mgd.traits(), {}), .calibrate = true, .thresholds = ThresholdRule::one};
  Trial trial = tune(data, mgd, options).best_trial();
  ASSERT_NE(trial.held_out, nullptr);
  const auto by_trial = fit_as_tried(data, mgd, trial, options);
  trial.held_out = nullptr;
  const auto anew = fit_as_tried(data, mgd, trial, options);
  EXPECT_EQ(by_trial.contents().weights, anew.contents().weights);
  // Trials are solved to 1e-3 of the first residual.
  EXPECT_NEAR(by_trial.contents().thresholds.front(), anew.contents().thresholds.front(), 0.02);
  EXPECT_NEAR(log_loss(by_trial, data), log_loss(anew, data), 1e-3 * log_loss(anew, data));
}

TEST(CalibratedTraining, OfTooFewPositivesKeepsTheThresholdsOfTheTrial) {
  const auto data = learnable(4);
  const Trial trial{.thresholds = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, .parts = 3};
  const TuneOptions options{.calibrate = true, .thresholds = ThresholdRule::one};
  ASSERT_FALSE(has_enough_for_inner_folds(data, options.inner));
  const auto model = fit_as_tried(data, method_named("br"), trial, options);
  EXPECT_EQ(model.contents().thresholds, trial.thresholds);
}

}  // namespace
}  // namespace mugrad
