// SPDX-License-Identifier: MIT
// Lines that are not one JSON object are refused, whatever is wrong with them, and no other line
// is.
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

using ::testing::StartsWith;

class JsonFaults : public ::testing::Test {
 protected:
  std::string error(std::string_view text) {
    return files.error("a.jsonl", text, {.format = Format::jsonl, .labels_optional = true});
  }

  testing::DataFiles files;
};

TEST_F(JsonFaults, AreLocatedAndExplained) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"{\"a\":1}\n[1]", "2:1: '[' instead of an object, expected one per line"},
      {"hello", "1:1: 'h' instead of an object, expected one per line"},
      {"{\n\"a\":1}",
       "1:2: the line ends within its object, expected the whole object on one line"},
      {"{\"a\":1", "1:7: the line ends within its object"},
      {"{\"a\":[1,2", "1:10: the line ends within its object"},
      {"{\"a\":", "1:6: the line ends within its object"},
      {"{\"a\"", "1:5: the line ends within its object"},
      {"{\"a\":\"x", "1:6: this text does not close on its line"},
      {"{\"a", "1:2: this text does not close on its line"},
      {"{\"a\":1}{\"a\":2}",
       "1:8: '{' after the object, expected the next one on a line of its own"},
      {"{\"a\":1},", "1:8: ',' after the object"},
      {"{\"a\":1,}", "1:8: '}' instead of a key, expected one in double quotes"},
      {"{a:1}", "1:2: 'a' instead of a key, expected one in double quotes"},
      {"{\"a\" 1}", "1:6: '1' after a key, expected ':'"},
      {"{\"a\":1 \"b\":2}", "1:8: '\"' after a value, expected ',' or '}'"},
      {"{\"a\":[1 2]}", "1:9: '2' after a value, expected ',' or ']'"},
      {"{\"a\":[1,]}", "1:9: ']' instead of a value"},
      {"{\"a\":}", "1:6: '}' instead of a value"},
      {"{\"a\":[1}", "1:8: '}' after a value, expected ',' or ']'"},
      {"{\"a\":NaN}", "1:6: 'NaN' is not a JSON value; a missing one is written null"},
      {"{\"a\":None}", "1:6: 'None' is not a JSON value; a missing one is written null"},
      {"{\"a\":'x'}", "1:6: ''x'' is not a JSON value, and texts are written in double quotes"},
      {"{\"a\":True}", "1:6: 'True' is not a JSON value"},
      {"{\"a\":01}", "1:6: '01' is not a JSON value"},
      {"{\"a\":+1}", "1:6: '+1' is not a JSON value"},
      {"{\"a\":1.}", "1:6: '1.' is not a JSON value"},
      {"{\"a\":.5}", "1:6: '.5' is not a JSON value"},
      {"{\"a\":[-]}", "1:7: '-' is not a JSON value"},
      {"{\"a\":\"\\x\"}", "1:7: not an escape of JSON"},
      {"{\"a\":\"\\u12\"}", "1:7: \\u is not followed by four hexadecimal digits"},
      {"{\"a\":\"\\ud800x\"}", "1:7: '\\ud800' is half of a character"},
      {"{\"a\":\"\\ud800\\u0041\"}", "1:7: '\\ud800' is half of a character"},
      {"{\"a\":\"\\udc00\"}", "1:7: '\\udc00' is half of a character"},
      {"{\"\\udc00\":1}", "1:3: '\\udc00' is half of a character"},
      {"{\"a\":[\"\\udc00\"]}", "1:8: '\\udc00' is half of a character"},
      {"{\"a\":[{\"\\udc00\":1}]}", "1:9: '\\udc00' is half of a character"},
      {"{\"a\":\"\\u0000\"}", "1:7: \\u0000 does not occur in text"},
      {"{\"a\":\"x\ty\"}", "1:8: '\\x09' in a text, expected an escape such as \\t"},
      {"{\"a\":\"\xC3\xA9\xFF\"}", "1:8: this byte is not UTF-8, expected JSON in UTF-8"},
      {"{\"a\":\xFF}", "1:6: this byte is not UTF-8"},
      {"{\"a\":1,\"a\":2}", "1:8: the key 'a' comes twice in this record"},
      {"{\"o\":{\"a\":1,\"\\u0061\":2}}", "1:13: the key 'o.a' comes twice in this record"},
      {"{\"\":1}", "1:2: this key has no name"},
      {"{\"b\":1}\n\n  {\"b\":2x}", "3:8: '2x' is not a JSON value"},
  };
  for (const auto& [text, message] : faults) {
    EXPECT_THAT(error(text), StartsWith("a.jsonl:" + message)) << text;
    // The same where other lines follow, which the parser may look into.
    EXPECT_THAT(error(text + "\n}]\"}}\n{\"a\":1}\n"), StartsWith("a.jsonl:" + message)) << text;
  }
}

TEST_F(JsonFaults, OfArraysAreLocatedAndExplained) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"[\n1]", "2:1: '1' instead of an object, expected one per item of the array"},
      {"[{\"a\":1}", "1:9: the file ends within its array, expected ',' or ']'"},
      {"[{\"a\":1},",
       "1:10: the file ends within its array, expected the rest of an object and ']'"},
      {"[{\"a\":1\n,", "2:2: the file ends within its array"},
      {"[{\"a\":1},]", "1:10: ']' instead of an object"},
      {"[{\"a\":1} {\"a\":2}]", "1:10: '{' after an item of the array, expected ',' or ']'"},
      {"[{\"a\":1}]\n{\"a\":2}", "2:1: '{' after the array, expected the end of the file"},
      {"[{\"a\":\n1,}]", "2:3: '}' instead of a key, expected one in double quotes"},
      {"[{\"a\":\nNaN}]", "2:1: 'NaN' is not a JSON value; a missing one is written null"}};
  for (const auto& [text, expected] : faults) {
    EXPECT_THAT(error(text), StartsWith("a.jsonl:" + expected)) << text;
  }
}

TEST_F(JsonFaults, FileWithoutARecordIsOne) {
  EXPECT_EQ(error("\n \n"), "a.jsonl: the file has no examples");
}

/// `levels` objects or lists around a number.
std::string nested(int levels, bool lists) {
  std::string text = "{\"a\":";
  std::string end = "}";
  for (int k = 1; k < levels; ++k) {
    text += lists ? "[" : "{\"a\":";
    end += lists ? "]" : "}";
  }
  std::ranges::reverse(end);
  return text + "1" + end + "\n";
}

TEST_F(JsonFaults, NestingHasALimit) {
  EXPECT_NO_THROW(files.read("a.jsonl", nested(16, false), {.labels_optional = true}));
  EXPECT_NO_THROW(
      files.read("a.jsonl", nested(16, true), {.labels_optional = true, .drop = {"a"}}));
  for (const int levels : {17, 100'000}) {
    EXPECT_THAT(error(nested(levels, false)),
                StartsWith("a.jsonl:1:81: nested more than 16 levels"));
    EXPECT_THAT(error(nested(levels, true)),
                StartsWith("a.jsonl:1:21: nested more than 16 levels"));
    // An unclosed one as well.
    EXPECT_THAT(error(nested(levels, true).substr(0, static_cast<std::size_t>(levels) + 4)),
                StartsWith("a.jsonl:1:21: nested more than 16 levels"));
  }
}

/// Whether another parser takes the line for an object.
bool is_object(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  return json.is_object();
}

TEST_F(JsonFaults, AreFoundInExactlyTheLinesThatAnotherParserRefuses) {
  EXPECT_TRUE(rc::check([&] {
    std::string line =
        R"({"a":1,"b":{"c":[true,null,"x\u00e9\n"],"d":-2.5e+3},"e":"","f":[[],{"g":0}]})";
    const int changes = *rc::gen::inRange(0, 4);
    for (int k = 0; k < changes; ++k) {
      const auto at = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(line.size())));
      const char with =
          *rc::gen::element('{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\t', '\r', '0', '1', '-',
                            '+', '.', 'e', 'u', 't', 'n', '\xC3', '\xA9');
      const auto kind = *rc::gen::inRange(0, 3);
      if (kind == 0) line[at] = with;
      if (kind == 1) line.insert(at, 1, with);
      if (kind == 2) line.erase(at, 1);
      RC_PRE(!line.empty());
    }
    std::string refusal;
    try {
      read_dataset(files.write("a.jsonl", line + "\n"),
                   {.format = Format::jsonl, .labels_optional = true, .drop = {"f"}});
    } catch (const InputError& error) {
      refusal = error.what();
    }
    const auto is_about = [&](std::string_view what) { return refusal.find(what) != refusal.npos; };
    // A fault after one of these is not reached.
    if (is_about("comes twice") || is_about("has no name") || is_about("does not occur")) return;
    // These are about whole objects.
    for (const auto* other :
         {"which no attribute of", "is missing", "has a list of", "not a finite number",
          "has no examples", "has an object on", "nested otherwise"}) {
      if (is_about(other)) refusal.clear();
    }
    RC_ASSERT(refusal.empty() == is_object(line));
  }));
}

}  // namespace
}  // namespace mugrad
