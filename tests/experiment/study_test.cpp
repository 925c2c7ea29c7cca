// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/study.h>
#include <mugrad/metric/evaluate.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

Split small_split() {
  return random_split(testing::random_problem({.rows = 90, .features = 5, .labels = 4}, 31));
}

TEST(ConvergenceStudy, IsTheIterationOfFitSeenOnItsWay) {
  const Split split = small_split();
  ConvergenceOptions options{.iterations = 60};
  const auto study = study_convergence(split, options);
  ASSERT_EQ(study.curves.size(), 2);
  for (const auto& curve : study.curves) {
    ASSERT_EQ(curve.iterations.front(), 0);
    ASSERT_EQ(curve.iterations.back(), 60);
    ASSERT_EQ(curve.total_loss.size(), curve.iterations.size());
    MgdOptions mgd = options.mgd;
    if (&curve == &study.curves[1]) mgd.sigma = 0;
    mgd.precision = Precision::double_precision;
    for (const std::size_t k : {std::size_t{5}, curve.iterations.size() - 1}) {
      mgd.max_iterations = curve.iterations[k];
      const Model model = fit(split.train, mgd);
      EXPECT_NEAR(model.contents().report.solve->minimised, curve.total_loss[k], 1e-9);
      EXPECT_NEAR(evaluate(model.scores(split.test.x), split.test.y)["average-precision"],
                  curve.metric[k], 1e-12);
    }
  }
}

TEST(ConvergenceStudy, MeasuresUnderTheConventionOfItsMetric) {
  Split split = small_split();
  split.train.y.cols += 1;  // a label that never occurs: Mulan alone counts it as perfect
  split.test.y.cols += 1;
  const auto last = [&](std::string_view metric) {
    const auto study = study_convergence(split, {.iterations = 3, .metric = metric_named(metric)});
    EXPECT_EQ(study.metric, metric_named(metric));
    return study.curves[0].metric.back();
  };
  const auto labels = static_cast<double>(split.test.labels());
  EXPECT_NEAR(last("macro-f1 (mulan)"), last("macro-f1") + 1 / labels, 1e-12);
}

TEST(ConvergenceStudy, StartsWhereItIsToldTo) {
  const Split split = small_split();
  ConvergenceOptions options{.iterations = 1};
  options.mgd.start = Start::random;
  options.start_deviation = 3;
  const auto far = study_convergence(split, options);
  options.start_deviation = 0;
  const auto zero = study_convergence(split, options);
  // Both methods start at the same place, and that of zero weights is log 2 per label.
  EXPECT_EQ(far.curves[0].total_loss[0], far.curves[1].total_loss[0]);
  EXPECT_NEAR(zero.curves[0].total_loss[0], 4 * std::log(2.0), 1e-12);
  EXPECT_GT(far.curves[0].total_loss[0], zero.curves[0].total_loss[0]);
  options.iterations = 0;
  EXPECT_THROW(study_convergence(split, options), UsageError);
}

SplitSource in(const std::vector<SplitRows>& splits) {
  return [&splits](Index k) { return splits[static_cast<std::size_t>(k)]; };
}

TEST(SensitivityStudy, HasForEveryPairTheMeanOverTheSplits) {
  const auto data = testing::random_problem({.rows = 90, .features = 5, .labels = 4}, 32);
  const std::vector<SplitRows> splits = {random_split_rows(data.rows(), {.seed = 1}),
                                         random_split_rows(data.rows(), {.seed = 2})};
  const SensitivityOptions options{
      .mgd = {.tolerance = 1e-6}, .rhos = {1, 0.1}, .sigmas = {0.3, 0}};
  const auto study = study_sensitivity(data, std::ssize(splits), in(splits), options);
  EXPECT_EQ(study.rhos, (std::vector{0.1, 1.0}));
  EXPECT_EQ(study.sigmas, (std::vector{0.0, 0.3}));
  for (Index r = 0; r < 2; ++r) {
    for (Index s = 0; s < 2; ++s) {
      double mean = 0;
      for (const auto& rows : splits) {
        const Split split = take(data, rows);
        const Model model =
            fit(split.train, MgdOptions{.rho = study.rhos[static_cast<std::size_t>(r)],
                                        .sigma = study.sigmas[static_cast<std::size_t>(s)],
                                        .tolerance = 1e-6});
        mean += evaluate(model.scores(split.test.x), split.test.y)["average-precision"] / 2;
      }
      EXPECT_NEAR(study.values(r, s), mean, 2e-3);
    }
  }
}

TEST(SensitivityStudy, OfThePlainIterationDoesNotDependOnTheRestOfTheGrid) {
  const auto data = testing::random_problem({.rows = 90, .features = 5, .labels = 4}, 33);
  const std::vector<SplitRows> splits = {random_split_rows(data.rows())};
  SensitivityOptions options{.mgd = with_paper_preset(), .rhos = {0.1}, .sigmas = {0.1}};
  options.mgd.max_iterations = 5;
  const double alone =
      study_sensitivity(data, std::ssize(splits), in(splits), options).values(0, 0);
  options.rhos = {0.1, 1, 2};
  options.sigmas = {0, 0.1};
  EXPECT_EQ(study_sensitivity(data, std::ssize(splits), in(splits), options).values(0, 1), alone);
}

}  // namespace
}  // namespace mugrad
