// SPDX-License-Identifier: MIT
#include <mugrad/core/option_text.h>

#include <gtest/gtest.h>

#include <string>

namespace mugrad {
namespace {

constexpr OptionNames with(std::size_t place, OptionName name) {
  OptionNames names = kOptionFields;
  names[place] = name;
  return names;
}

static_assert(is_complete(kOptionFields));
static_assert(!is_complete(with(2, {Option::label_columns, ""})), "a name is missing");
static_assert(!is_complete(with(2, {Option::drop, "x"})), "an option is in another's place");

TEST(OptionText, IsTheFieldInCppUnlessAFrontEndSaysOtherwise) {
  EXPECT_EQ(option_text(Option::missing), "ReadOptions::missing");
  EXPECT_EQ(option_text(Option::label_count, "3"), "ReadOptions::label_count = 3");
  EXPECT_EQ(method_option_text("weka-ridge"), "weka-ridge");
}

}  // namespace
}  // namespace mugrad
