// SPDX-License-Identifier: MIT
// Each failure: one message that says where and what was expected, the right exit code, and
// nothing half-written.
#include "support/program.h"
#include "support/sanitizers.h"
#include "support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

namespace mugrad::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kXml = R"(<labels xmlns="http://mulan.sourceforge.net/labels">
<label name="sunny"></label><label name="windy"></label></labels>)";
constexpr std::string_view kHeader =
    "@relation weather\n@attribute heat numeric\n@attribute rain numeric\n"
    "@attribute sunny {0,1}\n@attribute windy {0,1}\n@data\n";
constexpr std::string_view kRows = "1,2,1,0\n2,1,0,1\n3,0,1,1\n0,0,0,0\n";

class Failures : public ::testing::Test {
 protected:
  std::string weather(std::string_view rows, std::string_view xml = kXml) const {
    folder_.write("weather.xml", xml);
    return folder_.write("weather.arff", std::string(kHeader).append(rows)).string();
  }
  std::string model_path() const { return (folder_ / "weather.mugrad").string(); }
  std::string trained() const {
    const auto result = run_mugrad({"train", weather(kRows), "-o", model_path()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return model_path();
  }
  ProgramResult train(const std::string& data) const {
    return run_mugrad({"train", data, "-o", model_path(), "-q"});
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()),
                      std::filesystem::directory_iterator()));
  }
  /// One line on standard error, nothing on standard output, exit code 1.
  static void expect_one_message(const ProgramResult& result, std::string_view words) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, AllOf(StartsWith("mugrad: "), HasSubstr(words), EndsWith("\n")));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }

  TemporaryFolder folder_;
};

TEST_F(Failures, TruncatedModel) {
  const auto model = trained();
  const auto bytes = read_file(model);
  folder_.write("weather.mugrad", bytes.substr(0, bytes.size() - 9));
  const auto result = run_mugrad({"info", model});
  expect_one_message(result, model);
  EXPECT_THAT(result.err, HasSubstr("expected"));
}

TEST_F(Failures, DoctoredModel) {
  const auto model = trained();
  auto bytes = read_file(model);
  const auto at = bytes.find("\"data_offsets\":[");
  ASSERT_NE(at, std::string::npos);
  bytes[at + std::string_view("\"data_offsets\":[").size()] = '9';
  folder_.write("weather.mugrad", bytes);
  const auto result = run_mugrad({"predict", model, weather(kRows)});
  expect_one_message(result, model);
  EXPECT_THAT(result.err, HasSubstr("bytes"));
}

TEST_F(Failures, DataInPlaceOfAModel) {
  const auto data = weather(kRows);
  expect_one_message(run_mugrad({"predict", data, data}), "is not a Mugrad model");
}

TEST_F(Failures, LabelInTheXmlThatTheArffHasNot) {
  const auto data = weather(kRows, R"(<labels><label name="suny"/><label name="windy"/></labels>)");
  expect_one_message(train(data), "did you mean 'sunny'?");
  EXPECT_FALSE(std::filesystem::exists(model_path()));
}

TEST_F(Failures, FeatureIndexBeyondTheHeader) {
  expect_one_message(train(weather("{0 1,9 2}\n")), "weather.arff:7:");
}

TEST_F(Failures, NotANumberInTheData) {
  expect_one_message(train(weather("1,2,1,0\n1,nan,0,1\n")), "weather.arff:8:3: 'nan'");
}

TEST_F(Failures, MissingValueNamesTheWayOut) {
  const auto result = run_mugrad(
      {"train", weather("1,2,1,0\n1,?,0,1\n"), "-o", model_path(), "-q", "--impute", "refuse"});
  expect_one_message(result, "weather.arff:8:3");
  EXPECT_THAT(result.err, AllOf(HasSubstr("'rain'"), HasSubstr("--impute median")));
}

TEST_F(Failures, EmptyFile) {
  expect_one_message(train(folder_.write("empty.arff", "").string()), "empty.arff");
}

TEST_F(Failures, NoSuchFile) {
  expect_one_message(train((folder_ / "nowhere.arff").string()), "nowhere.arff");
}

TEST_F(Failures, UnwritableOutputFailsBeforeTraining) {
  const auto data = weather(kRows);
  expect_one_message(run_mugrad({"train", data, "-o", (folder_ / "no/model").string()}),
                     "does not exist");
  expect_one_message(run_mugrad({"train", data, "-o", data + "/model"}), "cannot write");
}

TEST_F(Failures, FullDisk) {
  const auto data = weather(kRows);
  expect_one_message(run_mugrad({"train", data, "-o", "/dev/full", "-q"}),
                     "cannot write /dev/full: No space left on device");
}

TEST_F(Failures, DiskThatFillsUpHalfWayLeavesNothing) {
  const auto data = weather(kRows);
  const auto before = files();
  const auto result = run_mugrad({"train", data, "-o", model_path(), "-q"}, {.largest_file = 100});
  expect_one_message(result, "cannot write " + model_path() + ": File too large");
  EXPECT_EQ(files(), before);
}

TEST_F(Failures, FullDiskBehindStandardOutput) {
  const auto result =
      run_mugrad({"predict", trained(), weather(kRows), "-q"}, {.out_file = "/dev/full"});
  expect_one_message(result, "cannot write to standard output: No space left on device");
}

TEST_F(Failures, FailedTrainingKeepsTheOldModel) {
  const auto model = trained();
  const auto before = read_file(model);
  EXPECT_EQ(train(weather("1,2,1,0\n1,nan,0,1\n")).exit_code, 1);
  EXPECT_EQ(read_file(model), before);
}

TEST_F(Failures, InterruptWhileTraining) {
  const auto data = (folder_ / "large.arff").string();
  ASSERT_EQ(run_mugrad({"generate", "-o", data, "--rows", "2000", "--labels", "100"}).exit_code, 0);
  const auto before = files();
  bool sent = false;
  const auto result =
      run_mugrad_on_terminal({"train", data, "-o", model_path(), "--solver", "plain", "--tolerance",
                              "0", "--iterations", "100000"},
                             [&](const std::string& shown) -> std::optional<int> {
                               if (sent || shown.find(" left, iteration") == std::string::npos)
                                 return std::nullopt;
                               sent = true;
                               return SIGINT;
                             });
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("training was interrupted after"));
  EXPECT_THAT(result.err, HasSubstr("no file is half-written"));
  EXPECT_EQ(files(), before);
}

TEST_F(Failures, WrongCallsExitWithTwo) {
  const auto data = weather(kRows);
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls = {
      {{}, "subcommand"},
      {{"trian"}, "trian"},
      {{"train"}, "data"},
      {{"train", data, "--sigma", "-1"}, "sigma must be >= 0, got -1"},
      {{"train", data, "--sigma", "much"}, "--sigma"},
      {{"train", data, "--solver", "magic"}, "accelerated, plain"},
      {{"train", data, "--alpha", "0.1"}, "plain iteration"},
      {{"train", data, "--frobnicate"}, "--frobnicate"},
      {{"split", data, "-o", (folder_ / "s").string(), "--train", "1.5"}, "1.5"},
      {{"fetch", "nothing-known"}, "emotions"},
      {{"evaluate", trained(), data, "--convention", "mine"}, "sklearn"},
      {{"predict", trained(), data, "--top-k", "0"}, "--top-k"},
      {{"--frobnicate"}, "--frobnicate"},
      {{"info", trained(), "--relations", "r.png"}, ".dot or .csv"},
      {{"generate", "-o", "g.arff", "--seed", "-1"}, "--seed"},
  };
  for (const auto& [arguments, words] : calls) {
    const auto result = run_mugrad(arguments, {.folder = folder_.path()});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(words));
  }
}

TEST_F(Failures, MissingFeaturesAreListed) {
  const auto other = folder_.write("other.csv", "heat,wind\n1,2\n").string();
  expect_one_message(run_mugrad({"predict", "-q", trained(), other}),
                     "lacks 1 of the model's 2 features: 'rain'");
}

TEST_F(Failures, OutputThatIsTheInputIsRefused) {
  folder_.write("train.xml", kXml);
  const auto data = folder_.write("train.arff", std::string(kHeader).append(kRows)).string();
  const auto before = read_file(data);
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"split", data, "-o", folder_.path().string()},
                                             {"train", data, "-o", data},
                                             {"convert", data, data},
                                             {"predict", trained(), data, "-o", data}}) {
    const auto result = run_mugrad(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("would be overwritten"));
    EXPECT_EQ(read_file(data), before);
  }
}

TEST_F(Failures, StepThatOnlySwingsIsADivergence) {
  const auto data = (folder_ / "swing.arff").string();
  ASSERT_EQ(run_mugrad({"generate", "-o", data}).exit_code, 0);
  const auto result =
      run_mugrad({"train", "-q", data, "-o", model_path(), "--preset", "paper", "--alpha", "20"});
  expect_one_message(result, "training diverged");
  EXPECT_FALSE(std::filesystem::exists(model_path()));
}

TEST_F(Failures, ValuesTooLargeToStandardiseAreNamed) {
  const auto result = train(weather("1e308,2,1,0\n-1e308,1,0,1\n1e308,0,1,1\n"));
  expect_one_message(result, "feature 'heat'");
}

TEST_F(Failures, UnwritableTraceFailsBeforeTraining) {
  const auto result = run_mugrad({"train", weather(kRows), "-o", model_path(), "--trace",
                                  (folder_ / "no/trace.csv").string()});
  expect_one_message(result, "does not exist");
}

// The sanitizers need more address space than any limit.
#ifndef MUGRAD_SANITIZED
TEST_F(Failures, ThreadsThatCannotBeStartedLeaveTheirWorkToOthers) {
  const auto data = weather(kRows);
  const auto alone = (folder_ / "alone.model").string();
  ASSERT_EQ(run_mugrad({"train", "-q", data, "-o", alone, "--threads", "1"}).exit_code, 0);
  const auto result = run_mugrad({"train", "-q", data, "-o", model_path(), "--threads", "1024"},
                                 {.largest_memory = 1'000'000'000});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(model_path()), read_file(alone));
}
#endif

}  // namespace
}  // namespace mugrad::testing
