// SPDX-License-Identifier: MIT
#include "support/golden.h"

#include "support/label_rows.h"

#include <mugrad/metric/evaluate.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mugrad {
namespace {

Evaluation evaluated(const nlohmann::json& given, const EvaluateOptions& options) {
  return evaluate(testing::dense_rows(given.at("S")), testing::binary_rows(given.at("Y")), options);
}

/// Recorded values are of other shapes in two places: scikit-learn's coverage error counts from
/// one (0 for rows without labels), and mulan's was recorded before the division by T.
double as_recorded(const Evaluation& result, const std::string& name) {
  const auto labels = static_cast<double>(result.labels);
  if (name == "coverage-unnormalised") return result["coverage"] * labels;
  if (name != "coverage-error") return result[name];
  const auto rows = static_cast<double>(result.rows);
  return result["coverage"] * labels +
         (rows - static_cast<double>(result.rows_without_labels)) / rows;
}

TEST(GoldenMetrics, AgreeWithTheRecordedValues) {
  const auto file = testing::golden("metrics.json");
  int compared = 0;
  for (const auto& given : file.at("cases")) {
    for (const auto convention : {Convention::sklearn, Convention::mulan, Convention::lamda}) {
      const auto result =
          evaluated(given, {.threshold = given.at("threshold"), .convention = convention});
      for (const auto& [name, value] : given.at(std::string(to_string(convention))).items()) {
        EXPECT_NEAR(as_recorded(result, name), value.get<double>(), 1e-12)
            << to_string(convention) << ' ' << name;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 80);
}

TEST(GoldenMetrics, NdcgAgreesWithScikitLearnAlsoForTies) {
  const auto file = testing::golden("metrics_at_k.json");
  int compared = 0;
  for (const auto& given : file.at("cases")) {
    for (const auto& [k, value] : given.at("ndcg").items()) {
      EXPECT_NEAR(evaluated(given, {.at = {std::stol(k)}})["ndcg@" + k], value.get<double>(),
                  1e-12);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 27);
}

}  // namespace
}  // namespace mugrad
