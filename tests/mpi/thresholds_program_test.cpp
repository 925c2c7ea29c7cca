// SPDX-License-Identifier: MIT
// Thresholds that ranks choose by inner folds are those of one process.
#include "mpi/ranks_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

class ThresholdsOnRanks : public Ranks {
 protected:
  void make_usual_data() const {
    make_data("data.xmc", {"--rows", "400", "--features", "12", "--labels", "9", "--density", "0.6",
                           "--cardinality", "2"});
  }
  std::vector<double> thresholds_of(const std::string& model) const {
    return Model::load(folder_ / model).contents().thresholds;
  }
  static std::vector<std::string> tight(std::vector<std::string> options) {
    options.insert(options.end(), kTight.begin(), kTight.end());
    return options;
  }
  /// The same thresholds as in one process with labels shared and with rows shared, and the same
  /// bytes with labels shared.
  void expect_same_thresholds(const std::vector<std::string>& options,
                              const std::string& data = "data.xmc") const {
    const auto chosen = tight(options);
    trained(data, "alone", 0, chosen);
    trained(data, "on-1", 1, chosen);
    trained(data, "on-3", 3, chosen);
    auto sharded = chosen;
    sharded.insert(sharded.end(), {"--row-shards", "2"});
    trained(data, "rows", 4, sharded);
    for (const char* const model : {"on-1", "on-3", "rows"}) {
      EXPECT_EQ(thresholds_of(model), thresholds_of("alone")) << model << " " << options.front();
    }
    EXPECT_TRUE(bytes("on-1") == bytes("on-3"));
  }
};

TEST_F(ThresholdsOnRanks, AreThoseOfOneProcessByEveryRule) {
  make_usual_data();
  expect_same_thresholds({"--thresholds", "one"});
  EXPECT_NE(thresholds_of("alone").front(), 0.5) << "the data should not suit the usual threshold";
  expect_same_thresholds({"--thresholds", "per-label", "--threshold-metric", "macro-f1"});
  const auto of_labels = thresholds_of("alone");
  EXPECT_NE(of_labels, std::vector<double>(of_labels.size(), of_labels.front()));
  expect_same_thresholds({"--thresholds", "cardinality"});
  expect_same_thresholds({"--at-precision", "0.8"});
  expect_same_thresholds({"--at-recall", "0.7", "--thresholds", "per-label"});
}

TEST_F(ThresholdsOnRanks, ReferToScoresThatAreCalibratedAsInOneProcess) {
  make_usual_data();
  expect_same_thresholds({"--thresholds", "one", "--rho", "1"});
  const auto expected = Model::load(folder_ / "alone").contents().calibration;
  ASSERT_FALSE(expected.is_empty());
  for (const char* const name : {"on-1", "on-3", "rows"}) {
    const auto found = Model::load(folder_ / name).contents().calibration;
    ASSERT_EQ(found.slope.size(), expected.slope.size());
    for (std::size_t t = 0; t < found.slope.size(); ++t) {
      // A score at the border of a bin may count in the next one.
      EXPECT_NEAR(found.slope[t], expected.slope[t], 1e-2) << name;
      EXPECT_NEAR(found.shift[t], expected.shift[t], 1e-2) << name;
    }
  }
}

TEST_F(ThresholdsOnRanks, AreThoseOfOneProcessForAnyInnerParts) {
  make_usual_data();
  expect_same_thresholds({"--thresholds", "per-label", "--inner-folds", "4", "--tune-seed", "7"});
  expect_same_thresholds({"--thresholds", "per-label", "--inner-stratified"});
  expect_same_thresholds({"--thresholds", "per-label", "--holdout", "0.3"});
}

TEST_F(ThresholdsOnRanks, AreThoseOfOneProcessWhereTwoOfThreeFoldsAreEnough) {
  make_data("data.xmc", {"--rows", "7500", "--features", "6", "--labels", "4", "--density", "0.6",
                         "--cardinality", "1"});
  expect_same_thresholds({"--thresholds", "one"});
}

TEST_F(ThresholdsOnRanks, CountLabelsThatAreConstantInAFold) {
  // Some labels have a single positive, so that a fold has none; scores of squared loss are not
  // limited.
  make_data("data.xmc", {"--rows", "120", "--features", "6", "--labels", "60", "--density", "0.6",
                         "--cardinality", "2"});
  expect_same_thresholds({"--thresholds", "per-label", "--loss", "squared"});
}

TEST_F(ThresholdsOnRanks, DoNotCountUnknownLabels) {
  make_data("data.arff", {"--rows", "300", "--features", "6", "--labels", "5"});
  // The last label of every third line.
  std::string text = bytes("data.arff");
  const auto begin = text.find("@data");
  ASSERT_NE(begin, std::string::npos);
  int line = 0;
  for (auto end = text.find('\n', begin); (end = text.find('\n', end + 1)) != std::string::npos;) {
    if (++line % 3 == 0) text[end - 1] = '?';
  }
  folder_.write("data.arff", text);
  expect_same_thresholds({"--thresholds", "per-label"}, "data.arff");
}

TEST_F(ThresholdsOnRanks, AreTheSameWhereNoToleranceIsGiven) {
  make_usual_data();
  trained("data.xmc", "on-1", 1);
  trained("data.xmc", "on-4", 4);
  EXPECT_TRUE(bytes("on-1") == bytes("on-4"));
  EXPECT_NE(thresholds_of("on-1").front(), 0.5);
}

TEST_F(ThresholdsOnRanks, AreKeptWhereOneProcessKeepsThem) {
  make_usual_data();
  trained("data.xmc", "model", 2, {"--thresholds", "keep"});
  EXPECT_THAT(thresholds_of("model"), Each(0.5));
  trained("data.xmc", "model", 2, {"--threshold", "0.3"});
  EXPECT_THAT(thresholds_of("model"), Each(0.3));
  make_data("few.xmc", {"--rows", "15", "--features", "4", "--labels", "3", "--density", "0.9",
                        "--cardinality", "1"});
  trained("few.xmc", "model", 2);
  EXPECT_THAT(thresholds_of("model"), Each(0.5));
  const auto refused = run({"train", "data.xmc", "--threshold", "0.3", "--thresholds", "one"}, 2);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--threshold excludes --thresholds"));
}

TEST_F(ThresholdsOnRanks, AreToldOnce) {
  make_usual_data();
  const auto result = run({"train", "data.xmc", "-o", "model"}, 2);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto first = result.err.find("threshold: 0.");
  EXPECT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("threshold: 0.", first + 1), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mugrad::testing
