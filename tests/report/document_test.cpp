// SPDX-License-Identifier: MIT
#include "support/small_model.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/report/page.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

ReportContents some_contents() {
  Results results{.head = {.protocol = "2 random splits", .splits = 2, .test_share = 0.2}};
  results.head.sets = {{.name = "emotions", .rows = 593, .labels = 6}, {.name = "</script>"}};
  results.head.contenders = {{"MGD", "mgd", "mgd --rho 0.1"}, {"br", "br", "br"}};
  for (const auto& set : results.head.sets) {
    for (const auto& method : results.head.contenders) {
      for (Index split = 0; split < 2; ++split) {
        results.records.push_back(
            {.set = set.name,
             .contender = method.name,
             .split = split,
             .options = {{"rho", "0.1"}},
             .thresholds = "0.3",
             .metrics = {{{Measure::average_precision}, method.name == "br" ? 0.4 : 0.5}},
             .seconds = 2});
      }
    }
  }
  ComparisonOptions options;
  options.metrics = {{Measure::average_precision}};
  ReportContents contents{.created = "2020-01-01"};
  contents.comparison = compare_results(std::vector{results}, options);
  contents.published["average-precision"]["mgd"]["emotions"] = {0.8, 0.01};
  return contents;
}

TEST(ReportDocument, HoldsWhatThePageShows) {
  const auto document = json::parse(report_document(some_contents()));
  EXPECT_EQ(document["version"], 2);
  const auto& results = document["results"];
  EXPECT_EQ(results["sets"][0]["labels"], 6);
  EXPECT_EQ(results["cells"].size(), 4);
  EXPECT_EQ(results["cells"][0]["best"], true);
  EXPECT_EQ(results["cells"][0]["published"]["mean"], 0.8);
  EXPECT_TRUE(results["cells"][1]["published"].is_null());
  EXPECT_EQ(results["options"][0]["values"]["rho"], "0.1");
  EXPECT_EQ(results["seconds"][0]["mean"], 2);
  EXPECT_EQ(results["statistics"][0]["methods"][0]["mean_rank"], 1);
  EXPECT_EQ(results["statistics"][0]["pairs"][0]["wins"], 2);
  EXPECT_FALSE(document.contains("relations"));
}

TEST(ReportDocument, NamesFailuresAndCountsTheSetsThatAreRanked) {
  Results results{.head = {.protocol = "1 random split", .splits = 1, .test_share = 0.2}};
  results.head.sets = {{.name = "a"}, {.name = "b"}};
  results.head.contenders = {{"br", "br", "br"}};
  results.records = {{.set = "a", .contender = "br", .metrics = {{{Measure::coverage}, 0.5}}},
                     {.set = "b", .contender = "br", .failure = "no room"}};
  ComparisonOptions options;
  options.metrics = {{Measure::coverage}};
  ReportContents contents;
  contents.comparison = compare_results(std::vector{results}, options);
  const auto document = json::parse(report_document(contents))["results"];
  EXPECT_EQ(document["statistics"][0]["sets"], 1);
  EXPECT_EQ(document["failures"],
            json::array({{{"set", "b"}, {"method", "br"}, {"repeat", 1}, {"reason", "no room"}}}));
}

TEST(ReportDocument, SaysWhichRepeatsHaveAValueAndHowManyThereAre) {
  // The splits that are not there take no room.
  Results results{
      .head = {.protocol = "random splits", .splits = Index{1} << 40, .test_share = 0.2}};
  results.head.sets = {{.name = "a"}};
  results.head.contenders = {{"br", "br", "br"}};
  results.records = {
      {.set = "a", .contender = "br", .split = 0, .failure = "no room"},
      {.set = "a", .contender = "br", .split = 1, .metrics = {{{Measure::coverage}, 0.5}}},
      {.set = "a", .contender = "br", .split = 9, .metrics = {{{Measure::coverage}, 0.25}}}};
  ComparisonOptions options;
  options.metrics = {{Measure::coverage}};
  ReportContents contents;
  contents.comparison = compare_results(std::vector{results}, options);
  const auto document = json::parse(report_document(contents))["results"];
  EXPECT_EQ(document["repeats"], Index{1} << 40);
  EXPECT_EQ(document["cells"][0]["repeats"],
            json::array({{{"repeat", 2}, {"value", 0.5}}, {{"repeat", 10}, {"value", 0.25}}}));
}

TEST(ReportDocument, ShowsWhatTheLabelsOfAModelBorrow) {
  ReportContents contents;
  contents.model = Model(testing::small_model());
  contents.model_name = "small";
  const auto relations = json::parse(report_document(contents))["relations"];
  ASSERT_GE(relations["links"].size(), 1);
  for (const auto& link : relations["links"]) {
    EXPECT_NE(link["label"], link["from"]);
    EXPECT_GT(link["share"].get<double>(), 0);
    EXPECT_LT(link["from"].get<std::size_t>(), relations["labels"].size());
  }
}

TEST(ReportPage, IsTheBuiltPageWithTheDocumentAndNothingInItCanEndIt) {
  if (!has_report_page()) GTEST_SKIP() << "built without npm: there is no page";
  const std::string page = report_page(some_contents());
  EXPECT_THAT(page, HasSubstr("\"title\":\"Comparison\""));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
  EXPECT_THAT(page, Not(HasSubstr("id=\"document\">{}<")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

TEST(Studies, AreReadBackAsTheyWereWritten) {
  const TemporaryFolder folder;
  ConvergenceStudy curves{.metric = {Measure::average_precision},
                          .setting = "rho 0.1",
                          .curves = {{"MGD", {0, 1, 5}, {3, 2, 1.5}, {0.1, 0.2, 0.3}}}};
  SensitivityStudy map{.metric = {Measure::coverage}, .rhos = {0.1, 1}, .sigmas = {0, 0.3, 1}};
  map.values = Matrix<double>(2, 3);
  map.values(1, 2) = 0.25;
  map.values(0, 0) = 0.5;
  ReportContents contents;
  add_study(folder.write("a", study_json("emotions", curves)), contents);
  add_study(folder.write("b", study_json("enron", map)), contents);
  ASSERT_EQ(contents.convergence.size(), 1);
  EXPECT_EQ(contents.convergence[0].first, "emotions");
  EXPECT_EQ(contents.convergence[0].second.curves[0].total_loss, curves.curves[0].total_loss);
  ASSERT_EQ(contents.sensitivity.size(), 1);
  EXPECT_EQ(contents.sensitivity[0].second.values, map.values);
  const auto document = json::parse(report_document(contents));
  EXPECT_EQ(document["sensitivity"][0]["larger_is_better"], false);
  // Smaller is better, and zero is the smallest: the first of those that are.
  EXPECT_EQ(document["sensitivity"][0]["fixed_rho"], 0.1);
  EXPECT_EQ(document["sensitivity"][0]["fixed_sigma"], 0.3);
}

TEST(Studies, WhatIsNoNumberOrNoTextIsReadBackAsSuch) {
  const TemporaryFolder folder;
  const double none = std::numeric_limits<double>::quiet_NaN();
  const ConvergenceStudy curves{.metric = {Measure::coverage},
                                .curves = {{"MGD", {0, 1}, {3, none}, {none, 0.2}}}};
  SensitivityStudy map{.metric = {Measure::coverage}, .rhos = {0.1}, .sigmas = {0, 0.3}};
  map.values = Matrix<double>(1, 2);
  map.values(0, 0) = none;
  map.values(0, 1) = 0.5;
  ReportContents contents;
  add_study(folder.write("a", study_json("a\xff", curves)), contents);
  add_study(folder.write("b", study_json("b", map)), contents);
  EXPECT_EQ(contents.convergence.at(0).first, "a\uFFFD");
  const auto& curve = contents.convergence[0].second.curves.at(0);
  EXPECT_EQ(curve.total_loss[0], 3);
  EXPECT_TRUE(std::isnan(curve.total_loss[1]));
  EXPECT_TRUE(std::isnan(curve.metric[0]));
  EXPECT_TRUE(std::isnan(contents.sensitivity.at(0).second.values(0, 0)));
  // A setting without a value is not the best one.
  EXPECT_EQ(json::parse(report_document(contents))["sensitivity"][0]["fixed_sigma"], 0.3);
}

TEST(Studies, FilesThatHoldNoneAreNamed) {
  const TemporaryFolder folder;
  ReportContents contents;
  EXPECT_THAT([&] { add_study(folder.write("x", "{\"mugrad-study\":1}"), contents); },
              ThrowsMessage<InputError>(HasSubstr("x: its JSON lacks 'sensitivity'")));
  EXPECT_THAT([&] { add_study(folder.write("y", "{"), contents); },
              ThrowsMessage<InputError>(HasSubstr("y is not JSON at byte 2")));
  EXPECT_THAT([&] { add_study(folder.write("v", "{\"mugrad-study\":7}"), contents); },
              ThrowsMessage<InputError>(HasSubstr("v has a study of another version")));
  EXPECT_THAT([&] { read_published(folder.write("z", "[]")); },
              ThrowsMessage<InputError>(HasSubstr("z: its JSON must be an object with 'results'")));
  EXPECT_THAT(
      [&] { read_published(folder.write("f", R"({"results":{"a":{"b":{"c":{"mean":"d"}}}}})")); },
      ThrowsMessage<InputError>(HasSubstr("f: results.a.b.c.mean must be a number, got \"d\"")));
}

TEST(Studies, NestedDeepAreRefused) {
  const TemporaryFolder folder;
  ReportContents contents;
  for (const std::string& deep :
       {std::string(80'000, '['), R"({"mugrad-study":1,"x":)" + std::string(80'000, '[')}) {
    EXPECT_THAT([&] { add_study(folder.write("s", deep), contents); },
                ThrowsMessage<InputError>(HasSubstr("s is nested more than 16 levels deep")));
    EXPECT_THAT([&] { read_published(folder.write("p", deep)); },
                ThrowsMessage<InputError>(HasSubstr("p is nested more than 16 levels deep")));
  }
}

/// Whatever is asked for is there: no number of the file makes room for what it has not.
TEST(Studies, WhoseSizesDoNotFitAreRefusedBeforeRoomIsMade) {
  const TemporaryFolder folder;
  const auto refuses = [&](const json& study, const std::string& why) {
    ReportContents contents;
    const auto path = folder.write("s", json{{"mugrad-study", 1}, {"sensitivity", study}}.dump());
    EXPECT_THAT([&] { add_study(path, contents); },
                ThrowsMessage<InputError>(HasSubstr("s: sensitivity." + why)));
    EXPECT_TRUE(contents.sensitivity.empty());
  };
  const json good = {{"set", "a"},
                     {"metric", "coverage"},
                     {"rhos", {0.1, 1}},
                     {"sigmas", {0, 0.3}},
                     {"values", {{1, 2}, {3, nullptr}}}};
  ReportContents contents;
  add_study(folder.write("g", json{{"mugrad-study", 1}, {"sensitivity", good}}.dump()), contents);
  EXPECT_EQ(contents.sensitivity.size(), 1);
  const auto with = [&](const char* key, const json& value) {
    json changed = good;
    changed[key] = value;
    return changed;
  };
  const std::vector<int> many(60'000, 1);
  json huge = with("rhos", many);
  huge["sigmas"] = many;
  refuses(huge, "values must have a list for each of 60000 rhos, got a list of 2");
  refuses(with("rhos", json::array()), "rhos must list at least one number, ascending");
  refuses(with("sigmas", json::array()), "sigmas must list at least one number, ascending");
  refuses(with("rhos", {1, 0.1}), "rhos must list at least one number, ascending");
  refuses(with("rhos", {0.1, nullptr}), "rhos[1] must be a number, got null");
  refuses(with("rhos", {0.1, "1"}), "rhos[1] must be a number, got \"1\"");
  refuses(with("values", {{1, 2}, {3}}), "values[1] must list a number for each of 2 sigmas");
  refuses(with("values", {{1, 2}, 3}), "values[1] must be a list, got 3");
  refuses(with("values", 7), "values must be a list, got 7");
  refuses(with("metric", "speed"), "metric must be the name of a metric, got \"speed\"");
  refuses(with("set", 3), "set must be a string, got 3");
}

TEST(Studies, CurvesHaveANumberForEachIteration) {
  const TemporaryFolder folder;
  const auto refuses = [&](const json& curve, const std::string& why) {
    ReportContents contents;
    const json study = {
        {"set", "a"}, {"metric", "coverage"}, {"setting", ""}, {"curves", json::array({curve})}};
    const auto path = folder.write("s", json{{"mugrad-study", 1}, {"convergence", study}}.dump());
    EXPECT_THAT([&] { add_study(path, contents); },
                ThrowsMessage<InputError>(HasSubstr("s: convergence.curves[0]" + why)));
  };
  refuses({{"name", "a"}, {"iterations", {0, 1}}, {"total_loss", {1}}, {"metric", {1, 2}}},
          ".total_loss must list 2 numbers, one per iteration");
  refuses({{"name", "a"}, {"iterations", {0, -1}}, {"total_loss", {1, 2}}, {"metric", {1, 2}}},
          ".iterations[1] must be a whole number");
  refuses({{"name", "a"}, {"iterations", {1e30}}, {"total_loss", {1}}, {"metric", {1}}},
          ".iterations[0] must be a whole number");
  refuses(7, " must be an object with 'iterations', got 7");
}

TEST(Studies, WithoutASettingCannotBeWritten) {
  EXPECT_THROW(study_json("a", SensitivityStudy{.metric = {Measure::coverage}}), UsageError);
}

}  // namespace
}  // namespace mugrad
