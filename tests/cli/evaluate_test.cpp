// SPDX-License-Identifier: MIT
// Which metrics `mugrad evaluate` prints.
#include "support/command_test.h"

#include <mugrad/metric/metric.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;

class EvaluateCommand : public CommandTest {};

TEST_F(EvaluateCommand, OmitsMetricsOfProbabilitiesIfScoresAreNone) {
  make_data();
  out_of({"train", "data.arff", "--method", "camel", "-o", "model", "--no-calibrate"});
  const auto metrics = json_of({"evaluate", "model", "data.arff"})["metrics"];
  for (const MeasureInfo& measure : measures()) {
    if (measure.has_k) continue;
    EXPECT_EQ(metrics.contains(measure.name), !measure.needs_probabilities) << measure.name;
  }
}

TEST_F(EvaluateCommand, SaysWhichMetricsItOmitsForTooManyScores) {
  // 2,000 labels of 10,001 rows: one row more than may be kept.
  folder_.write("train.svm", "0 1:1\n1999 2:1\n0,1999 1:1 2:1\n");
  out_of({"train", "train.svm", "--method", "br", "-o", "model"});
  std::string text;
  for (int row = 0; row < 10'001; ++row) text += row % 2 == 0 ? "0 1:1\n" : "1999 2:1\n";
  folder_.write("data.svm", text);
  const auto result = run({"evaluate", "model", "data.svm", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("micro-auc, macro-auc, calibration-error are omitted: they "
                                    "require all scores in memory, and there are more than "));
  const auto metrics = nlohmann::json::parse(result.out)["metrics"];
  for (const MeasureInfo& measure : measures()) {
    if (measure.has_k) continue;
    EXPECT_EQ(metrics.contains(measure.name), !measure.needs_all_scores) << measure.name;
  }
}

}  // namespace
}  // namespace mugrad::testing
