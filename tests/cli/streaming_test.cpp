// SPDX-License-Identifier: MIT
// Data larger than a block: the same answers as from a file read whole, in less memory.
#include "support/program.h"
#include "support/sanitizers.h"
#include "support/temporary_folder.h"

#include <mugrad/data/align.h>
#include <mugrad/data/files.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;

class Streaming : public ::testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& arguments, ProgramSetting setting = {}) const {
    setting.folder = folder_.path();
    setting.environment = {{"MUGRAD_DATA", ""}};
    return run_mugrad(arguments, setting);
  }
  void must_run(const std::vector<std::string>& arguments,
                const ProgramSetting& setting = {}) const {
    const auto result = run(arguments, setting);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  /// What predict --scores must write: the data read whole, and scored in one go.
  std::string scores_of_whole(const std::string& model_name, const std::string& name,
                              const ReadOptions& options) const {
    const auto model = Model::load(folder_ / model_name);
    const auto data = read_dataset(folder_ / name, options);
    const auto x = align_features(data, {model.features(), model.contents().feature_names}, {});
    const auto scores = model.scores(x, Threads{1});
    std::string text = "row";
    for (LabelId t = 0; t < model.labels(); ++t) text += fmt::format(",{}", model.label_name(t));
    text += "\n";
    for (Index row = 0; row < scores.rows(); ++row) {
      text += fmt::format("{},{}\n", row + 1, fmt::join(scores.row(row), ","));
    }
    return text;
  }

  TemporaryFolder folder_;
};

TEST_F(Streaming, PredictionsOfEveryFormatAreThoseOfTheWholeFile) {
  // Two blocks and a bit.
  must_run({"generate", "-o", "data.arff", "--rows", std::to_string(2 * BlockReader::kRows + 100),
            "--features", "12", "--labels", "6", "--group-size", "3"});
  for (const FormatInfo& info : file_formats()) {
    const std::string name = "data" + std::string(info.endings.front());
    if (name != "data.arff") must_run({"convert", "data.arff", name});
    std::vector<std::string> train = {"train", name, "-o", name + ".model"};
    std::vector<std::string> predict = {"predict", name + ".model", name, "--scores", "-o", "out"};
    for (auto* arguments : {&train, &predict}) {
      if (!info.declares_labels) arguments->insert(arguments->end(), {"--label-count", "-6"});
    }
    must_run(train);
    ReadOptions options;
    if (!info.declares_labels) options.label_count = -6;
    for (const std::string threads : {"1", "2"}) {
      auto arguments = predict;
      arguments.insert(arguments.end(), {"--threads", threads});
      must_run(arguments);
      EXPECT_TRUE(read_file(folder_ / "out") == scores_of_whole(name + ".model", name, options))
          << name;
    }
  }
}

class LateFailures : public Streaming {
 protected:
  /// More than a block of rows, then one more.
  std::string rows_and(const std::string& last) const {
    std::string text;
    for (Index row = 0; row < BlockReader::kRows + 10; ++row) {
      text += row % 2 == 0 ? "0 1:1 2:1\n" : "1 2:2 3:1\n";
    }
    return text + last;
  }
  void make_model() const {
    folder_.write("train.svm", rows_and(""));
    must_run({"train", "train.svm", "-o", "model"});
  }
};

TEST_F(LateFailures, LeaveNoOutputAndNameTheLine) {
  make_model();
  folder_.write("late.svm", rows_and("0 1:x\n"));
  const auto result = run({"predict", "model", "late.svm", "-o", "out"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr(fmt::format("late.svm:{}:3", BlockReader::kRows + 11)));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(LateFailures, OfWidthTellThatOfTheWholeFile) {
  make_model();
  folder_.write("wide.svm", fmt::format("0 5:1\n{}", rows_and("0 7:1\n")));
  const auto result = run({"predict", "model", "wide.svm", "-o", "out"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("has 7 features, the model was trained on 3"));
}

// The sanitizers need more memory than any limit.
#ifndef MUGRAD_SANITIZED
TEST_F(Streaming, MemoryDoesNotGrowWithTheRows) {
  std::string line = "0";
  for (int k = 1; k <= 150; ++k) line += fmt::format(" {}:1", k);
  folder_.write("few.svm", fmt::format("{}\n1 1:1\n", line));
  std::string text;
  for (int row = 0; row < 80'000; ++row) text.append(line).append("\n");
  folder_.write("many.svm", text);
  must_run({"train", "few.svm", "-o", "model"});
  // Whole, the entries alone take 12 bytes each, 144 MB.
  const ProgramSetting limited{.largest_data = 128'000'000};
  EXPECT_EQ(run({"info", "many.svm"}, limited).exit_code, 1);
  must_run({"predict", "model", "many.svm", "--threads", "1", "-o", "out"}, limited);
}
#endif

}  // namespace
}  // namespace mugrad::testing
