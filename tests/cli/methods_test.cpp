// SPDX-License-Identifier: MIT
#include "support/command_test.h"

#include <mugrad/data/files.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <filesystem>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using MethodCommands = CommandTest;

/// Average precision when every example is scored by how often labels occur.
double quality_of_base_rates(const Dataset& train, const Dataset& test) {
  const auto counts = column_counts(train.y);
  Matrix<double> scores(test.rows(), test.labels());
  for (Index i = 0; i < test.rows(); ++i) {
    for (Index t = 0; t < test.labels(); ++t) {
      scores(i, t) = static_cast<double>(counts[static_cast<std::size_t>(t)]) /
                     static_cast<double>(train.rows());
    }
  }
  return evaluate(scores, test.y)["average-precision"];
}

/// What predict --scores writes.
std::string text_of(const Model& model, const Matrix<double>& scores) {
  std::string text = "row";
  for (LabelId t = 0; t < model.labels(); ++t) text += fmt::format(",{}", model.label_name(t));
  text += "\n";
  for (Index row = 0; row < scores.rows(); ++row) {
    text += fmt::format("{},{}\n", row + 1, fmt::join(scores.row(row), ","));
  }
  return text;
}

TEST_F(MethodCommands, EveryMethodTrainsAndItsModelPredictsAndEvaluates) {
  make_data();
  out_of({"split", "data.arff", "-o", "parts"});
  const auto test = read_dataset(folder_ / "parts/test.arff");
  const double base = quality_of_base_rates(read_dataset(folder_ / "parts/train.arff"), test);
  for (const auto& method : json_of({"methods"})) {
    const std::string name = method["name"];
    out_of({"train", "parts/train.arff", "-o", "model", "--method", name});
    EXPECT_EQ(json_of({"info", "model"})["report"]["method"], name);
    EXPECT_THAT(out_of({"info", "model"}), HasSubstr("Training\n  " + name));
    const auto quality = json_of({"evaluate", "model", "parts/test.arff"});
    EXPECT_GT(quality["metrics"]["average-precision"].get<double>(), base + 0.05) << name;
    out_of({"predict", "model", "parts/test.arff", "--scores", "-o", "scores.csv"});
    const auto model = Model::load(folder_ / "model");
    EXPECT_EQ(read_file(folder_ / "scores.csv"), text_of(model, model.scores(test.x))) << name;
  }
}

/// The sentences of the card and of train, of every method: what they say is so.
TEST_F(MethodCommands, WhatIsSaidOfAModelIsTrueOfItsMethod) {
  make_data();
  for (const auto& method : json_of({"methods"})) {
    const std::string name = method["name"];
    const auto trained = out_of({"train", "data.arff", "-o", "model", "--method", name});
    const auto card = out_of({"info", "model"});
    const auto model = Model::load(folder_ / "model");
    const auto& report = model.contents().report;
    // Those that solve on products or distances made of the data pass over these no more.
    const bool iterates =
        name == "lift" || name == "llsf" || name == "llsf-dl" || name == "jfsc" || name == "camel";
    const auto effort =
        fmt::format(" after {} {}, ", report.passes, iterates ? "iterations" : "passes");
    EXPECT_THAT(trained, HasSubstr(effort)) << name;
    EXPECT_THAT(card, HasSubstr(effort)) << name;
    EXPECT_THAT(card, HasSubstr(fmt::format("\n  {} {:.6g}", iterates ? "objective" : "total loss",
                                            report.total_loss)))
        << name;
    EXPECT_THAT(card, Not(HasSubstr("trained alone"))) << name;
    EXPECT_EQ(card.find("Strongest relations") != std::string::npos, name == "mgd") << name;
    EXPECT_EQ(card.find("none: the training used no transfer between labels") != std::string::npos,
              name != "mgd")
        << name;
    EXPECT_EQ(card.find("in [0, 1]") != std::string::npos,
              score_range(model.contents().head).is_limit)
        << name;
  }
  out_of({"train", "data.arff", "-o", "model", "--sigma", "0"});
  EXPECT_THAT(out_of({"info", "model"}), HasSubstr("none: the training used no transfer"));
}

TEST_F(MethodCommands, AModelThatNeededNoIterationIsNotSaidToLackClasses) {
  make_data();
  const auto trained =
      out_of({"train", "data.arff", "-o", "model", "--method", "llsf", "--sparsity", "1e9"});
  EXPECT_THAT(trained, Not(HasSubstr("no label had both classes")));
}

TEST_F(MethodCommands, TraceIsRefusedBeforeTrainingByMethodsThatHaveNoIterates) {
  make_data();
  for (const auto& method : json_of({"methods"})) {
    const std::string name = method["name"];
    const auto result = run(
        {"train", "data.arff", "-o", name + ".model", "--method", name, "--trace", name + ".csv"});
    const bool has_iterates = name == "mgd" || name == "br";
    EXPECT_EQ(result.exit_code, has_iterates ? 0 : 2) << name;
    EXPECT_EQ(std::filesystem::exists(folder_ / (name + ".model")), has_iterates) << name;
    EXPECT_EQ(std::filesystem::exists(folder_ / (name + ".csv")), has_iterates) << name;
    if (!has_iterates) {
      EXPECT_THAT(result.err, HasSubstr("which mgd and br have and " + name + " has not"));
    }
  }
}

TEST_F(MethodCommands, WarnsOnceAndTrulyOfTheLimitOfIterations) {
  make_data();
  for (const std::string name : {"br", "lp", "rakel", "llsf", "jfsc", "lift"}) {
    const auto result =
        run({"train", "data.arff", "-o", "model", "--method", name, "--iterations", "1"});
    const auto first = result.err.find("warning:");
    ASSERT_NE(first, std::string::npos) << name;
    EXPECT_EQ(result.err.find("warning:", first + 1), std::string::npos) << result.err;
    const bool is_of_objective = name == "llsf" || name == "jfsc";
    EXPECT_EQ(result.err.find("the objective still falls") != std::string::npos, is_of_objective)
        << result.err;
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
  EXPECT_THAT(result.err, HasSubstr("--members is not an option of br; it is an option of ecc"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "model"));
  const auto range =
      run({"train", "data.arff", "-o", "model", "--method", "ecc", "--members", "0"});
  EXPECT_EQ(range.exit_code, 2);
  EXPECT_THAT(range.err, HasSubstr("members must be in [1, 100000], got 0"));
}

}  // namespace
}  // namespace mugrad::testing
