// SPDX-License-Identifier: MIT
// What is true of a method, a metric or a file format is declared in one place: nobody else
// compares its name. Metrics are values of a type: nobody but that type makes or reads their texts.
#include "support/paths.h"
#include "support/source_files.h"

#include <mugrad/data/files.h>
#include <mugrad/method/method.h>
#include <mugrad/metric/metric.h>

#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {
namespace {

const std::vector<std::string> kEverywhere = {"src", "include", "cli", "python/bindings",
                                              "python/mugrad"};
const std::vector<std::string> kLanguages = {".h", ".cpp", ".py", ".js"};

/// One of these names in quotes, in C++, Python or JavaScript.
std::regex quoted(const std::vector<std::string_view>& names, const std::string& before = "") {
  std::string any;
  for (const auto name : names) any += (any.empty() ? "" : "|") + std::string(name);
  return std::regex(before + "[\"'](" + any + ")[\"']");
}

/// A comparison with one of these names.
std::regex comparison(const std::vector<std::string_view>& names) {
  return quoted(names, "[!=]= *");
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const Method* const method : methods()) names.push_back(method->name());
  return names;
}

/// Lines outside src/method that may name a method.
constexpr std::array<std::string_view, 6> kMayNameAMethod = {
    "    _method = \"",              // an estimator of Python
    "std::string method = \"mgd\"",  // the default of --method
    "method_named(\"mgd\")",         // commands that are only about MGD
    "known = table(\"mgd\")",        // the same in Python
    "{\"mgd\", evaluation_json(",    // the demo
    "/// Parses \"mgd\"",            // an example
};

TEST(Architecture, NobodyNamesAMethodButTheMethodItself) {
  const std::regex forbidden = quoted(method_names());
  for (const std::string found :
       {R"(if (name == "mgd"))", "if (name !== 'br')", R"(names.contains("cc"))"}) {
    EXPECT_TRUE(std::regex_search(found, forbidden)) << found;
  }
  auto files = files_below(kEverywhere, kLanguages);
  constexpr const char* kWhy = "a fact about a method belongs into its traits";
  expect_no_line(files, comparison(method_names()), kWhy);
  std::erase_if(files, [](const auto& file) {  // a method is defined in the folder of its family
    const auto folder = file.parent_path();
    return folder.parent_path() == in_repository("src/method") && folder.filename() != "common";
  });
  std::set<std::string_view> used;
  const auto is_forbidden = [&](const std::string& line) {
    if (!std::regex_search(line, forbidden)) return false;
    for (const auto allowed : kMayNameAMethod) {
      if (line.find(allowed) == line.npos) continue;
      used.insert(allowed);
      return false;
    }
    return true;
  };
  expect_no_line(files, is_forbidden, kWhy);
  EXPECT_EQ(used.size(), kMayNameAMethod.size()) << "the list allows more than is needed";
}

TEST(Architecture, NobodyComparesTheNameOfAFileFormat) {
  std::vector<std::string_view> names;
  for (const FormatInfo& format : file_formats()) names.push_back(format.name);
  expect_no_line(
      files_below({"src/data", "include", "cli", "python/bindings", "python/mugrad"}, kLanguages),
      comparison(names), "a fact about a format belongs into its FormatKind");
}

TEST(Architecture, NobodyAsksWhichFormatAFileHas) {
  const std::regex forbidden(R"re([!=]= *Format::\w+)re");
  EXPECT_TRUE(std::regex_search("if (format == Format::csv)", forbidden));
  expect_no_line(files_below(kEverywhere, kLanguages), forbidden,
                 "a fact about a format belongs into its FormatInfo or FormatKind");
}

TEST(Architecture, NobodyComparesTheNameOfAMetric) {
  std::vector<std::string_view> names;
  for (const MeasureInfo& measure : measures()) names.push_back(measure.name);
  expect_no_line(files_below(kEverywhere, kLanguages), comparison(names),
                 "a fact about a metric belongs into MeasureInfo");
}

/// The report page shows whatever the document names.
TEST(Architecture, TheReportPageKnowsNoMethodMetricOrFormat) {
  std::string any;
  for (const auto name : method_names()) any += std::string(name) + "|";
  for (const MeasureInfo& measure : measures()) any += std::string(measure.name) + "|";
  for (const FormatInfo& format : file_formats()) any += std::string(format.name) + "|";
  any.pop_back();
  const std::regex forbidden("[\"'`](" + any + ")[0-9]*[\"'`]");
  EXPECT_TRUE(std::regex_search("const first = 'precision@3';", forbidden));
  expect_no_line(files_below({"src/report/page"}, {".js", ".mjs", ".html"}), forbidden,
                 "have src/report/document.cpp say it in the document");
}

TEST(Architecture, NobodyMakesOrComparesTheTextOfAMetricWithItsConvention) {
  const std::regex forbidden(R"re("[^"]*\((mulan|lamda|sklearn)\)|"macro-f1 \(|\.find\(" \("\))re");
  EXPECT_TRUE(std::regex_search(std::string(R"j(metric == "macro-f1 (mulan)")j"), forbidden));
  EXPECT_TRUE(std::regex_search(std::string(R"j(metric.ends_with("(mulan)"))j"), forbidden));
  expect_no_line(files_below({"src/experiment", "src/report", "include/mugrad/experiment", "cli",
                              "python/bindings", "python/mugrad"},
                             {".h", ".cpp", ".py"}),
                 forbidden, "metrics are compared as Metric");
}

}  // namespace
}  // namespace mugrad::testing
