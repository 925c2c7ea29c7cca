// SPDX-License-Identifier: MIT
#include "support/label_rows.h"

#include <mugrad/core/error.h>
#include <mugrad/metric/evaluate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using testing::binary_rows;
using testing::dense_rows;

/// Labels 0 and 2 are relevant, and tied at the top with 1.
Evaluation tied(Convention convention) {
  return evaluate(dense_rows({{.5, .5, .5, .1}}), binary_rows({{1, 0, 1, 0}}),
                  {.convention = convention, .at = {1, 2, 3, 4}});
}

/// A row without labels, one with all, one with the first; scores descend.
Evaluation extreme(Convention convention) {
  return evaluate(dense_rows({{.9, .6, .3}, {.9, .6, .3}, {.9, .6, .3}}),
                  binary_rows({{0, 0, 0}, {1, 1, 1}, {1, 0, 0}}),
                  {.convention = convention, .at = {1}});
}

Index skipped(const Evaluation& result, std::string_view name) {
  for (const MetricValue& metric : result.metrics) {
    if (metric.metric.name() == name) return metric.skipped;
  }
  return -1;
}

TEST(Conventions, SklearnCountsTiesAgainstAndAveragesThemAtK) {
  const auto result = tied(Convention::sklearn);
  EXPECT_DOUBLE_EQ(result["average-precision"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(result["coverage"], 2.0 / 4);
  EXPECT_DOUBLE_EQ(result["ranking-loss"], 0.5);
  EXPECT_DOUBLE_EQ(result["one-error"], 1);
  EXPECT_DOUBLE_EQ(result["precision@1"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(result["precision@2"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(result["precision@4"], 0.5);
}

TEST(Conventions, MulanPutsTheLargerIndexFirst) {
  const auto result = tied(Convention::mulan);
  EXPECT_DOUBLE_EQ(result["average-precision"], 5.0 / 6);
  EXPECT_DOUBLE_EQ(result["coverage"], 2.0 / 4);
  EXPECT_DOUBLE_EQ(result["ranking-loss"], 0.25);
  EXPECT_DOUBLE_EQ(result["one-error"], 0);
  EXPECT_DOUBLE_EQ(result["precision@1"], 1);
  EXPECT_DOUBLE_EQ(result["precision@2"], 0.5);
}

TEST(Conventions, LamdaMixesAllThreeTreatmentsOfTies) {
  const auto result = tied(Convention::lamda);
  EXPECT_DOUBLE_EQ(result["average-precision"], 5.0 / 6);
  EXPECT_DOUBLE_EQ(result["coverage"], 2.0 / 4);
  EXPECT_DOUBLE_EQ(result["ranking-loss"], 0.5);
  EXPECT_DOUBLE_EQ(result["one-error"], 0);
  EXPECT_DOUBLE_EQ(result["precision@1"], 1);
}

TEST(Conventions, LamdaForgivesOneErrorForAnyRelevantLabelTiedAtTheTop) {
  // The larger index is irrelevant: wrong under mulan, right under lamda.
  const auto evaluated = [](Convention convention) {
    return evaluate(dense_rows({{.5, .5}}), binary_rows({{1, 0}}),
                    {.convention = convention})["one-error"];
  };
  EXPECT_EQ(evaluated(Convention::mulan), 1);
  EXPECT_EQ(evaluated(Convention::lamda), 0);
  EXPECT_EQ(evaluated(Convention::sklearn), 1);
}

TEST(Conventions, SklearnCountsEmptyAndFullRowsExceptInOneError) {
  const auto result = extreme(Convention::sklearn);
  EXPECT_DOUBLE_EQ(result["average-precision"], 1);
  EXPECT_DOUBLE_EQ(result["coverage"], (0.0 + 2 + 0) / 3 / 3);
  EXPECT_DOUBLE_EQ(result["ranking-loss"], 0);
  EXPECT_DOUBLE_EQ(result["ndcg@1"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(result["precision@1"], 2.0 / 3);
  EXPECT_EQ(skipped(result, "average-precision"), 0);
  EXPECT_EQ(skipped(result, "one-error"), 1);
}

TEST(Conventions, MulanSkipsEmptyRowsInAveragePrecisionAndCountsThemAsErrors) {
  const auto result = extreme(Convention::mulan);
  EXPECT_DOUBLE_EQ(result["average-precision"], 1);
  EXPECT_DOUBLE_EQ(result["coverage"], 2.0 / 3 / 3);
  EXPECT_DOUBLE_EQ(result["ranking-loss"], 0);
  EXPECT_DOUBLE_EQ(result["one-error"], 1.0 / 3);
  EXPECT_EQ(skipped(result, "average-precision"), 1);
  EXPECT_EQ(skipped(result, "ranking-loss"), 0);
  EXPECT_EQ(skipped(result, "one-error"), 0);
}

TEST(Conventions, LamdaSkipsEmptyAndFullRowsExceptInCoverage) {
  const auto result = extreme(Convention::lamda);
  EXPECT_DOUBLE_EQ(result["average-precision"], 1);
  EXPECT_DOUBLE_EQ(result["coverage"], ((0.0 + 3 + 1) / 3 - 1) / 3);
  for (const auto* name : {"average-precision", "ranking-loss", "one-error"}) {
    EXPECT_EQ(skipped(result, name), 2) << name;
  }
  EXPECT_EQ(skipped(result, "coverage"), 0);
}

TEST(Conventions, LamdaCoverageIsNotNegative) {
  const auto result = evaluate(dense_rows({{.9, .1}, {.9, .1}}), binary_rows({{0, 0}, {1, 0}}),
                               {.convention = Convention::lamda});
  EXPECT_EQ(result["coverage"], 0);
}

TEST(Conventions, LabelNeitherThereNorPredictedHasF1OfOneUnderMulanOnly) {
  for (const auto convention : {Convention::sklearn, Convention::mulan, Convention::lamda}) {
    const auto result = evaluate(dense_rows({{.9, .1, .1}, {.9, .1, .9}}),
                                 binary_rows({{1, 0, 0}, {1, 0, 0}}), {.convention = convention});
    const double nothing = convention == Convention::mulan ? 1 : 0;
    EXPECT_DOUBLE_EQ(result["macro-f1"], (1 + nothing + 0) / 3);
    EXPECT_EQ(result.per_label[1].precision, nothing);
    EXPECT_EQ(result.per_label[1].recall, nothing);
    EXPECT_EQ(result.per_label[2].recall, 0);
    const auto silent =
        evaluate(dense_rows({{.1}}), binary_rows({{0}}), {.convention = convention});
    EXPECT_EQ(silent["micro-f1"], nothing);
  }
}

TEST(Conventions, RowWithoutLabelsAndPredictionsHasF1OfOneUnderMulanOnly) {
  for (const auto convention : {Convention::sklearn, Convention::mulan, Convention::lamda}) {
    const auto result = evaluate(
        dense_rows({{.9, .9, .1}, {.1, .1, .1}, {.1, .9, .1}, {.1, .1, .1}}),
        binary_rows({{1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 1}}), {.convention = convention});
    const double nothing = convention == Convention::mulan ? 1 : 0;
    EXPECT_DOUBLE_EQ(result["example-f1"], (2.0 / 3 + nothing + 0 + 0) / 4);
    EXPECT_EQ(skipped(result, "example-f1"), 0);
  }
}

TEST(Conventions, AreFoundByName) {
  for (const auto convention : {Convention::sklearn, Convention::mulan, Convention::lamda}) {
    EXPECT_EQ(convention_named(to_string(convention)), convention);
  }
  try {
    convention_named("meka");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "there is no convention 'meka': choose one of sklearn, mulan, lamda");
  }
}

}  // namespace
}  // namespace mugrad
