// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/report/comparison.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace mugrad {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();

/// values[set][method][split] of average precision. There are as many splits as the longest has.
Results results_of(const std::vector<std::vector<std::vector<double>>>& values,
                   const std::string& prefix = "set") {
  Results results{.head = {.protocol = "some splits", .test_share = 0.2}};
  for (std::size_t s = 0; s < values.size(); ++s) {
    results.head.sets.push_back({.name = prefix + std::to_string(s)});
    for (std::size_t m = 0; m < values[s].size(); ++m) {
      const std::string name = "m" + std::to_string(m);
      if (s == 0) results.head.contenders.push_back({name, "br", name});
      results.head.splits = std::max(results.head.splits, std::ssize(values[s][m]));
      for (std::size_t k = 0; k < values[s][m].size(); ++k) {
        if (std::isnan(values[s][m][k])) {
          results.records.push_back({.set = results.head.sets[s].name,
                                     .contender = name,
                                     .split = static_cast<Index>(k),
                                     .failure = "no room"});
          continue;
        }
        results.records.push_back({.set = results.head.sets[s].name,
                                   .contender = name,
                                   .split = static_cast<Index>(k),
                                   .options = {{"rho", "0.1"}},
                                   .thresholds = "0.5",
                                   .metrics = {{{Measure::average_precision}, values[s][m][k]}}});
      }
    }
  }
  return results;
}

Comparison compared(const std::vector<Results>& files, ComparisonOptions options = {}) {
  options.metrics = {{Measure::average_precision}};
  return compare_results(files, options);
}

TEST(Comparison, CellsHaveMeansDeviationsAndRanks) {
  const auto comparison = compared(
      {results_of({{{0.5, 0.6}, {0.7, 0.9}, {0.1, 0.1}}, {{0.3, 0.3}, {0.2, 0.2}, {0.1, 0.1}}})});
  const auto& table = comparison.tables.front();
  EXPECT_NEAR(table.cells[0][0].mean, 0.55, 1e-12);
  EXPECT_NEAR(table.cells[0][0].deviation, std::sqrt(0.005), 1e-12);
  EXPECT_EQ(table.cells[0][0].rank, 2);
  EXPECT_EQ(table.cells[0][1].rank, 1);
  EXPECT_TRUE(
      std::isnan(compared({results_of({{{0.3}, {0.2}}})}).tables.front().cells[0][0].deviation));
  EXPECT_NEAR(table.mean_ranks[0], 1.5, 1e-12);
  EXPECT_TRUE(table.cells[0][1].is_best);
  EXPECT_TRUE(table.cells[0][0].is_second);
  EXPECT_FALSE(table.cells[0][2].is_second);
}

TEST(Comparison, WhatIsPrintedAlikeIsBestTogether) {
  const auto comparison = compared({results_of({{{0.8001}, {0.8004}, {0.7}, {0.6}}})});
  const auto& cells = comparison.tables.front().cells[0];
  EXPECT_TRUE(cells[0].is_best);
  EXPECT_TRUE(cells[1].is_best);
  EXPECT_TRUE(cells[2].is_second);
  EXPECT_FALSE(cells[3].is_second);
}

TEST(Comparison, SmallerIsBetterForLosses) {
  Results results = results_of({{{0.1}, {0.2}}});
  for (auto& record : results.records) {
    record.metrics[{Measure::coverage}] = record.metrics.at({Measure::average_precision});
  }
  ComparisonOptions options;
  options.metrics = {{Measure::coverage}};
  const auto comparison = compare_results(std::vector{results}, options);
  EXPECT_TRUE(comparison.tables.front().cells[0][0].is_best);
  EXPECT_EQ(comparison.tables.front().cells[0][1].rank, 2);
}

TEST(Comparison, MarksAreByTheCorrectedTTest) {
  // Differences 0.05 +- 0.01 of five splits: t = 0.05 / sqrt((1/5 + 0.2/0.8) 0.0001) = 7.45 with 4
  // degrees of freedom, p 0.0017. Differences of 0.01 +- 0.01: t = 1.49, p 0.21.
  const auto comparison = compared({results_of({{{0.5, 0.5, 0.5, 0.5, 0.5},
                                                 {0.54, 0.55, 0.56, 0.5629, 0.5371},
                                                 {0.50, 0.51, 0.52, 0.5229, 0.4971},
                                                 {0.46, 0.45, 0.44, 0.4371, 0.4629}}})});
  const auto& cells = comparison.tables.front().cells[0];
  EXPECT_EQ(cells[0].mark, Mark::none);
  EXPECT_EQ(cells[1].mark, Mark::better);
  EXPECT_EQ(cells[2].mark, Mark::none);
  EXPECT_EQ(cells[3].mark, Mark::worse);
  const auto other =
      compared({results_of({{{0.5, 0.5, 0.5}, {0.61, 0.6, 0.59}}})}, {.control = "m1"});
  EXPECT_EQ(other.tables.front().cells[0][0].mark, Mark::worse);
}

TEST(Comparison, FilesArePutTogetherWhenTheyWereMadeAlike) {
  const auto first = results_of({{{0.1}, {0.2}}}, "a");
  auto second = results_of({{{0.3}, {0.4}}}, "b");
  const auto both = compared({first, second});
  EXPECT_EQ(both.sets.size(), 2);
  EXPECT_EQ(both.methods.size(), 2);
  EXPECT_TRUE(both.tables.front().friedman.has_value());
  EXPECT_THAT(
      [&] {
        compared({first, first});
      },
      ThrowsMessage<UsageError>(HasSubstr("two files have results of m0 on a0")));
  second.head.protocol = "other splits";
  EXPECT_THAT(
      [&] {
        compared({first, second});
      },
      ThrowsMessage<UsageError>(HasSubstr("different protocols")));
}

TEST(Comparison, SetsWithoutAllMethodsAreNotRanked) {
  const auto comparison =
      compared({results_of({{{0.5}, {0.6}}, {{0.5}, {}}, {{0.2}, {0.1}}, {{0.2}, {0.1}}})});
  const auto& table = comparison.tables.front();
  EXPECT_TRUE(std::isnan(table.cells[1][0].rank));
  EXPECT_TRUE(std::isnan(table.cells[1][1].mean));
  EXPECT_NEAR(table.mean_ranks[0], 4.0 / 3, 1e-12);
}

TEST(Comparison, AMethodThatLacksSplitsIsShownAndNotCompared) {
  const auto comparison = compared({results_of({{{0.1, 0.2, 0.3}, {0.9, 0.9, kFailed}, {0, 0, 0}},
                                                {{0.1, 0.2, 0.3}, {0.2, 0.3, 0.4}, {0, 0, 0}}})});
  const auto& table = comparison.tables.front();
  const auto& lacking = table.cells[0][1];
  EXPECT_FALSE(lacking.is_complete);
  EXPECT_NEAR(lacking.mean, 0.9, 1e-12);
  EXPECT_FALSE(lacking.is_best);
  EXPECT_EQ(lacking.mark, Mark::none);
  EXPECT_TRUE(table.cells[0][0].is_best);
  EXPECT_TRUE(table.cells[0][2].is_second);
  for (const auto& cell : table.cells[0]) EXPECT_TRUE(std::isnan(cell.rank));
  EXPECT_EQ(table.ranked_sets, 1);
  EXPECT_EQ(table.mean_ranks, (std::vector<double>{2, 1, 3}));
  EXPECT_EQ(comparison.failures, (std::vector<Failure>{{"set0", "m1", 2, "no room"}}));
}

TEST(Comparison, OneNameMeansOneMethodUnlessSaidOtherwise) {
  const auto first = results_of({{{0.1}, {0.2}}}, "a");
  auto second = results_of({{{0.3}, {0.4}}}, "b");
  second.head.contenders[1].text = "m1 --rho 2";
  EXPECT_THAT(
      [&] {
        compared({first, second});
      },
      ThrowsMessage<UsageError>(HasSubstr("different methods called 'm1': 'm1' and 'm1 --rho 2'")));
  const auto third = results_of({{{0.3}, {0.4}}}, "c");
  const auto all = compared({first, second, third}, {.different_options = true});
  EXPECT_EQ(all.methods[0].text, "m0");
  EXPECT_EQ(all.methods[1].text, "m1 | m1 --rho 2");
}

TEST(Comparison, DifferencesThatPrintAlikeAreEqualAmounts) {
  // As doubles 0.3 - 0.2 and 0.7 - 0.6 are less than 0.2 - 0.1, which would have the rank 3 to
  // itself. Alike, all three share the rank 2.
  const auto comparison = compared({results_of({{{0.3}, {0.2}}, {{0.7}, {0.6}}, {{0.1}, {0.2}}})});
  const auto& test = comparison.tables.front().pairs.front().test;
  EXPECT_EQ(test.statistic, 2);
  EXPECT_EQ(test.p, 1);
}

TEST(Comparison, MistakesAreNamed) {
  const auto results = results_of({{{0.1}, {0.2}}});
  EXPECT_THAT([&] { compared({results}, {.control = "m9"}); },
              ThrowsMessage<UsageError>(HasSubstr("no method 'm9' among the results: m0, m1")));
  EXPECT_THAT([&] { compared({results_of({})}); },
              ThrowsMessage<UsageError>(HasSubstr("no results to show")));
}

TEST(Tables, MarkTheBestInEveryFormat) {
  const auto comparison =
      compared({results_of({{{0.5, 0.6}, {0.7, 0.9}}, {{0.3, 0.3}, {0.2, 0.1}}})});
  const auto text = format_tables(comparison, TableFormat::text);
  EXPECT_THAT(text, HasSubstr("0.800 +- 0.141*"));
  EXPECT_THAT(text, HasSubstr("0.550 +- 0.071'"));
  EXPECT_THAT(text, HasSubstr("Friedman: chi-squared"));
  EXPECT_THAT(format_tables(comparison, TableFormat::markdown),
              HasSubstr("| m1 | **0.800 ± 0.141** | <u>0.150 ± 0.071</u> | 1.50 |"));
  EXPECT_THAT(format_tables(comparison, TableFormat::latex),
              HasSubstr("m1 & $\\mathbf{0.800 \\pm 0.141}$ & $\\underline{0.150 \\pm 0.071}$ & "
                        "1.50 \\\\"));
  EXPECT_THAT(format_tables(comparison, TableFormat::csv),
              HasSubstr("\naverage-precision,set0,m1,0.8,"));
}

TEST(Tables, NamesAreSafeInLatex) {
  auto results = results_of({{{0.5}, {0.6}}});
  results.head.protocol = "one\n\\line";
  results.head.sets[0].name = "50%_a&b";
  results.head.contenders[0].name = "my_{m}";
  for (auto& record : results.records) {
    record.set = "50%_a&b";
    if (record.contender == "m0") record.contender = "my_{m}";
  }
  const auto text = format_tables(compared({results}), TableFormat::latex);
  EXPECT_THAT(text, HasSubstr("50\\%\\_a\\&b"));
  EXPECT_THAT(text, Not(HasSubstr("& 50%")));
  EXPECT_THAT(text, HasSubstr("worse than my\\_\\{m\\} at 0.05"));
  EXPECT_THAT(text, StartsWith("% one\\x0a\\line\n"));
}

/// Results whose every name, and a failure's reason, is this text.
Comparison comparison_named(const std::string& name) {
  auto results = results_of({{{0.5, 0.6}, {0.6, kFailed}}, {{0.5, 0.6}, {0.6, 0.7}}});
  results.head.protocol = name;
  results.head.sets[0].name = name;
  results.head.contenders[0].name = name;
  for (auto& record : results.records) {
    if (record.set == "set0") record.set = name;
    if (record.contender == "m0") record.contender = name;
    if (!record.failure.empty()) record.failure = name;
  }
  return compared({results});
}

TEST(Tables, NamesAreSafeInMarkdown) {
  const auto text = format_tables(
      comparison_named("a|b\n# c <img src=x onerror=alert(1)> [d](javascript:e) `f` **g** &lt;"),
      TableFormat::markdown);
  const std::string escaped =
      R"(a\|b\\x0a\# c \<img src=x onerror=alert(1)\> \[d\](javascript:e) \`f\` \*\*g\*\* \&lt;)";
  EXPECT_THAT(text, StartsWith(escaped + ". **Bold** best"));
  EXPECT_THAT(text, HasSubstr("\n| method | " + escaped + " | set1 | mean rank |\n"));
  EXPECT_THAT(text, HasSubstr("\n| " + escaped + " | "));
  const std::string reason = R"(a\|b \# c \<img src=x)";
  EXPECT_THAT(text, HasSubstr("\n- m1 failed on " + escaped + ", split 2: " + reason));
  EXPECT_THAT(text, Not(HasSubstr(" <img")));
  for (const char* start : {"# a", "- a", "+ a", "> a", "1. a", "12) a", "=== a", "``` a"}) {
    const auto at_start = format_tables(comparison_named(start), TableFormat::markdown);
    EXPECT_THAT(at_start, Not(StartsWith(start)));
    EXPECT_THAT(at_start, Not(HasSubstr("\n" + std::string(start))));
    EXPECT_THAT(at_start, Not(HasSubstr("- " + std::string(start))));
  }
}

TEST(Tables, NamesDoNotLeaveTheirPlaceInLatex) {
  const auto text = format_tables(comparison_named("[a]*\n\\input{x}\r%<"), TableFormat::latex);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with('%') || line.find("\\input") == line.npos) << line;
  }
  EXPECT_THAT(text, HasSubstr("\\midrule\n{[}a{]}{*}\\textbackslash{}x0a"));
}

TEST(Tables, NamesAreNoFormulasInCsv) {
  const auto csv_of = [](const std::string& name) {
    return format_tables(comparison_named(name), TableFormat::csv);
  };
  for (const std::string name : {"=1+2", "+a", "-a", "@a", "=HYPERLINK(\"x\")"}) {
    EXPECT_THAT(csv_of(name), AnyOf(HasSubstr(",'" + name + ","), HasSubstr(",\"'=HYPERLINK(")));
  }
  EXPECT_THAT(csv_of("\t=1"), HasSubstr(",'\t=1,"));
  for (const std::string name : {"-1", "+2.5e3", "a=b", "a"}) {
    EXPECT_THAT(csv_of(name), HasSubstr("," + name + ","));
  }
}

TEST(Tables, NamesCannotSteerATerminal) {
  const auto text = format_tables(comparison_named("a\x1b[2J\nb\u202e"), TableFormat::text);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\u202e")));
  EXPECT_THAT(text, HasSubstr("a\\x1b[2J\\x0ab\\u202e"));
}

TEST(Comparison, FilesTogetherAreBoundedAsOneIs) {
  auto results = results_of({{{0.1}, {0.2}}});
  for (std::size_t k = 0; k < kMostContenders; ++k) {
    const auto name = std::to_string(k);
    results.head.contenders.push_back({name, "mgd", name});
  }
  EXPECT_THAT(
      [&] { compared({results}); },
      ThrowsMessage<UsageError>(HasSubstr("130 methods together, at most 128 can be compared")));
}

TEST(Comparison, SplitsThatAreNotThereTakeNoRoom) {
  auto results = results_of({{{0.1}, {0.2}}});
  results.head.splits = Index{1} << 50;
  const auto comparison = compared({results});
  EXPECT_FALSE(comparison.tables.front().cells[0][0].is_complete);
  EXPECT_THAT(format_tables(comparison, TableFormat::text), HasSubstr("of 1125899906842624"));
}

TEST(Tables, SayWhatFailedAndOverHowManySplitsAndSetsTheyAre) {
  const auto comparison =
      compared({results_of({{{0.1, 0.2, 0.3, 0.4}, {kFailed, 0.5, kFailed, kFailed}},
                            {{0.1, 0.2, 0.3, 0.4}, {kFailed, kFailed, kFailed, kFailed}},
                            {{0.1, 0.2, 0.3, 0.4}, {0.2, 0.3, 0.4, 0.5}},
                            {{0.1, 0.2, 0.3, 0.4}, {0.2, 0.3, 0.4, 0.5}}})});
  const auto text = format_tables(comparison, TableFormat::text);
  EXPECT_THAT(text, HasSubstr("0.500 (1 of 4)"));
  EXPECT_THAT(text, HasSubstr("Ranks are over 2 of 4 sets"));
  EXPECT_THAT(text, HasSubstr("\nm1 failed on set0, splits 1, 3 to 4: no room\n"
                              "m1 failed on set1, splits 1 to 4: no room\n"));
  const auto markdown = format_tables(comparison, TableFormat::markdown);
  EXPECT_THAT(markdown, HasSubstr("| m1 | 0.500 (1 of 4) | - |"));
  EXPECT_THAT(markdown, HasSubstr("\n- m1 failed on set1, splits 1 to 4: no room\n"));
  EXPECT_THAT(format_tables(comparison, TableFormat::latex), HasSubstr(" & $0.500$ (1 of 4) & "));
  const auto whole = format_tables(compared({results_of({{{0.1}, {0.2}}})}), TableFormat::text);
  EXPECT_THAT(whole, Not(AnyOf(HasSubstr(" of "), HasSubstr("failed"))));
}

}  // namespace
}  // namespace mugrad
