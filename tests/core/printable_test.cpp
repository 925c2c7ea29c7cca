// SPDX-License-Identifier: MIT
#include "core/printable.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text : {"", "a b", "café", "日本語", "\\x1b", "🎵"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ShowsWhatCouldSteerATerminal) {
  EXPECT_EQ(printable("a\x1b[2J\x07\x7f"), "a\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\x0ab\\x0d\\x09c");
  EXPECT_EQ(printable("\u009b1m"), "\\x9b1m");
  EXPECT_EQ(printable("\u2028\u2029\u202e\u2066"), "\\u2028\\u2029\\u202e\\u2066");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, ShowsBytesThatAreNoText) {
  EXPECT_EQ(printable("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(Printable, KeepsTheLinesOfAMessage) { EXPECT_EQ(printable_lines("a\nb\x1b"), "a\nb\\x1b"); }

}  // namespace
}  // namespace mugrad
