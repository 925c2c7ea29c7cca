// SPDX-License-Identifier: MIT
// Work that needs more memory than there is ends before it begins, with a figure.
#include "support/command_test.h"
#include "support/compressed.h"
#include "support/sanitizers.h"

#include <mugrad/method/method.h>

#include <gmock/gmock.h>

namespace mugrad::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// One feature, with the largest number there can be.
constexpr std::string_view kWide = "0 2147483646:1\n1 1:1\n0,1 2:1\n";

class MemoryCommands : public CommandTest {
 protected:
  /// Not for want of an estimate: what is not refused must not fill this machine.
  ProgramResult run_guarded(std::vector<std::string> arguments) const {
    ProgramSetting setting{.folder = folder_.path(), .environment = {{"MUGRAD_DATA", ""}}};
#ifndef MUGRAD_SANITIZED
    setting.largest_memory = 6'000'000'000;
#endif
    return run_mugrad(arguments, setting);
  }
  void expect_refused(std::vector<std::string> arguments) const {
    const auto command = arguments.front();
    arguments.insert(arguments.end(), {"--memory", "4GB"});
    const auto result = run_guarded(arguments);
    EXPECT_EQ(result.exit_code, 1) << command << ": " << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("mugrad: "), HasSubstr(" would take about "),
                                  EndsWith("; --memory unlimited overrides this\n")))
        << command;
  }
};

TEST_F(MemoryCommands, FewBytesOfLibsvmDoNotAskForTensOfGigabytes) {
  folder_.write("wide.svm", kWide);
  for (const Method* const method : methods()) {
    expect_refused({"train", "-q", "wide.svm", "-o", "m", "--method", std::string(method->name())});
  }
  expect_refused({"certify", "wide.svm"});
  expect_refused({"tune", "-q", "wide.svm", "--rho", "0.1,1", "--inner-folds", "2"});
  expect_refused({"study", "convergence", "-q", "wide.svm", "-o", "study.json"});
  expect_refused({"convert", "wide.svm", "wide.csv"});
  expect_refused({"convert", "wide.svm", "wide.arff"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "wide.csv"));
}

TEST_F(MemoryCommands, WhatTakesLittleWorksOnThem) {
  folder_.write("wide.svm", kWide);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"info", "wide.svm"},
                                             {"split", "wide.svm", "-o", "parts"},
                                             {"convert", "wide.svm", "wide.xmc"},
                                             {"convert", "wide.svm", "again.svm"}}) {
    const auto result = run_guarded(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments.front() << ": " << result.err;
  }
}

TEST_F(MemoryCommands, ModelOfFewFeaturesSaysThatTheyAreTooMany) {
  make_data("data.svm");
  out_of({"train", "data.svm", "-o", "model"});
  folder_.write("wide.svm", kWide);
  for (const std::string command : {"predict", "evaluate"}) {
    const auto result = run_guarded({command, "model", "wide.svm"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("has 2147483646 features, the model was trained on 12"),
                      HasSubstr("'12', '13', '14', '15', '16', '17', '18', '19' and 2147483626 "
                                "more")));
  }
}

TEST_F(MemoryCommands, LabelsThatNoArrayHasRoomForAreRefused) {
  folder_.write("labels.svm", "2147483645 1:1\n0 2:1\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"info", "labels.svm"},
                                             {"split", "labels.svm", "-o", "parts"},
                                             {"train", "labels.svm", "-o", "m"},
                                             {"certify", "labels.svm"}}) {
    expect_refused(arguments);
  }
}

TEST_F(MemoryCommands, ShapeInTheFirstLineIsRefusedBeforeTheRowsAreRead) {
  // As large as Amazon-670K; reading it would end at the row that is missing.
  folder_.write("amazon.xmc", "490449 135909 670091\n0 0:1\n");
  const auto result = run_guarded({"train", "amazon.xmc", "-o", "m", "--memory", "8GB"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(StartsWith("mugrad: training mgd on amazon.xmc (490449 examples, "
                                           "135909 features, 670091 labels) would take about "),
                                HasSubstr("364 GB of it for the model"), HasSubstr("would help")));
  expect_refused({"certify", "amazon.xmc"});
}

/// Rows of some ten megabytes once they are read.
std::string table_of_numbers() {
  std::string text = "y,a,b,c,d,e,f,g,h,i\n";
  for (int row = 0; row < 150'000; ++row) {
    text += row % 2 == 0 ? "1" : "0";
    for (int k = 0; k < 9; ++k) text += "," + std::to_string((row * (k + 7)) % 10);
    text += '\n';
  }
  return text;
}

/// Texts with far more terms than a megabyte has room for.
std::string table_of_texts() {
  std::string text = "note,tags\n";
  for (int row = 0; row < 20'000; ++row) {
    for (int k = 0; k < 4; ++k) text += "word" + std::to_string(4 * row + k) + " ";
    text += row % 2 == 0 ? "of even rows,even\n" : "of odd rows,odd\n";
  }
  return text;
}

TEST_F(MemoryCommands, TablesAreRefusedWhileTheirRowsAreRead) {
  folder_.write("big.csv", table_of_numbers());
  folder_.write("big.csv.gz", gzip(table_of_numbers()));
  for (const std::string file : {"big.csv", "big.csv.gz"}) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"info", file}, {"train", file, "--label-columns", "y", "-o", "m"}}) {
      auto limited = command;
      limited.insert(limited.end(), {"--memory", "1MB"});
      const auto result = run(limited);
      EXPECT_EQ(result.exit_code, 1) << result.out;
      EXPECT_THAT(result.err, AllOf(HasSubstr("reading big.csv"), HasSubstr(" would take about "),
                                    HasSubstr("a sample of the rows"),
                                    EndsWith("; --memory unlimited overrides this\n")));
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "m"));
}

TEST_F(MemoryCommands, TermsAreRefusedWhileTheyAreLearned) {
  folder_.write("notes.csv", table_of_texts());
  const auto result = run({"train", "notes.csv", "--tags", "tags", "--memory", "1MB", "-o", "m"});
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_THAT(result.err, AllOf(HasSubstr("learning the terms of texts would take about "),
                                HasSubstr("hashing them (--hash-bits 18)")));
}

TEST_F(MemoryCommands, LabelsWithNamesAreNotToldToBeNumberedWithoutGaps) {
  make_data();
  const auto result = run({"train", "data.arff", "-o", "m", "--memory", "1kB"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("training on generated "),
                                ::testing::Not(HasSubstr("numbered from 0"))));
}

TEST_F(MemoryCommands, ScoringIsRefusedToo) {
  make_model();
  for (const std::string command : {"predict", "evaluate"}) {
    const auto result = run({command, "model", "data.arff", "--memory", "1kB"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("with a model of 6 labels and 12 features would take about"));
  }
}

TEST_F(MemoryCommands, LimitIsTheUsersToSetAndToLift) {
  make_data();
  const auto refused = run({"train", "data.arff", "-o", "m", "--memory", "1kB"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("what is left of the memory limit is 0 bytes"));
  EXPECT_EQ(run({"train", "data.arff", "-o", "m", "--memory", "unlimited"}).exit_code, 0);
  EXPECT_EQ(run({"train", "data.arff", "-o", "m", "--memory", "90%"}).exit_code, 0);
  const auto wrong = run({"train", "data.arff", "-o", "m", "--memory", "much"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'much' is not an amount of memory"));
}

}  // namespace
}  // namespace mugrad::testing
