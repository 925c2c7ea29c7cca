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
using ::testing::HasSubstr;

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

/// Records with a number and a key of their own.
std::string records_with_own_keys(int records) {
  std::string text;
  for (int i = 0; i < records; ++i) {
    text += fmt::format("{{\"x\":{},\"of\":{{\"u{}\":1}},\"y\":{}}}\n", i % 7, i, i % 2);
  }
  return text;
}

TEST_F(JsonSurvey, KeysThatAlmostNoRecordHasAreLeftOut) {
  const auto data = read(records_with_own_keys(5000));
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  ASSERT_EQ(files.notes.size(), 1U);
  EXPECT_EQ(files.notes[0],
            "left out 5000 rare keys, each in fewer than 2 of the 5000 records: 'of.u0', 'of.u1', "
            "'of.u2', 'of.u3', 'of.u4', 'of.u5', 'of.u6', 'of.u7' and 4992 more; "
            "ReadOptions::roles (number) = NAMES keeps what it names");
}

TEST_F(JsonSurvey, KeysThatAnOptionNamesStayHoweverRareTheyAre) {
  const auto text = records_with_own_keys(5000);
  const auto data =
      files.read("a.jsonl", text,
                 {.label_columns = {"y", "of.u17"},
                  .roles = {{"of.u1", ColumnRole::number}, {"of.u499*", ColumnRole::category}}});
  EXPECT_THAT(data.label_names, ElementsAre("y", "of.u17"));
  EXPECT_EQ(data.feature_names[0], "x");
  EXPECT_EQ(data.feature_names[1], "of.u1");
  EXPECT_THAT(files.notes[0], HasSubstr("left out 4987 rare keys"));
}

TEST_F(JsonSurvey, AModelDecidesWhichRareKeysAreRead) {
  const auto data = files.read("a.jsonl", records_with_own_keys(5000),
                               {.labels_optional = true, .encode_like = {"of.u7", "x"}});
  EXPECT_THAT(data.feature_names, ElementsAre("of.u7", "x"));
}

TEST_F(JsonSurvey, KeysOfOneRecordInAHundredStay) {
  std::string text;
  constexpr int kRecords = 10'000;
  for (int i = 0; i < kRecords; ++i) {
    text += fmt::format("{{\"y\":{},\"of\":{{\"k{}\":{}}}", i % 2, i % 100, 1 + i % 3);
    text += i % 2 == 0 ? fmt::format(",\"rare{}\":1}}\n", i) : std::string("}\n");
  }
  const auto data = read(text);
  EXPECT_EQ(data.features(), 2 * 100);
}

}  // namespace
}  // namespace mugrad
