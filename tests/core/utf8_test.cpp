// SPDX-License-Identifier: MIT
#include "core/utf8.h"

#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(Utf8, AcceptsWhatIsUtf8) {
  for (const auto* text : {"", "plain", "m\xC3\xBAsica", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                           "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RefusesLoneOverlongSurrogateAndTooLargeBytes) {
  for (const auto* text : {"m\xFAsica", "\x80", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xE2\x82"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Utf8, Latin1BecomesUtf8) {
  EXPECT_EQ(utf8_from_latin1("m\xFAsica"), "m\xC3\xBAsica");
  EXPECT_TRUE(is_utf8(utf8_from_latin1("\x80\xFF plain")));
}

}  // namespace
}  // namespace mugrad
