// SPDX-License-Identifier: MIT
#include "support/command_test.h"

#include <mugrad/data/files.h>
#include <mugrad/metric/metric.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mugrad::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Commands = CommandTest;

TEST_F(Commands, EveryCommandHasHelpWithAnExample) {
  for (const std::string command : {"train", "predict", "evaluate", "info", "split", "convert",
                                    "generate", "fetch", "certify", "methods", "demo"}) {
    const auto help = out_of({command, "--help"});
    EXPECT_THAT(help, HasSubstr("Examples:\n  mugrad " + command)) << command;
    EXPECT_THAT(out_of({"--help"}), HasSubstr("  " + command));
  }
  EXPECT_THAT(out_of({"--version"}), StartsWith("mugrad "));
}

TEST_F(Commands, WhatWasTakenAsLabelsIsAlwaysSaid) {
  make_data("X.arff");
  std::filesystem::rename(folder_ / "X.arff", folder_ / "X-train.arff");
  out_of({"train", "X-train.arff", "-o", "model", "-q"});
  out_of({"train", "X-train.arff", "-o", "other", "-q"});
  const std::string told = "mugrad: X-train.arff: 6 labels, from X.xml\n";
  const std::vector<std::vector<std::string>> calls = {
      {"train", "X-train.arff", "-o", "m"},
      {"tune", "X-train.arff", "--rho", "0.1,1", "--sigma", "0"},
      {"evaluate", "model", "X-train.arff"},
      {"info", "X-train.arff"},
      {"split", "X-train.arff", "-o", "parts"},
      {"convert", "X-train.arff", "x.svm"},
      {"certify", "X-train.arff"},
      {"predict", "model", "X-train.arff", "-o", "p.csv"},
      {"study", "sensitivity", "X-train.arff", "--rhos", "1", "--sigmas", "0"},
      {"compare", "X-train.arff", "--methods", "br", "--untuned", "-o", "r.jsonl"}};
  for (auto arguments : calls) {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto first = result.err.find(told);
    EXPECT_NE(first, std::string::npos) << arguments.front() << ": " << result.err;
    EXPECT_EQ(result.err.find(told, first + 1), std::string::npos) << arguments.front();
    std::filesystem::remove(folder_ / "r.jsonl");
    arguments.emplace_back("--quiet");
    EXPECT_EQ(run(arguments).err, "") << arguments.front();
    std::filesystem::remove(folder_ / "r.jsonl");
  }
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_EQ(json_of(calls[k])["labels_from"], "X.xml") << calls[k].front();
  }
  EXPECT_THAT(out_of({"info", "X-train.arff"}), HasSubstr("6, from X.xml"));
}

/// A public set as it is: the labels were the first attributes before a filter moved them.
TEST_F(Commands, LabelsThatAFilterMovedAreNotTakenWhereTheyWere) {
  folder_.write("X-train.arff",
                "@relation 'X: -C 2-weka.filters.unsupervised.attribute.Reorder-R3-last,1-2'\n"
                "@attribute word1 {0,1}\n@attribute word2 {0,1}\n@attribute a {0,1}\n"
                "@attribute b {0,1}\n@data\n1,0,0,1\n0,1,1,0\n1,1,0,1\n0,0,1,0\n");
  const auto refused = run({"train", "X-train.arff", "-o", "model"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("weka.filters"), HasSubstr("--labels FILE.xml")));
  folder_.write("X.xml", "<labels><label name=\"a\"/><label name=\"b\"/></labels>");
  EXPECT_EQ(json_of({"train", "X-train.arff", "-o", "model"})["labels_from"], "X.xml");
  const auto labels = json_of({"info", "X-train.arff"})["label_counts"];
  EXPECT_EQ(labels[0]["name"], "a");
  EXPECT_EQ(labels[1]["name"], "b");
}

TEST_F(Commands, XmlThatNamesTheLabelsOfAPartIsNotOverwritten) {
  make_data("X.arff");
  std::filesystem::rename(folder_ / "X.arff", folder_ / "X-train.arff");
  const auto before = read_file(folder_ / "X.xml");
  EXPECT_EQ(run({"train", "X-train.arff", "-o", "X.xml"}).exit_code, 2);
  EXPECT_EQ(read_file(folder_ / "X.xml"), before);
}

TEST_F(Commands, TrainSaysWhenRoundingKeepsItFromTheTolerance) {
  make_data();
  for (const std::string sigma : {"0", "0.1"}) {
    const auto result =
        run({"train", "data.arff", "-o", "model", "--tolerance", "1e-12", "--sigma", sigma});
    EXPECT_EQ(result.exit_code, 0);  // as at the iteration limit: there is a model
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("the residual fell to "), HasSubstr("1e-12 was requested"),
                      HasSubstr("double precision is more accurate")));
    EXPECT_THAT(out_of({"info", "model"}),
                AllOf(HasSubstr("solver: stalled after"), HasSubstr("warning: the residual fell")));
    const auto fine = run({"train", "data.arff", "-o", "model", "--tolerance", "1e-12", "--sigma",
                           sigma, "--precision", "double"});
    EXPECT_EQ(fine.exit_code, 0) << fine.err;
    EXPECT_THAT(out_of({"info", "model"}), HasSubstr("solver: converged after"));
  }
}

TEST_F(Commands, GenerateWritesDataAndItsTrueGraph) {
  make_data();
  EXPECT_TRUE(std::filesystem::exists(folder_ / "data.xml"));
  const auto truth = read_file(folder_ / "truth.csv");
  EXPECT_THAT(truth, StartsWith("label,related_to\n"));
  EXPECT_EQ(std::ranges::count(truth, '\n'), 1 + 6);  // two groups of three
}

TEST_F(Commands, InfoOfDataHasItsMeasures) {
  make_data();
  const auto info = json_of({"info", "data.arff"});
  EXPECT_EQ(info["examples"], 200);
  EXPECT_EQ(info["features"], 12);
  EXPECT_EQ(info["labels"], 6);
  EXPECT_NEAR(info["cardinality"].get<double>(), 2, 0.05);
  EXPECT_NEAR(info["density"].get<double>(), info["cardinality"].get<double>() / 6, 1e-12);
  EXPECT_THAT(out_of({"info", "data.arff"}), HasSubstr("200"));
}

TEST_F(Commands, UnknownLabelsAreCountedAndLeftOut) {
  folder_.write("a.csv", "x,y,z\n1,1,0\n2,0,1\n3,,1\n4,1,\n5,0,0\n");
  const std::vector<std::string> labels = {"--label-count", "-2"};
  const auto with_labels = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), labels.begin(), labels.end());
    return arguments;
  };
  EXPECT_EQ(json_of(with_labels({"info", "a.csv"}))["unknown_labels"], 2);
  out_of(with_labels({"train", "a.csv", "-o", "model"}));
  folder_.write("b.csv", "x,y,z\n1,,\n2,,\n");
  const auto metrics = json_of(with_labels({"evaluate", "model", "b.csv"})).dump();
  EXPECT_THAT(metrics, HasSubstr("null"));  // nothing is known, so nothing can be said
  out_of(with_labels({"convert", "a.csv", "a.arff"}));
  EXPECT_THAT(read_file(folder_ / "a.arff"), AllOf(HasSubstr("\n3,?,1\n"), HasSubstr("\n4,1,?\n")));
}

TEST_F(Commands, TrainTakesTheObjective) {
  make_data();
  out_of({"train", "data.arff", "-o", "model", "--loss", "squared", "--l1", "0.01",
          "--positive-weight", "2", "--threshold", "-0.5"});
  const auto card = json_of({"info", "model"});
  EXPECT_EQ(card["head"], "independent");
  EXPECT_EQ(card["options"]["loss"], "squared");
  EXPECT_EQ(card["options"]["l1"], "0.01");
  EXPECT_EQ(card["options"]["positive-weight"], "2");
  EXPECT_EQ(json_of({"evaluate", "model", "data.arff", "--threshold", "1.5"})["threshold"], 1.5);
}

TEST_F(Commands, SplitKeepsTheFormatAndWritesLabelFiles) {
  make_data();
  const auto report = json_of({"split", "data.arff", "-o", "parts", "--seed", "3"});
  EXPECT_EQ(report["splits"][0]["train"], 160);
  EXPECT_EQ(json_of({"info", "parts/train.arff"})["examples"], 160);
  EXPECT_EQ(json_of({"info", "parts/test.arff"})["examples"], 40);
  const auto first = read_file(folder_ / "parts/train.arff");
  out_of({"split", "data.arff", "-o", "again", "--seed", "3"});
  EXPECT_EQ(read_file(folder_ / "again/train.arff"), first);
  out_of({"split", "data.arff", "-o", "other", "--seed", "4"});
  EXPECT_NE(read_file(folder_ / "other/train.arff"), first);
}

TEST_F(Commands, SplitMakesStratifiedFolds) {
  make_data();
  const auto report =
      json_of({"split", "data.arff", "-o", "folds", "--folds", "4", "--stratified"});
  ASSERT_EQ(report["splits"].size(), 4U);
  for (int fold = 1; fold <= 4; ++fold) {
    EXPECT_TRUE(
        std::filesystem::exists(folder_ / ("folds/fold-" + std::to_string(fold) + "/test.xml")));
  }
}

TEST_F(Commands, ConvertKnowsTablesByTheirDelimiterAndJsonLines) {
  folder_.write("a.csv", "x,z;y\n1,2;1\n0,3;0\n");
  out_of({"convert", "a.csv", "a.tsv", "--delimiter", ";", "--label-count", "-1"});
  EXPECT_EQ(read_file(folder_ / "a.tsv"), "\"x,z\"\ty\n1.2\t1\n0.3\t0\n");
  out_of({"convert", "a.tsv", "a.jsonl", "--delimiter", "tab", "--label-count", "-1"});
  EXPECT_EQ(read_file(folder_ / "a.jsonl"), "{\"x,z\":1.2,\"y\":1}\n{\"x,z\":0.3,\"y\":0}\n");
  EXPECT_EQ(json_of({"info", "a.jsonl", "--label-columns", "y"})["labels"], 1);
}

TEST_F(Commands, ConvertGoesThroughEveryFormatAndBackWithTheSameValues) {
  make_data();
  out_of({"convert", "data.arff", "data.csv"});
  out_of({"convert", "data.csv", "data.libsvm", "--label-count", "-6"});
  out_of({"convert", "data.libsvm", "data.xmc", "--label-count", "6"});
  out_of({"convert", "data.xmc", "back.arff"});
  const auto names = json_of({"info", "data.csv", "--label-count", "-6"})["label_counts"];
  EXPECT_EQ(names, json_of({"info", "data.arff"})["label_counts"]);
  const auto first = read_dataset(folder_ / "data.arff");
  const auto back = read_dataset(folder_ / "back.arff");
  EXPECT_EQ(back.y, first.y);
  for (Index row = 0; row < first.rows(); ++row) {
    std::vector<double> values(static_cast<std::size_t>(first.features()), 0);
    back.x.for_each_in_row(row, [&](FeatureId column, double value) {
      values[static_cast<std::size_t>(column)] = value;
    });
    EXPECT_TRUE(std::ranges::equal(values, first.x.dense().row(row))) << row;
  }
}

TEST_F(Commands, TrainReportsHowItEnded) {
  make_data();
  const auto report =
      json_of({"train", "data.arff", "-o", "model", "--tolerance", "1e-3"})["report"];
  EXPECT_EQ(report["stop"], "converged");
  EXPECT_LE(report["residual"].get<double>(), 1e-3 * report["first_residual"].get<double>());
  const auto short_run = run({"train", "data.arff", "-o", "model", "--iterations", "2"});
  EXPECT_EQ(short_run.exit_code, 0);
  EXPECT_THAT(short_run.err, HasSubstr("warning: not converged"));
}

TEST_F(Commands, TrainTracesTotalLossAndResidual) {
  make_data();
  out_of({"train", "data.arff", "-o", "model", "--preset", "paper", "--precision", "double",
          "--trace", "trace.csv"});
  const auto trace = read_file(folder_ / "trace.csv");
  EXPECT_THAT(trace.substr(0, 60), StartsWith("iteration,total_loss,residual\n0,4.158883083"));
  EXPECT_EQ(std::ranges::count(trace, '\n'), 1 + 1001);
}

TEST_F(Commands, OptionsGivenOverruleThePreset) {
  make_data();
  out_of({"train", "data.arff", "-o", "model", "--preset", "paper", "--iterations", "7",
          "--no-transfer-intercept", "--rho", "0.5"});
  const auto options = json_of({"info", "model"})["options"];
  EXPECT_EQ(options["iterations"], "7");
  EXPECT_EQ(options["transfer-intercept"], "false");
  EXPECT_EQ(options["alpha"], "0.02");
  EXPECT_EQ(options["rho"], "0.5");
  EXPECT_EQ(options["start"], "zero");
}

TEST_F(Commands, ModelsAreByteIdenticalForAnyNumberOfThreadsAndEveryRun) {
  make_data();
  std::vector<std::string> models;
  for (const std::string threads : {"1", "2", "2"}) {
    out_of({"train", "data.arff", "-o", "model", "--threads", threads});
    models.push_back(read_file(folder_ / "model"));
  }
  EXPECT_EQ(models[0], models[1]);
  EXPECT_EQ(models[1], models[2]);
}

TEST_F(Commands, QuietSaysNothingOnStandardError) {
  make_data();
  const auto result = run({"train", "data.arff", "-o", "model", "--iterations", "2", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST_F(Commands, ProgressIsShownOnATerminalAlone) {
  make_data();
  const std::vector<std::string> arguments = {"train",    "data.arff", "-o",          "model",
                                              "--solver", "plain",     "--tolerance", "0"};
  const auto ignore = [](const std::string&) { return std::nullopt; };
  EXPECT_THAT(run_mugrad_on_terminal(arguments, ignore, {.folder = folder_.path()}).err,
              AllOf(HasSubstr("training"), HasSubstr("%")));
  EXPECT_THAT(run(arguments).err, ::testing::Not(HasSubstr("%")));
}

TEST_F(Commands, EvaluateNamesConventionThresholdAndMetrics) {
  make_model();
  const auto report = json_of({"evaluate", "model", "parts/test.arff", "--threshold", "0.3",
                               "--convention", "mulan", "--per-label", "--at", "2"});
  EXPECT_EQ(report["convention"], "mulan");
  EXPECT_EQ(report["threshold"], 0.3);
  EXPECT_EQ(report["examples"], 40);
  EXPECT_EQ(report["per_label"].size(), 6U);
  for (const MeasureInfo& measure : measures()) {
    const std::string name = std::string(measure.name) + (measure.has_k ? "2" : "");
    ASSERT_TRUE(report["metrics"].contains(name)) << name;
    EXPECT_TRUE(report["skipped"].contains(name));
  }
  EXPECT_GT(report["metrics"]["average-precision"].get<double>(), 0.7);
  const auto text = out_of({"evaluate", "model", "parts/test.arff"});
  EXPECT_THAT(text, AllOf(HasSubstr("convention sklearn"), HasSubstr("threshold 0."),
                          HasSubstr("skipped")));
}

TEST_F(Commands, PredictWritesLabelsScoresOrTheTopK) {
  make_model();
  const auto labels = out_of({"predict", "model", "parts/test.arff"});
  EXPECT_THAT(labels, StartsWith("row,labels\n1,"));
  EXPECT_EQ(std::ranges::count(labels, '\n'), 41);
  EXPECT_THAT(labels, HasSubstr("g1-"));
  const auto top = out_of({"predict", "model", "parts/test.arff", "--top-k", "2"});
  EXPECT_THAT(top, StartsWith("row,rank,label,score\n1,1,g"));
  EXPECT_EQ(std::ranges::count(top, '\n'), 81);
  out_of({"predict", "model", "parts/test.arff", "--scores", "-o", "scores.csv"});
  EXPECT_THAT(read_file(folder_ / "scores.csv"), StartsWith("row,g1-a,g1-b,g1-c,g2-a"));
  const auto document = json_of({"predict", "model", "parts/test.arff", "--top-k", "3"});
  ASSERT_EQ(document.size(), 40U);
  EXPECT_EQ(document[0]["labels"].size(), 3U);
  EXPECT_GE(document[0]["labels"][0]["score"], document[0]["labels"][1]["score"]);
}

TEST_F(Commands, PredictMatchesFeaturesByNameAndNeedsNoLabels) {
  folder_.write("train.csv", "a,b,hot,wet\n1,5,1,0\n2,3,1,0\n-1,4,0,1\n-2,6,0,1\n");
  folder_.write("new.csv", "b,a\n4,2\n4,-2\n");
  out_of({"train", "train.csv", "--label-count", "-2", "-o", "model"});
  EXPECT_EQ(out_of({"predict", "model", "new.csv"}), "row,labels\n1,hot\n2,wet\n");
}

TEST_F(Commands, MissingValuesAreFilledWithTheTrainingMeans) {
  folder_.write("train.csv", "a,b,hot,wet\n1,,1,0\n2,3,1,0\n-1,4,0,1\n-2,6,0,1\n");
  folder_.write("hole.csv", "a,b\n1.5,\n");
  folder_.write("filled.csv", "a,b\n1.5,4.333333333333333\n");  // the mean of 3, 4 and 6
  out_of({"train", "train.csv", "--label-count", "-2", "--impute", "mean", "-o", "model"});
  const auto filled = json_of({"predict", "model", "filled.csv", "--scores"});
  const auto hole = json_of({"predict", "model", "hole.csv", "--scores", "--impute", "mean"});
  EXPECT_NEAR(hole[0]["scores"]["hot"].get<double>(), filled[0]["scores"]["hot"].get<double>(),
              1e-12);
}

TEST_F(Commands, ModelCardShowsOptionsReportAndRelations) {
  make_model();
  const auto card = out_of({"info", "model", "--relations", "r.dot"});
  EXPECT_THAT(card, AllOf(HasSubstr("rho = 0.01"), HasSubstr("converged"),
                          HasSubstr("Strongest relations"), HasSubstr("g1-a")));
  EXPECT_THAT(read_file(folder_ / "r.dot"),
              AllOf(StartsWith("digraph"), HasSubstr("\"g1-a\" -> \"g1-b\"")));
  out_of({"info", "model", "--relations", "r.csv", "--quiet"});
  EXPECT_THAT(read_file(folder_ / "r.csv"), StartsWith("label,borrows_from,strength\ng"));
  const auto document = json_of({"info", "model"});
  EXPECT_EQ(document["labels"], 6);
  EXPECT_EQ(document["report"]["stop"], "converged");
  EXPECT_FALSE(document["strongest_relations"].empty());
}

TEST_F(Commands, DemoShowsBothModelsAndWhatToTypeNext) {
  const auto document = json_of({"demo"});
  EXPECT_GT(document["mgd"]["metrics"]["average-precision"],
            document["alone"]["metrics"]["average-precision"]);
  EXPECT_EQ(document["examples"].size(), 3U);
  EXPECT_EQ(document["relations"].size(), 8U);
  for (const auto& relation : document["relations"]) EXPECT_EQ(relation["truly_related"], true);
  const auto text = out_of({"demo"});
  EXPECT_THAT(text,
              AllOf(HasSubstr("skipped"), HasSubstr("average-precision"), HasSubstr("predicted"),
                    HasSubstr("truly related"), HasSubstr("mugrad train")));
}

TEST_F(Commands, OptionsMayStandBeforeTheData) {
  make_data("data.csv");
  out_of({"train", "--label-columns", "g*", "--drop", "x1", "data.csv", "-o", "model"});
  EXPECT_EQ(json_of({"info", "model"})["features"], 11);
  out_of({"evaluate", "--at", "1,2", "model", "data.csv"});
}

TEST_F(Commands, EvaluateFindsTheLabelsOfACsvByTheModelsNames) {
  make_data("data.csv");
  out_of({"train", "data.csv", "--label-count", "-6", "-o", "model"});
  EXPECT_EQ(json_of({"evaluate", "model", "data.csv"})["labels"], 6);
}

TEST_F(Commands, InfoOfACsvWithoutLabelsSaysHowToNameThem) {
  make_data("data.csv");
  const auto result = run({"info", "data.csv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("--label-columns"));
}

TEST_F(Commands, PredictTakesUnknownLabelValues) {
  const std::string header =
      "@relation 'r: -C -2'\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n";
  folder_.write("known.arff", header + "1,1,0\n-1,0,1\n2,1,0\n-2,0,1\n");
  folder_.write("new.arff", header + "3,?,?\n-3,?,?\n");
  out_of({"train", "known.arff", "-o", "model"});
  EXPECT_EQ(out_of({"predict", "model", "new.arff"}), "row,labels\n1,a\n2,b\n");
}

TEST_F(Commands, TransferComesFromASimilarityOrFromTheRelationsOfAModel) {
  make_model();
  out_of({"info", "model", "--relations", "r.csv"});
  out_of({"train", "parts/train.arff", "-o", "again", "--transfer", "r.csv"});
  EXPECT_EQ(json_of({"info", "again"})["options"]["transfer"], "given");
  const auto first = json_of({"info", "model"})["strongest_relations"];
  const auto again = json_of({"info", "again"})["strongest_relations"];
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_NEAR(first[k]["strength"].get<double>(), again[k]["strength"].get<double>(), 1e-9);
  }
  out_of({"train", "parts/train.arff", "-o", "few", "--transfer", "pearson", "--neighbours", "1"});
  EXPECT_LE(json_of({"info", "few"})["strongest_relations"].size(), 6U);
  EXPECT_EQ(run({"train", "parts/train.arff", "-o", "x", "--transfer", "magic"}).exit_code, 2);
}

TEST_F(Commands, CertifySaysWhatIsPromisedAndChecksIt) {
  make_data();
  const auto logistic = json_of({"certify", "data.arff", "--check"});
  EXPECT_EQ(logistic["strong_convexity"], 0);
  EXPECT_TRUE(logistic["iterations_to_tolerance"].is_null());
  EXPECT_EQ(logistic["checks"][0]["kept"], true);
  const auto squared =
      json_of({"certify", "data.arff", "--loss", "squared", "--rho", "0.1", "--sigma", "0.3",
               "--transfer-intercept", "--alpha", "0.02", "--check"});
  EXPECT_GT(squared["strong_convexity"].get<double>(), 0);
  EXPECT_GT(squared["iterations_to_tolerance"].get<int>(), 0);
  ASSERT_EQ(squared["checks"].size(), 3U);
  for (const auto& check : squared["checks"]) {
    EXPECT_EQ(check["kept"], true);
    EXPECT_GT(check["observed"].get<double>(), 0);
  }
  EXPECT_THAT(out_of({"certify", "data.arff"}), HasSubstr("largest safe step"));
}

TEST_F(Commands, GenerateChoosesACardinalityThatFitsFewLabels) {
  const auto report = json_of({"generate", "-o", "few.arff", "--labels", "2"});
  EXPECT_NEAR(report["cardinality"].get<double>(), 1, 0.1);
}

}  // namespace
}  // namespace mugrad::testing
