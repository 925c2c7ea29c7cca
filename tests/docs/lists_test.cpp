// SPDX-License-Identifier: MIT
// Whatever the library lists is described where people look for it. The heads of models and their
// fields are compared with docs/model-file.md in tests/model/declared_scores_test.cpp.
#include "support/documents.h"

#include <mugrad/data/files.h>
#include <mugrad/method/method.h>
#include <mugrad/metric/metric.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAreArray;

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

std::vector<std::string> first_cells(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> cells;
  for (const auto& row : rows) cells.push_back(row.front());
  return cells;
}

/// Names of the methods for which it holds, as documents write them: "`mgd`, `br` and `cc`".
std::string documented_names(bool MethodTraits::*holds) {
  const auto names = names_of_methods([=](const MethodTraits& traits) { return traits.*holds; });
  return std::regex_replace(names, std::regex("[a-z-]*[a-z](?=,| and |$)"), "`$&`");
}

std::string on_one_line(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

/// As docs/metrics.md has it: "precision@k".
std::string documented_name(const MeasureInfo& measure) {
  return std::string(measure.name) + (measure.has_k ? "k" : "");
}

TEST(MethodsGuide, HasARowAndASectionForEveryMethod) {
  const std::string text = text_of("docs/methods.md");
  std::vector<std::string> in_table;
  for (const auto& row : table_rows(text.substr(0, text.find("\n## ")))) {
    const auto names = code_in(row.front());
    in_table.insert(in_table.end(), names.begin(), names.end());
  }
  std::vector<std::string> names;
  for (const Method* const method : methods()) {
    names.emplace_back(method->name());
    EXPECT_TRUE(std::regex_search(text, std::regex("\n## .*\\(`" + names.back() + "`\\)\n")))
        << "docs/methods.md has no section that ends in (`" << names.back() << "`)";
  }
  EXPECT_THAT(in_table, ElementsAreArray(names)) << "the first table of docs/methods.md";
}

TEST(MethodsGuide, SaysWhichMethodsTakeWeightsUnknownLabelsAndAStart) {
  const std::string text = on_one_line(text_of("docs/methods.md"));
  for (const auto& sentence :
       {"Methods other than " + documented_names(&MethodTraits::takes_unknown_labels) +
            " require every label of every example to be known.",
        "`Dataset::row_weights`: " + documented_names(&MethodTraits::takes_row_weights) +
            " train as if",
        documented_names(&MethodTraits::takes_start) +
            " can start at a previously trained model"}) {
    EXPECT_TRUE(has(text, sentence)) << "docs/methods.md lacks: " << sentence;
  }
}

TEST(PythonGuide, SaysWhatEveryEstimatorTakes) {
  const auto rows = table_rows(text_of("docs/python.md", "## Estimators"));
  ASSERT_GT(rows.size(), methods().size());
  for (std::size_t k = 0; k < methods().size(); ++k) {
    const auto& row = rows[k + 1];  // after the header
    const Method& method = *methods()[k];
    const MethodTraits& traits = method.traits();
    SCOPED_TRACE(method.name());
    std::string estimator = row.at(0);
    std::ranges::transform(estimator, estimator.begin(),
                           [](unsigned char c) { return std::tolower(c); });
    std::string name(method.name());
    std::erase(name, '-');
    EXPECT_EQ(estimator, "`" + name + "classifier`");
    // Weights cannot be exact where examples are drawn: docs/python.md explains it.
    const bool takes_weights = traits.takes_row_weights && !method.has_option("sampling");
    EXPECT_EQ(row.at(2), takes_weights ? traits.takes_start ? "both" : "weights" : "no");
    EXPECT_EQ(row.at(3), traits.takes_unknown_labels ? "yes" : "no");
  }
}

TEST(FormatsGuide, HasAColumnASectionAndARowForEveryFormat) {
  const std::string text = text_of("docs/formats.md");
  const std::string introduction = text.substr(0, text.find("\n## "));
  const auto header = table_rows(introduction).front();
  const auto converted = first_cells(table_rows(text_of("docs/formats.md", "## Converting")));
  for (const FormatInfo& format : file_formats()) {
    const std::string title(format.title);
    EXPECT_THAT(header, Contains(title)) << "the first table of docs/formats.md";
    EXPECT_THAT(converted, Contains(title)) << "the table of Converting in docs/formats.md";
    EXPECT_TRUE(has(text, "\n## " + title + "\n")) << "docs/formats.md has no section " << title;
    for (const auto ending : format.endings) {
      EXPECT_THAT(code_in(introduction), Contains(ending)) << "the introduction of docs/formats.md";
    }
    for (const char* document : {"README.md", "SECURITY.md", "docs/reliability.md"}) {
      EXPECT_TRUE(has(text_of(document), title)) << document << " lacks " << title;
    }
  }
}

TEST(MetricsGuide, DefinesEveryMetricInOrderAndSaysWhatIsBetter) {
  const std::string text = text_of("docs/metrics.md");
  std::vector<std::string> expected = {"metric: better"};
  for (const MeasureInfo& measure : measures()) {
    expected.push_back("`" + documented_name(measure) +
                       "`: " + (measure.larger_is_better ? "larger" : "smaller"));
  }
  std::vector<std::string> defined;
  for (const auto& row : table_rows(text.substr(0, text.find("\n## ")))) {
    defined.push_back(row.at(0) + ": " + row.at(1));
  }
  EXPECT_THAT(defined, ElementsAreArray(expected)) << "the first table of docs/metrics.md";
}

TEST(MetricsGuide, HasARowOfConventionsForEveryMetric) {
  const auto rows = table_rows(text_of("docs/metrics.md", "## Conventions"));
  std::set<std::string> described;
  for (const auto& cell : first_cells(rows)) {
    std::istringstream names(cell);
    for (std::string name; std::getline(names, name, ',');) {
      described.insert(name.substr(name.find_first_not_of(' ')));
    }
  }
  for (const MeasureInfo& measure : measures()) {
    EXPECT_THAT(described, Contains(documented_name(measure)));
  }
  std::string columns;
  for (const auto& cell : rows.front()) columns += cell + " ";
  for (const auto convention : {Convention::sklearn, Convention::mulan, Convention::lamda}) {
    EXPECT_THAT(code_in(columns), Contains(to_string(convention)));
  }
}

TEST(ScalingGuide, SaysWhatMemoryEveryMethodTakes) {
  const std::string text = text_of("docs/scaling.md");
  const auto begin = text.find("| method | besides the data |");
  ASSERT_NE(begin, text.npos);
  const std::string table = text.substr(begin, text.find("\n\n", begin) - begin);
  for (const Method* const method : methods()) {
    EXPECT_TRUE(std::regex_search(
        table, std::regex("\n\\|[^|]*[ ,]" + std::string(method->name()) + "[ ,][^|]*\\|")))
        << "docs/scaling.md lacks " << method->name();
  }
}

TEST(Readme, CountsTheFormats) {
  constexpr std::array kWords = {"five", "six", "seven", "eight"};
  ASSERT_GE(file_formats().size(), 5U);
  ASSERT_LT(file_formats().size() - 5, kWords.size()) << "name more numbers here";
  const std::string word = kWords[file_formats().size() - 5];
  EXPECT_TRUE(has(text_of("README.md"), word + " data formats")) << word;
  EXPECT_TRUE(has(text_of("docs/formats.md"), "Mugrad reads and writes " + word + " formats"))
      << word;
}

TEST(Readme, CountsTheMethods) {
  constexpr std::array kWords = {"twelve", "thirteen", "fourteen", "fifteen", "sixteen"};
  const std::string text = text_of("README.md");
  ASSERT_GE(methods().size(), 12U);
  ASSERT_LT(methods().size() - 12, kWords.size()) << "name more numbers here";
  std::string word = kWords[methods().size() - 12];
  EXPECT_TRUE(has(text, "one of the " + word + " methods")) << word;
  word.front() = static_cast<char>(word.front() - 'a' + 'A');
  EXPECT_TRUE(has(text, word + " methods, ")) << word;
}

}  // namespace
}  // namespace mugrad::testing
