// SPDX-License-Identifier: MIT
// What the columns of a table are taken for, by their cells.
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ColumnTypes : public ::testing::Test {
 protected:
  Dataset read(std::string_view text, ReadOptions options = {}) {
    if (options.label_columns.empty() && options.tags.empty()) options.label_columns = {"y"};
    options.summary = [this](const TableSummary& found) { summary = found; };
    return files.read("a.csv", text, options);
  }
  ColumnSummary column(std::string_view name) const {
    for (const auto& found : summary.columns) {
      if (found.name == name) return found;
    }
    ADD_FAILURE() << "no column " << name;
    return {};
  }

  testing::DataFiles files;
  TableSummary summary;
};

/// A table of a column and a label, each cell made from the number of its row.
template <class Cell>
std::string table(std::string_view name, int rows, Cell&& cell) {
  std::string text = fmt::format("{},y\n", name);
  for (int i = 0; i < rows; ++i) text += fmt::format("{},{}\n", cell(i), i % 2);
  return text;
}

TEST_F(ColumnTypes, OneNumberLeavesATextAText) {
  read(table("body", 120, [](int i) {
    return i == 5 ? std::string("10") : fmt::format("ticket about word{} and word{}", i % 7, i);
  }));
  EXPECT_EQ(column("body").role, ColumnRole::text);
}

TEST_F(ColumnTypes, OneNumberLeavesAnIdentifierAnIdentifier) {
  read(table("invoice", 300,
             [](int i) { return i == 9 ? std::string("77") : fmt::format("INV-{:05}", i); }));
  EXPECT_EQ(column("invoice").role, ColumnRole::identifier);
}

TEST_F(ColumnTypes, HexadecimalNamesOfRowsAreAnIdentifierThoughSomeAreNumbers) {
  const auto data = read(table("id", 200, [](int i) { return fmt::format("{:04x}", i * 7919); }));
  EXPECT_EQ(column("id").role, ColumnRole::identifier);
  EXPECT_EQ(data.features(), 0);
  EXPECT_EQ(column("id").distinct, 200);
}

TEST_F(ColumnTypes, RepeatedTextsAndNumbersAreACategoryWithAllTheirValues) {
  const auto data = read(table("a", 60, [](int i) {
    return std::string(i % 3 == 0 ? "\"1,5\"" : i % 3 == 1 ? "2.5" : "x");
  }));
  EXPECT_EQ(column("a").role, ColumnRole::category);
  EXPECT_EQ(column("a").distinct, 3);
  EXPECT_THAT(data.feature_names, ElementsAre("a=1,5", "a=2.5", "a=x"));
}

TEST_F(ColumnTypes, AChosenCategoryOfNumbersCountsThem) {
  read("age,y\n10,1\n20,0\n30,1\n10,0\n", {.roles = {{"age", ColumnRole::category}}});
  EXPECT_EQ(column("age").distinct, 3);
}

TEST_F(ColumnTypes, OneInvalidDateLeavesADateADate) {
  const auto data = read(table("d", 20, [](int i) {
    return i == 3 ? std::string("2024-02-30") : fmt::format("2024-03-{:02}", i + 1);
  }));
  EXPECT_EQ(column("d").role, ColumnRole::date);
  EXPECT_EQ(column("d").odd, 1);
  EXPECT_EQ(data.features(), 4);
  EXPECT_THAT(files.notes, ElementsAre("1 cell of column 'd' is no date, such as '2024-02-30' on "
                                       "line 5: counted as missing"));
}

TEST_F(ColumnTypes, ManyInvalidDatesAreTexts) {
  read(table("d", 20, [](int i) {
    return i % 5 == 0 ? std::string("soon") : fmt::format("2024-03-{:02}", i % 3 + 1);
  }));
  EXPECT_EQ(column("d").role, ColumnRole::category);
}

TEST_F(ColumnTypes, WordsOfALabelAreNotOdd) {
  read("x,y\n1,yes\n2,no\n5,yes\n");
  EXPECT_TRUE(column("y").is_label);
  EXPECT_EQ(column("y").odd, 0);
}

}  // namespace
}  // namespace mugrad
