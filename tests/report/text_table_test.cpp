// SPDX-License-Identifier: MIT
#include "report/text_table.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(TextTable, LinesColumnsUp) {
  TextTable table({"label", "positives"});
  table.add({"é", "1"});
  table.add({"happy", "23"});
  EXPECT_EQ(table.text(1), " label  positives\n é              1\n happy         23\n");
}

TEST(TextTable, ShowsControlCharactersOfNamesInOneLine) {
  TextTable table({"a\nb\x1b[31m", "c"});
  EXPECT_EQ(table.text(), "a\\x0ab\\x1b[31m  c\n");
}

}  // namespace
}  // namespace mugrad
