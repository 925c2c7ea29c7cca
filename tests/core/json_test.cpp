// SPDX-License-Identifier: MIT
#include "core/json.h"

#include "support/temporary_folder.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace mugrad {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

void expect_refused(const std::string& text, const std::string& why) {
  EXPECT_THAT([&] { parse_json(text); }, ThrowsMessage<InputError>(HasSubstr(why))) << text;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int k = 0; k < times; ++k) result += text;
  return result;
}

TEST(ParseJson, RefusesWhatIsNestedTooDeepHoweverDeepItIs) {
  const auto nested = [](int levels) { return repeated("[", levels) + repeated("]", levels); };
  EXPECT_NO_THROW(parse_json(nested(kDeepestJson)));
  for (const int levels : {kDeepestJson + 1, 80'000, 3'000'000}) {
    expect_refused(nested(levels), "is nested more than 16 levels deep");
    expect_refused(repeated("[", levels), "is nested more than 16 levels deep");
    expect_refused(repeated(R"({"a":)", levels), "is nested more than 16 levels deep");
  }
}

TEST(ParseJson, RefusesAKeyThatIsThereTwiceInOneObject) {
  expect_refused(R"({"a":1,"b":{"a":2},"a":3})", "has the key 'a' twice");
  EXPECT_EQ(parse_json(R"({"a":1,"b":{"a":2}})")["b"]["a"], 2);
}

TEST(ParseJson, RefusesWhatIsNotJsonAndNumbersOutOfRange) {
  for (const char* text : {"", "{", "[1,]", "nan", "NaN", "Infinity", "[1] 2", "'a'", "\"\xff\""}) {
    expect_refused(text, "is not JSON at byte ");
  }
  expect_refused("[1e999]", "has a number that is out of range");
}

TEST(ParseJson, OfAFileNamesIt) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.json", "[1");
  EXPECT_THAT([&] { parse_json_file(path); },
              ThrowsMessage<InputError>(AllOf(HasSubstr(path.string()), HasSubstr("is not JSON"))));
  EXPECT_THAT([&] { parse_json_file(folder / "none"); },
              ThrowsMessage<InputError>(HasSubstr("cannot read")));
}

class JsonFieldTest : public ::testing::Test {
 protected:
  JsonField field() const { return {document_, "a.json: "}; }
  template <class Read>
  static void expect_refused(const Read& read, const std::string& message) {
    EXPECT_THAT(read, ThrowsMessage<InputError>("a.json: " + message));
  }

  const json document_ = json::parse(R"({"name": "b", "size": 3, "share": 0.5, "huge": 1e30,
    "negative": -1, "whole": true, "none": null, "list": [1, 2.5, null], "names": ["a", "b", 3],
    "sets": [{"rows": 1}, {"rows": -7}], "beyond": 18446744073709551615})");
};

TEST_F(JsonFieldTest, GivesWhatIsThere) {
  EXPECT_EQ(field()["name"].text(), "b");
  EXPECT_EQ(field()["size"].whole_number(0, 3), 3);
  EXPECT_EQ(field()["size"].number(), 3);
  EXPECT_EQ(field()["share"].number(0.5, 0.5), 0.5);
  EXPECT_TRUE(field()["whole"].flag());
  EXPECT_TRUE(field().has("size"));
  EXPECT_FALSE(field().has("none"));
  EXPECT_FALSE(field().has("nothing"));
  EXPECT_FALSE(field()["size"].has("a"));
  const auto numbers = field()["list"].numbers_or_nulls();
  ASSERT_EQ(numbers.size(), 3);
  EXPECT_EQ(numbers[1], 2.5);
  EXPECT_TRUE(std::isnan(numbers[2]));
  EXPECT_EQ(field()["sets"].items()[1]["rows"].whole_number(-7, 0), -7);
  EXPECT_EQ(field().members().size(), document_.size());
}

TEST_F(JsonFieldTest, NamesThePlaceWhatWasExpectedAndWhatIsThere) {
  expect_refused([&] { field()["missing"]; }, "its JSON lacks 'missing'");
  expect_refused([&] { field()["sets"]["rows"]; },
                 "sets must be an object with 'rows', got a list of 2");
  expect_refused([&] { field()["size"].text(); }, "size must be a string, got 3");
  expect_refused([&] { field()["name"].number(); }, R"(name must be a number, got "b")");
  expect_refused([&] { field()["name"].flag(); }, R"(name must be true or false, got "b")");
  expect_refused([&] { field()["name"].items(); }, R"(name must be a list, got "b")");
  expect_refused([&] { field()["list"].members(); }, "list must be an object, got a list of 3");
  expect_refused([&] { field()["huge"].whole_number(0, 9); },
                 "huge must be a whole number from 0 to 9, got 1e+30");
  expect_refused([&] { field()["beyond"].whole_number(0, 9); },
                 "beyond must be a whole number from 0 to 9, got 18446744073709551615");
  expect_refused([&] { field()["share"].whole_number(0, 9); },
                 "share must be a whole number from 0 to 9, got 0.5");
  expect_refused([&] { field()["negative"].number(0, 1); },
                 "negative must be a number from 0 to 1, got -1");
  expect_refused([&] { field()["none"].number(0, 1); },
                 "none must be a number from 0 to 1, got null");
  expect_refused([&] { field()["sets"].items()[1]["rows"].whole_number(0, 9); },
                 "sets[1].rows must be a whole number from 0 to 9, got -7");
  expect_refused([&] { field()["names"].texts(); }, "names[2] must be a string, got 3");
  expect_refused([&] { field()["list"].numbers(); }, "list[2] must be a number, got null");
  expect_refused([&] { field()["list"].whole_numbers(0, 9); },
                 "list[1] must be a whole number from 0 to 9, got 2.5");
}

TEST_F(JsonFieldTest, DoesNotQuoteLongTexts) {
  const json text = std::string(1'000'000, 'x');
  EXPECT_THAT([&] { JsonField(text, "a: ").number(); },
              ThrowsMessage<InputError>("a: its JSON must be a number, got a string of 1000000 "
                                        "bytes"));
}

}  // namespace
}  // namespace mugrad
