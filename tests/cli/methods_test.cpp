// SPDX-License-Identifier: MIT
#include "support/command_test.h"
#include "support/small_model.h"

#include <mugrad/data/files.h>
#include <mugrad/method/method.h>
#include <mugrad/metric/evaluate.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace mugrad::testing {
namespace {

using ::testing::EndsWith;
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
    EXPECT_GT(quality["metrics"]["average-precision"].get<double>(), base + 0.02)
        << name << " must rank better than base rates";
    out_of({"predict", "model", "parts/test.arff", "--scores", "-o", "scores.csv"});
    const auto model = Model::load(folder_ / "model");
    EXPECT_EQ(read_file(folder_ / "scores.csv"), text_of(model, model.scores(test.x))) << name;
  }
}

/// "mgd, accelerated solver: converged after 57 passes, residual 1.94e-05 (4.7e-05 of its first
/// value)": what must be said of a training with a label of both classes.
std::string expected_sentence(const TrainingReport& report, const MethodTraits& traits) {
  EXPECT_EQ(report.solve.has_value(), traits.solves);
  if (!report.solve) return report.method + ": trained without a solver\n";
  const SolveFacts& solve = *report.solve;
  const std::string end =
      solve.stop == "iteration-limit" ? "stopped at the iteration limit" : solve.stop;
  return fmt::format("{}, {} solver: {} after {} {}, residual {:.2e} ({:.1e} of its first value)\n",
                     report.method, solve.solver, end, solve.effort, traits.report.effort,
                     solve.residual, solve.residual / solve.first_residual);
}

/// The sentences of the card and of train, of every method: what they say is so. One of the labels
/// has one class only.
TEST_F(MethodCommands, WhatIsSaidOfAModelIsTrueOfItsMethod) {
  make_data();
  auto data = read_dataset(folder_ / "data.arff");
  data.y.cols += 1;
  data.label_names.emplace_back("never");
  write_dataset(data, folder_ / "with-never.arff");
  for (const Method* const method : methods()) {
    const std::string name(method->name());
    SCOPED_TRACE(name);
    const auto trained = run({"train", "with-never.arff", "-o", "model", "--method", name});
    const auto card = out_of({"info", "model"});
    const auto model = Model::load(folder_ / "model");
    const auto& report = model.contents().report;
    EXPECT_EQ(report.constant_labels, std::vector<LabelId>{6});
    EXPECT_THAT(trained.out,
                HasSubstr("model: 7 labels from 12 features, trained on 200 examples\n"));
    const auto sentence = expected_sentence(report, method->traits());
    EXPECT_THAT(trained.out, HasSubstr(sentence));
    EXPECT_THAT(card, HasSubstr("Training\n  " + sentence));
    ASSERT_EQ(report.warnings.size(), 1U);
    EXPECT_THAT(report.warnings.front(), HasSubstr("1 of 7 labels have only one class"));
    EXPECT_THAT(trained.err, HasSubstr("warning: " + report.warnings.front()));
    EXPECT_THAT(card, HasSubstr("  warning: " + report.warnings.front() + "\n"));
    EXPECT_THAT(card,
                HasSubstr(method->traits().has_relations ? "\nStrongest relations\n"
                                                         : "\n  none: this model stores none"));
    const bool is_calibrated = !model.contents().calibration.is_empty();
    EXPECT_EQ(card.find("calibrated probabilities") != std::string::npos, is_calibrated);
    EXPECT_EQ(card.find("in [0, 1]") != std::string::npos,
              !is_calibrated && score_range(model.contents().head).is_limit);
    if (!report.solve) continue;
    EXPECT_THAT(card,
                HasSubstr(fmt::format("\n  {} {:.6g} on the training data\n",
                                      method->traits().report.minimised, report.solve->minimised)));
    const auto json = json_of({"info", "model"})["report"];
    EXPECT_EQ(json["passes"], report.solve->effort);
    EXPECT_EQ(json["stop"], report.solve->stop);
    EXPECT_EQ(json["total_loss"], report.solve->minimised);
  }
  out_of({"train", "data.arff", "-o", "model", "--sigma", "0"});
  EXPECT_THAT(out_of({"info", "model"}), HasSubstr("none: the training used no transfer"));
}

const std::vector<std::string> kFactsOfASolve = {
    "solver", "stop", "passes", "step", "curvature", "first_residual", "residual", "total_loss"};

TEST_F(MethodCommands, WhereNoLabelHasBothClassesNothingIsSaidOfASolve) {
  make_data();
  auto data = read_dataset(folder_ / "data.arff");
  data.y.column.clear();
  std::ranges::fill(data.y.row_start, 0);
  write_dataset(data, folder_ / "none.arff");
  for (const Method* const method : methods()) {
    const std::string name(method->name());
    SCOPED_TRACE(name);
    EXPECT_THAT(out_of({"train", "none.arff", "-o", "model", "--method", name}),
                EndsWith(name + ": no label had both classes\n"));
    const auto card = out_of({"info", "model"});
    EXPECT_THAT(card,
                HasSubstr("Training\n  " + name + ": no label had both classes\n  warning: "));
    const auto report = json_of({"info", "model"})["report"];
    for (const auto& fact : kFactsOfASolve) EXPECT_TRUE(report.at(fact).is_null()) << fact;
    EXPECT_EQ(report["constant_labels"].size(), 6U);
  }
}

/// As a method that this version does not have would leave one.
TEST_F(MethodCommands, AModelThatWasNotSolvedForIsNotSaidToHaveBeen) {
  auto contents = small_model();
  contents.report = {.method = "neighbours", .rows = 100};
  Model(contents).save(folder_ / "model");
  const auto card = out_of({"info", "model"});
  EXPECT_THAT(card, HasSubstr("Training\n  neighbours: there was nothing to solve\n\n"));
  for (const auto* word : {"passes", "iterations", "residual", "total loss", "converged"}) {
    EXPECT_THAT(card, Not(HasSubstr(word)));
  }
  const auto report = json_of({"info", "model"})["report"];
  for (const auto& fact : kFactsOfASolve) EXPECT_TRUE(report.at(fact).is_null()) << fact;
  EXPECT_EQ(report["rows"], 100);
}

TEST_F(MethodCommands, OlderNamesOfOptionsAreStillFlags) {
  make_data();
  int renamed = 0;
  for (const Method* const method : methods()) {
    for (const OptionInfo& info : method->options()) {
      if (info.was.empty()) continue;
      ++renamed;
      const std::string name(method->name());
      SCOPED_TRACE(name + " --" + info.was);
      std::vector<std::string> call = {"train", "data.arff",     "-o", "model", "--method",
                                       name,    "--" + info.was, "1"};
      if (info.initial.find('.') != std::string::npos ||
          info.initial.find('e') != std::string::npos)
        call.back() = "0.5";
      if (!info.choices.empty()) call.back() = info.choices.back();
      out_of(call);
      EXPECT_EQ(json_of({"info", "model"})["options"][info.name], call.back());
      call.insert(call.end(), {"--" + info.name, info.initial});
      const auto both = run(call);
      EXPECT_EQ(both.exit_code, 2);
      EXPECT_THAT(both.err,
                  HasSubstr(fmt::format("{} is the older name of {}", info.was, info.name)));
      EXPECT_THAT(out_of({"methods", name}), HasSubstr("(--" + info.was + " still works)"));
    }
  }
  // The representation of every method, and one more option of lift, llsf, llsf-dl and jfsc.
  EXPECT_EQ(renamed, std::ssize(methods()) + 4);
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
      EXPECT_THAT(result.err, HasSubstr("which mgd and br have but " + name + " does not"));
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
    EXPECT_EQ(result.err.find("the objective still decreases") != std::string::npos,
              is_of_objective)
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
