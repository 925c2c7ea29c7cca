// SPDX-License-Identifier: MIT
#include "support/command_test.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using MethodCommands = CommandTest;

TEST_F(MethodCommands, EveryMethodTrainsAndItsModelPredictsAndEvaluates) {
  make_data();
  out_of({"split", "data.arff", "-o", "parts"});
  for (const auto& method : json_of({"methods"})) {
    const std::string name = method["name"];
    out_of({"train", "parts/train.arff", "-o", "model", "--method", name});
    EXPECT_EQ(json_of({"info", "model"})["report"]["method"], name);
    EXPECT_THAT(out_of({"info", "model"}), HasSubstr("Training\n  " + name));
    const auto quality = json_of({"evaluate", "model", "parts/test.arff"});
    EXPECT_GT(quality["metrics"]["average-precision"].get<double>(), 0.3) << name;
    out_of({"predict", "model", "parts/test.arff", "--top-k", "2", "-o", "predictions.csv"});
  }
}

TEST_F(MethodCommands, MethodsSaysWhichOptionsEachHasWithTheirDefaults) {
  const auto text = out_of({"methods", "ecc"});
  EXPECT_THAT(text, StartsWith("ecc: ensemble of classifier chains"));
  EXPECT_THAT(text, HasSubstr("--members [30]"));
  EXPECT_THAT(text, HasSubstr("--vote [probability]"));
  const auto unknown = run({"methods", "magic"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no method 'magic': choose one of mgd, br"));
}

TEST_F(MethodCommands, OptionsOfAnotherMethodAreRefusedBeforeAnythingIsTrained) {
  make_data();
  const auto result =
      run({"train", "data.arff", "-o", "model", "--method", "br", "--members", "3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--members is not an option of br, but of ecc"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "model"));
  const auto range =
      run({"train", "data.arff", "-o", "model", "--method", "ecc", "--members", "0"});
  EXPECT_EQ(range.exit_code, 2);
  EXPECT_THAT(range.err, HasSubstr("members must be >= 1, got 0"));
}

}  // namespace
}  // namespace mugrad::testing
