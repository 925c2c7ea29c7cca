// SPDX-License-Identifier: MIT
#include "core/printable.h"

#include <gtest/gtest.h>

#include <vector>

namespace mugrad {
namespace {

TEST(Listing, QuotesNamesAndCountsTheRest) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(listing(names), "'a', 'b', 'c'");
  EXPECT_EQ(listing(names, 2), "'a', 'b' and 1 more");
  EXPECT_EQ(listing({}), "");
}

TEST(Listing, InWordsNamesTheLastOneAfterAWord) {
  const std::vector<std::string_view> names = {"a", "b", "c"};
  EXPECT_EQ(in_words(names, "or"), "a, b or c");
  EXPECT_EQ(in_words(std::span(names).first(2), "and"), "a and b");
  EXPECT_EQ(in_words(std::span(names).first(1), "and"), "a");
  EXPECT_EQ(in_words({}, "and"), "");
}

}  // namespace
}  // namespace mugrad
