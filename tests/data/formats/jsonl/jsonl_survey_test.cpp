// SPDX-License-Identifier: MIT
// What is found in the columns of JSON lines whose records have few of the keys.
#include "support/data_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

class JsonSurvey : public ::testing::Test {
 protected:
  Dataset read(std::string_view text) {
    return files.read("a.jsonl", text,
                      {.label_columns = {"y"},
                       .summary = [this](const TableSummary& found) { summary = found; }});
  }
  testing::DataFiles files;
  TableSummary summary;
};

TEST_F(JsonSurvey, CountsTheRecordsWithoutAKey) {
  std::string text = "{\"y\": 0}\n";
  std::map<std::string, Index> present;
  for (int i = 1; i < 300; ++i) {
    std::string record = fmt::format("{{\"y\": {}", i % 2);
    for (const int key : {2, 3, 5, 7, 150}) {
      if (i % key != 0) continue;
      const bool is_null = i % 11 == 0;
      record += fmt::format(", \"k{}\": {}", key, is_null ? "null" : std::to_string(i));
      if (!is_null) ++present[fmt::format("k{}", key)];
    }
    text += record + "}\n";
  }
  const auto data = read(text);
  EXPECT_EQ(data.rows(), 300);
  EXPECT_EQ(summary.rows, 300);
  ASSERT_EQ(summary.columns.size(), 6U);
  for (const auto& column : summary.columns) {
    EXPECT_EQ(column.missing, column.is_label ? 0 : 300 - present[column.name]) << column.name;
  }
}

TEST_F(JsonSurvey, ShowsTheFirstRecordsAsTheyAre) {
  read(
      "{}\n{\"b\": 2, \"y\": 1}\n{\"a\": 1, \"y\": 0}\n{\"a\": 3, \"b\": 4, \"y\": 1}\n{\"a\": "
      "7}\n");
  EXPECT_THAT(summary.first_rows, ElementsAre(ElementsAre("", "", ""), ElementsAre("2", "1", ""),
                                              ElementsAre("", "0", "1")));
}

TEST_F(JsonSurvey, OfRecordsWithOtherKeysEachFillsInAllColumns) {
  std::string text;
  constexpr int kRecords = 400;
  for (int i = 0; i < kRecords; ++i) {
    text += fmt::format("{{\"k{}\": {}, \"y\": {}}}\n", i, i + 1, i % 2);
  }
  const auto data = read(text);
  ASSERT_EQ(data.features(), 2 * kRecords);  // each number, and where it is missing
  for (const int row : {0, 17, 399}) {
    for (const int key : {0, 5, 399}) {
      EXPECT_EQ(testing::entry(data.x, row, 2 * key), key + 1);  // the only value is the median
      EXPECT_EQ(testing::entry(data.x, row, 2 * key + 1), row != key);
    }
  }
}

}  // namespace
}  // namespace mugrad
