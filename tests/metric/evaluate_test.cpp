// SPDX-License-Identifier: MIT
#include "support/label_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/metric/evaluate.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using testing::binary_rows;
using testing::dense_rows;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class Call>
std::string usage_error(Call call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

std::vector<std::string> names(const Evaluation& result) {
  std::vector<std::string> list;
  for (const MetricValue& metric : result.metrics) list.push_back(metric.metric.name());
  return list;
}

TEST(Evaluate, ListsTheMetricsInOrderAndLeavesOutKAboveTheLabels) {
  const auto result = evaluate(dense_rows({{.9, .1, .2}}), binary_rows({{1, 0, 0}}));
  EXPECT_THAT(
      names(result),
      ::testing::ElementsAre("average-precision", "coverage", "ranking-loss", "one-error",
                             "macro-f1", "micro-f1", "example-f1", "hamming-loss",
                             "subset-accuracy", "precision@1", "precision@3", "ndcg@1", "ndcg@3"));
}

TEST(Evaluate, HasInOrderEveryMeasureThatScoresAndOptionsPermit) {
  for (const bool are_probabilities : {false, true}) {
    for (const Index kept : {0, 2}) {
      const auto result =
          evaluate(dense_rows({{.9, .1}}), binary_rows({{1, 0}}),
                   {.at = {2}, .are_probabilities = are_probabilities, .most_kept_scores = kept});
      std::vector<Measure> expected, found;
      for (const MeasureInfo& info : measures()) {
        if (info.needs_probabilities && !are_probabilities) continue;
        if (!info.needs_all_scores || kept > 0) expected.push_back(info.measure);
      }
      for (const MetricValue& value : result.metrics) found.push_back(value.metric.measure);
      EXPECT_EQ(found, expected) << are_probabilities << ' ' << kept;
      if (are_probabilities && kept > 0) {
        EXPECT_EQ(found.size(), measures().size());
      }
    }
  }
}

TEST(Evaluate, PredictsAtTheThresholdItself) {
  const auto result =
      evaluate(dense_rows({{.5, .49999, .7}}), binary_rows({{1, 0, 1}}), {.threshold = 0.5});
  EXPECT_EQ(result["subset-accuracy"], 1);
  EXPECT_EQ(result.thresholds, std::vector<double>{0.5});
}

TEST(Evaluate, UsesEachLabelsOwnThreshold) {
  const auto result = evaluate(dense_rows({{.2, .2}}), binary_rows({{1, 0}}),
                               {.threshold = 0.5, .thresholds = {0.1, 0.3}});
  EXPECT_EQ(result["hamming-loss"], 0);
  EXPECT_EQ(result.thresholds, (std::vector<double>{0.1, 0.3}));
}

TEST(Evaluate, DescribesTheDataAndEachLabel) {
  const auto result = evaluate(dense_rows({{.9, .9, .1}, {.9, .1, .1}, {.1, .9, .1}, {.9, .9, .9}}),
                               binary_rows({{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(result.rows, 4);
  EXPECT_EQ(result.labels, 3);
  EXPECT_EQ(result.rows_without_labels, 1);
  EXPECT_EQ(result.rows_with_all_labels, 0);
  EXPECT_EQ(result.labels_without_positives, 1);
  EXPECT_EQ(result.per_label[0].positives, 2);
  EXPECT_EQ(result.per_label[0].predicted, 3);
  EXPECT_DOUBLE_EQ(result.per_label[0].precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(result.per_label[0].recall, 1);
  EXPECT_DOUBLE_EQ(result.per_label[0].f1, 0.8);
}

TEST(Evaluate, IsNotANumberWhereEveryRowWasSkipped) {
  const auto result = evaluate(dense_rows({{.9, .1}, {.9, .1}}), binary_rows({{0, 0}, {1, 1}}),
                               {.convention = Convention::lamda});
  EXPECT_TRUE(std::isnan(result["average-precision"]));
  EXPECT_TRUE(std::isnan(result["ranking-loss"]));
  EXPECT_TRUE(std::isnan(result["one-error"]));
  EXPECT_FALSE(std::isnan(result["coverage"]));
}

TEST(Evaluate, IsNotANumberWithoutRows) {
  const EvaluateOptions all{.are_probabilities = true, .most_kept_scores = kAllScores};
  for (const auto& metric : Evaluator(3, all).finish().metrics) {
    EXPECT_TRUE(std::isnan(metric.value)) << metric.metric.name();
    EXPECT_EQ(metric.skipped, 0);
  }
}

TEST(Evaluate, KnowsInfiniteScores) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto result = evaluate(dense_rows({{infinity, -infinity, 0}}), binary_rows({{1, 0, 0}}));
  EXPECT_EQ(result["average-precision"], 1);
  EXPECT_EQ(result["subset-accuracy"], 1);
}

TEST(Evaluator, RowByRowEqualsAllAtOnce) {
  RandomStream random(4, "test");
  Matrix<double> scores(50, 7);
  for (double& score : scores.values()) score = static_cast<double>(random.below(5)) / 4;
  BinaryMatrix truth;
  truth.cols = 7;
  for (Index row = 0; row < 50; ++row) {
    for (LabelId label = 0; label < 7; ++label) {
      if (random.below(4) == 0) truth.column.push_back(label);
    }
    truth.end_row();
  }
  for (const auto convention : {Convention::sklearn, Convention::mulan, Convention::lamda}) {
    const EvaluateOptions options{
        .convention = convention, .are_probabilities = true, .most_kept_scores = kAllScores};
    Evaluator started(7, options);
    for (Index row = 0; row < 20; ++row) started.add(scores.row(row), truth.row(row));
    Evaluator moved = std::move(started);
    for (Index row = 20; row < 50; ++row) moved.add(scores.row(row), truth.row(row));
    const auto streamed = moved.finish();
    const auto whole = evaluate(scores, truth, options);
    ASSERT_EQ(streamed.metrics.size(), whole.metrics.size());
    for (std::size_t i = 0; i < whole.metrics.size(); ++i) {
      EXPECT_EQ(streamed.metrics[i].value, whole.metrics[i].value)
          << whole.metrics[i].metric.name();
    }
  }
}

TEST(Evaluate, RefusesShapesThatDiffer) {
  const auto truth = binary_rows({{1, 0, 0}, {0, 1, 0}});
  EXPECT_EQ(usage_error([&] { evaluate(Matrix<double>(3, 3), truth); }),
            "the scores have 3 rows, the truth has 2");
  EXPECT_EQ(usage_error([&] { evaluate(Matrix<double>(2, 4), truth); }),
            "the scores have 4 labels, the truth has 3");
  EXPECT_EQ(usage_error([&] { Evaluator(3).add(std::vector<double>(2), {}); }),
            "row 0 has 2 scores for 3 labels");
}

TEST(Evaluate, RefusesWhatIsNotANumber) {
  EXPECT_EQ(usage_error([] {
              evaluate(dense_rows({{.1, kNan}}), binary_rows({{1, 0}}));
            }),
            "row 0: the score of label 1 is not a number");
  EXPECT_EQ(usage_error([] { Evaluator(2, {.threshold = kNan}); }),
            "the threshold is not a number");
  EXPECT_EQ(usage_error([] {
              Evaluator(2, {.thresholds = {0.5, kNan}});
            }),
            "the threshold of label 1 is not a number");
}

TEST(Evaluate, RefusesOptionsOutOfRange) {
  EXPECT_EQ(usage_error([] {
              Evaluator(5, {.thresholds = {1, 2, 3}});
            }),
            "there are 3 thresholds for 5 labels");
  EXPECT_EQ(usage_error([] { Evaluator(5, {.at = {0}}); }),
            "the k of precision@k must be >= 1, got 0");
  EXPECT_EQ(usage_error([] { Evaluator(0); }), "there must be at least 1 label to evaluate, got 0");
}

TEST(Evaluator, RefusesTrueLabelsThatDoNotAscendOrDoNotExist) {
  const std::vector<double> scores(3, 0.5);
  EXPECT_THROW(Evaluator(3).add(scores, std::vector<LabelId>{2, 1}), UsageError);
  EXPECT_THROW(Evaluator(3).add(scores, std::vector<LabelId>{1, 1}), UsageError);
  EXPECT_THROW(Evaluator(3).add(scores, std::vector<LabelId>{3}), UsageError);
  EXPECT_THROW(Evaluator(3).add(scores, std::vector<LabelId>{-1}), UsageError);
}

TEST(Evaluation, RefusesAMetricItDoesNotHave) {
  const auto result = evaluate(dense_rows({{.9}}), binary_rows({{1}}));
  EXPECT_THAT(usage_error([&] { return result["accuracy"]; }),
              ::testing::StartsWith("there is no metric 'accuracy' in this evaluation; there are "
                                    "average-precision, coverage"));
  EXPECT_THAT(usage_error([&] { return result["log-loss"]; }),
              ::testing::EndsWith("; it requires scores that are probabilities"));
  EXPECT_THAT(usage_error([&] { return result[metric_named("macro-auc (mulan)")]; }),
              ::testing::EndsWith("; it requires that scores are kept"));
}

TEST(Metrics, HaveOneTextEach) {
  for (const auto* text :
       {"average-precision", "macro-f1", "micro-f1", "subset-accuracy", "coverage", "ranking-loss",
        "one-error", "hamming-loss", "precision@3", "ndcg@10", "macro-f1 (mulan)",
        "precision@5 (lamda)", "example-f1", "micro-auc", "macro-auc", "log-loss", "brier-score",
        "calibration-error (mulan)"}) {
    EXPECT_EQ(to_string(metric_named(text)), text);
  }
  const Metric mulan{.measure = Measure::macro_f1, .convention = Convention::mulan};
  EXPECT_EQ(metric_named("macro-f1 (mulan)"), mulan);
  EXPECT_EQ(mulan.name(), "macro-f1");
  EXPECT_NE(metric_named("macro-f1"), mulan);
  EXPECT_EQ(metric_named("macro-f1 (sklearn)"), metric_named("macro-f1"));
}

TEST(Evaluation, HasMetricsUnderItsConventionAlone) {
  const auto result =
      evaluate(dense_rows({{.1}}), binary_rows({{0}}), {.convention = Convention::mulan});
  EXPECT_EQ(result[metric_named("macro-f1 (mulan)")], result["macro-f1"]);
  EXPECT_THAT(usage_error([&] { return result[metric_named("macro-f1")]; }),
              ::testing::StartsWith("there is no metric 'macro-f1' in this evaluation"));
}

TEST(LargerIsBetter, ExceptForCoverageLossesAndErrors) {
  for (const auto* name : {"average-precision", "macro-f1", "micro-f1", "example-f1",
                           "subset-accuracy", "precision@3", "ndcg@10", "micro-auc", "macro-auc"}) {
    EXPECT_TRUE(larger_is_better(metric_named(name))) << name;
  }
  for (const auto* name : {"coverage", "ranking-loss", "one-error", "hamming-loss", "log-loss",
                           "brier-score", "calibration-error"}) {
    EXPECT_FALSE(larger_is_better(metric_named(name))) << name;
  }
}

TEST(Metrics, OfUnknownNamesAreRefused) {
  for (const auto* name :
       {"accuracy", "", "precision@", "ndcg@0", "ndcg@x", "ndcg@-1", "ndcg@99999999999999999999",
        "Coverage", "coverage ", "coverage (mulan", "coverage@3"}) {
    EXPECT_THAT(usage_error([&] { metric_named(name); }),
                ::testing::HasSubstr(fmt::format("there is no metric '{}'", name)));
  }
  EXPECT_THAT(usage_error([&] { metric_named("coverage (weka)"); }),
              ::testing::HasSubstr("there is no convention 'weka'"));
}

}  // namespace
}  // namespace mugrad
