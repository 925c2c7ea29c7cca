// SPDX-License-Identifier: MIT
#include <mugrad/core/listing.h>

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

}  // namespace
}  // namespace mugrad
