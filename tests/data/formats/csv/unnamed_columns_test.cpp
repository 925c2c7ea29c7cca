// SPDX-License-Identifier: MIT
// Columns of CSV files without a name in the first line.
#include "support/table_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class UnnamedColumns : public testing::TableTest {};

TEST_F(UnnamedColumns, RowNumbersOfPandasAreLeftOut) {
  for (const std::string numbers : {"012", "705"}) {  // of all rows, or of a part
    const auto data =
        read(fmt::format(",a,y\n{},5,0\n{},7,1\n{},6,1\n", numbers[0], numbers[1], numbers[2]));
    EXPECT_THAT(data.feature_names, ElementsAre("a"));
    EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(7));
    EXPECT_THAT(files.notes, ElementsAre("left out the first column, which has no name: it numbers "
                                         "the rows (ReadOptions::roles (number) = column 1 keeps "
                                         "it)"));
    EXPECT_THAT(read_like(data, ",a\n9,8\n").feature_names, ElementsAre("a"));
  }
}

TEST_F(UnnamedColumns, RowNumbersAreReadIfAnOptionOrAModelNamesThem) {
  const std::string text = ",a,y\n0,5,0\n1,7,1\n2,6,1\n";
  const auto data = read(text, {.roles = {{"column 1", ColumnRole::number}}});
  EXPECT_THAT(data.feature_names, ElementsAre("column 1", "a"));
  const auto other =
      files.read("b.csv", text, {.labels_optional = true, .encode_like = data.feature_names});
  EXPECT_THAT(testing::row_of(other.x, 2), ElementsAre(2, 6));
}

TEST_F(UnnamedColumns, OtherColumnsAreCalledByTheirPosition) {
  const auto data = read(",a,,column 3,y\n3,5,1.5,1,0\n3,7,2.5,2,1\n");
  EXPECT_THAT(data.feature_names, ElementsAre("column 1", "a", "column 3_", "column 3"));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(3, 7, 2.5, 2));
  EXPECT_THAT(
      files.notes,
      ElementsAre("columns without a name in the first line are called 'column 1', 'column 3_'"));
}

TEST_F(UnnamedColumns, ADelimiterAtTheEndOfLinesMakesNoColumn) {
  for (const std::string end : {"", ","}) {
    const auto text = fmt::format("a,y,\n5,0{}\n7,1{}\n", end, end);
    const auto data = files.read("a.csv", text, {.label_count = -1});
    EXPECT_THAT(data.feature_names, ElementsAre("a"));
    EXPECT_THAT(data.label_names, ElementsAre("y"));
    EXPECT_THAT(files.notes, IsEmpty());
  }
  EXPECT_THAT(read("a,y,\n5,0,\n7,1,4\n").feature_names, ElementsAre("a", "column 3"));
  EXPECT_EQ(files.error("a.csv", "a,y,\n5,0,,\n", {.labels_optional = true}),
            "a.csv:2:1: this row has 4 values separated by ',', expected 2, one per column");
}

}  // namespace
}  // namespace mugrad
