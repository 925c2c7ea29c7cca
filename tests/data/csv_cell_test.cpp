// SPDX-License-Identifier: MIT
#include "data/csv_cell.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(CsvCell, QuotesWhatWouldEndIt) {
  EXPECT_EQ(csv_cell("a b"), "a b");
  EXPECT_EQ(csv_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(csv_cell(" a"), "\" a\"");
  EXPECT_EQ(csv_cell("=1"), "=1");
}

TEST(SpreadsheetCell, IsNoFormula) {
  EXPECT_EQ(spreadsheet_cell("=1+1"), "'=1+1");
  EXPECT_EQ(spreadsheet_cell("+a"), "'+a");
  EXPECT_EQ(spreadsheet_cell("-a"), "'-a");
  EXPECT_EQ(spreadsheet_cell("@a"), "'@a");
  EXPECT_EQ(spreadsheet_cell("\t=1"), "'\t=1");
  EXPECT_EQ(spreadsheet_cell("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(spreadsheet_cell("\uFF1D1"), "'\uFF1D1");
  EXPECT_EQ(spreadsheet_cell("=A1,B2"), "\"'=A1,B2\"");
}

TEST(SpreadsheetCell, LeavesNumbersAndOtherTextAsTheyAre) {
  for (const char* text : {"", "-1", "+2.5", "-1e-7", "a=1", "a-b", "1-2"}) {
    EXPECT_EQ(spreadsheet_cell(text), text);
  }
}

}  // namespace
}  // namespace mugrad
