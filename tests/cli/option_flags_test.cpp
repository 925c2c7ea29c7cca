// SPDX-License-Identifier: MIT
#include "cli/option_flags.h"

#include "support/program.h"
#include "support/temporary_folder.h"

#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mugrad::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(OptionFlags, EveryOptionInAMessageIsAFlagOfTheProgram) {
  std::string help;
  for (const char* command : {"train", "fetch", "compare", "report"}) {
    help += run_mugrad({command, "--help"}).out;
  }
  for (const auto& [option, flag] : cli::kOptionFlags) {
    EXPECT_THAT(help, ContainsRegex("[ ,]" + std::string(flag) + "[ \n]"));
  }
}

TEST(OptionFlags, MessagesHaveFlags) {
  const TemporaryFolder folder;
  const auto refusal = [&](std::vector<std::string> arguments) {
    return run_mugrad(arguments, {.folder = folder.path()}).err;
  };
  folder.write("a.csv", "x,when,y\n1,,1\n2,3,0\n");
  EXPECT_THAT(refusal({"train", "a.csv"}), HasSubstr("--label-columns NAMES, --label-count N"));
  EXPECT_THAT(refusal({"train", "a.csv", "--label-count", "-1", "--impute", "refuse"}),
              HasSubstr("--impute median replaces"));
  EXPECT_THAT(refusal({"train", "a.csv", "--label-count", "9"}), HasSubstr("--label-count 9 asks"));
  EXPECT_THAT(refusal({"info", "a.csv", "--drop", "wen"}), HasSubstr("--drop names 'wen'"));
  EXPECT_THAT(refusal({"info", "a.csv", "--label-columns", "y", "--impute", "mean"}),
              HasSubstr("1 label, from --label-columns"));
  EXPECT_THAT(refusal({"train", "a.csv", "--label-count", "-1", "--impute", "mean", "--rho", "-1"}),
              HasSubstr("--rho must be >= 0, got -1"));
}

TEST(OptionFlags, ValuesInMessagesAreWordsOfAShell) {
  const TemporaryFolder folder;
  folder.write("a.csv", ",x,y\n1,1,1\n2,3,0\n");
  const auto told = run_mugrad({"info", "a.csv"}, {.folder = folder.path()}).err;
  EXPECT_THAT(told, HasSubstr("(--number 'column 1' keeps it)"));
}

}  // namespace
}  // namespace mugrad::testing
