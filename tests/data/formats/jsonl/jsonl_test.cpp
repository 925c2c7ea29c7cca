// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class JsonLines : public ::testing::Test {
 protected:
  /// The labels are the columns y* unless the options say otherwise.
  Dataset read(std::string_view text, ReadOptions options = {}) {
    if (options.label_columns.empty()) options.label_columns = {"y*"};
    return files.read("a.jsonl", text, options);
  }
  /// The names of the columns, all of which are features.
  std::vector<std::string> names(std::string_view text, ReadOptions options = {}) {
    options.labels_optional = true;
    options.missing = Missing::keep;
    options.keep_ids = true;
    return files.read("a.jsonl", text, options).feature_names;
  }

  testing::DataFiles files;
};

TEST_F(JsonLines, KeysAreColumnsInAnyOrderOfALine) {
  const auto data = read(R"({"x":1,"y_a":1,"z":-2.5e1,"y_b":0}
{"y_b":1,"z":4,"y_a":0,"x":3}
)");
  EXPECT_FALSE(data.x.is_sparse());
  EXPECT_EQ(data.name, "a");
  EXPECT_THAT(data.feature_names, ElementsAre("x", "z"));
  EXPECT_THAT(data.label_names, ElementsAre("y_a", "y_b"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1, -25));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(3, 4));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0));
  EXPECT_THAT(testing::labels_of(data, 1), ElementsAre(1));
}

TEST_F(JsonLines, LabelsOfALineMayComeInAnyOrder) {
  const auto data =
      read("{\"x\":1,\"y1\":0,\"y2\":0,\"y3\":0}\n{\"y3\":1,\"x\":1,\"y1\":1,\"y2\":null}\n");
  EXPECT_THAT(testing::labels_of(data, 1), ElementsAre(0, 2));
  EXPECT_THAT(data.unknown_of(1), ElementsAre(1));
}

TEST_F(JsonLines, BlanksWindowsLinesAndAMarkAreAccepted) {
  const auto data = read("\xEF\xBB\xBF \r\n\t{ \"x\" : 1 ,\"y\":\t1 } \r\n\r\n{\"x\":2,\"y\":0}");
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_EQ(data.rows(), 2);
}

TEST_F(JsonLines, NestedObjectsAreColumnsWithDottedNames) {
  EXPECT_THAT(names(R"({"c":{"plan":1,"of":{"b":2}},"age":3}
{"age":4,"c":{"city":5},"none":{},"empty":null}
)"),
              ElementsAre("c.plan", "c.of.b", "age", "c.city", "empty"));
}

TEST_F(JsonLines, AKeyThatIsNullOrAbsentIsMissing) {
  const auto data = read(R"({"x":1,"c":{"a":2},"y":1}
{"x":null,"c":null,"y":null}
{}
)",
                         {.missing = Missing::keep});
  EXPECT_THAT(data.feature_names, ElementsAre("x", "c.a"));
  for (const Index row : {1, 2}) {
    for (const double value : testing::row_of(data.x, row)) EXPECT_TRUE(std::isnan(value));
    EXPECT_THAT(data.unknown_of(row), ElementsAre(0));
  }
  EXPECT_EQ(files.error("a.jsonl", "{\"x\":1}\n{\"z\":1}\n",
                        {.labels_optional = true, .missing = Missing::refuse}),
            "a.jsonl:1:1: the value of attribute 'z' is missing; ReadOptions::missing = median "
            "replaces it by the median of the others");
}

TEST_F(JsonLines, TruthValuesAreZeroAndOne) {
  const auto data = read("{\"x\":true,\"y\":false}\n{\"x\":false,\"y\":true}\n");
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1));
  EXPECT_THAT(testing::labels_of(data, 1), ElementsAre(0));
}

TEST_F(JsonLines, TextsAreNominals) {
  EXPECT_THAT(
      names("{\"c\":\"red\"}\n{\"c\":\"a\\\"\\n\\u00e9\\ud83d\\ude00\"}\n{\"c\":\"red\"}\n"),
      ElementsAre("c=a\"\n\u00e9\U0001F600", "c=red"));
  EXPECT_THAT(names("{\"c\":\"1\"}\n{\"c\":\"2\"}\n"), ElementsAre("c"));
  EXPECT_THAT(files.notes, IsEmpty());
  EXPECT_THAT(names("{\"c\":1}\n{\"c\":\"\"}\n{\"c\":\"x\"}\n"), ElementsAre("c=1", "c=x"));
}

TEST_F(JsonLines, EscapedKeysAreTheSameKeys) {
  EXPECT_THAT(names("{\"a\\n\":1,\"b\":2}\n{\"\\u0062\":3,\"a\\u000A\":4}\n"),
              ElementsAre("a\n", "b"));
}

TEST_F(JsonLines, ListsAreOneCellHoweverTheyAreWritten) {
  EXPECT_THAT(names(R"({"t":["a",1,null,true]}
{"t":[ "\u0061" ,1,null ,true ]}
{"t":[]}
)"),
              ElementsAre("t=[\"a\",1,null,true]", "t=[]"));
}

TEST_F(JsonLines, ModelsNamesMakeANominalOfNumbers) {
  const auto data =
      read("{\"c\":1,\"y\":1}\n{\"c\":2,\"y\":0}\n", {.encode_like = {"c=2", "c=red"}});
  EXPECT_THAT(data.feature_names, ElementsAre("c=2", "c=red"));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(1, 0));
}

TEST_F(JsonLines, ANumberKeepsItsDigits) {
  const auto data = read(
      "{\"x\":0.1,\"y\":1}\n{\"x\":123456789012345678901234567890,\"y\":0}\n{\"x\":-0.0,\"y\":1}"
      "\n");
  EXPECT_EQ(testing::entry(data.x, 0, 0), 0.1);
  EXPECT_EQ(testing::entry(data.x, 1, 0), 123456789012345678901234567890.0);
  EXPECT_EQ(files.error("a.jsonl", "{\"x\":1e999}\n",
                        {.labels_optional = true, .missing = Missing::refuse}),
            "a.jsonl:1:6: '1e999' is not a number, and column 'x' has numbers");
}

TEST_F(JsonLines, ValuesOfAKeyThatAlsoHasObjectsAreLeftOut) {
  const std::string text = "{\"a\":1,\"b\":1}\n{\"a\":{\"b\":2},\"b\":2}\n";
  EXPECT_THAT(names(text), ElementsAre("b", "a.b"));
  EXPECT_THAT(files.notes,
              ElementsAre("left out the values of 'a' that are no objects, as on line 1: other "
                          "records, as on line 2, have objects, whose keys are columns"));
  EXPECT_THAT(names(text, {.drop = {"a"}}), ElementsAre("b", "a.b"));
  EXPECT_THAT(files.notes, IsEmpty());
}

TEST_F(JsonLines, ListsOfObjectsAreLeftOut) {
  for (const std::string list : {R"([{"a":1}])", "[1,[2]]"}) {
    const auto text = fmt::format("{{\"x\":1,\"l\":[]}}\n{{\"x\":2,\"l\":{}}}\n", list);
    EXPECT_THAT(names(text), ElementsAre("x"));
    EXPECT_THAT(files.notes, ElementsAre("left out 'l': lists of objects or lists, as on line 2, "
                                         "are no single values"));
    EXPECT_THAT(names(text, {.drop = {"l"}}), ElementsAre("x"));
    EXPECT_THAT(files.notes, IsEmpty());
  }
}

TEST_F(JsonLines, NestedValuesAreRefusedWhereTheyAreAskedFor) {
  const std::string mixed = "{\"a\":1,\"b\":1}\n{\"a\":{\"b\":2},\"b\":2}\n";
  const std::string expected =
      "a.jsonl:2:6: 'a' has an object on line 2 and another value on line 1, expected the same "
      "everywhere; ReadOptions::drop = a leaves out the other values";
  EXPECT_EQ(files.error("a.jsonl", mixed, {.label_columns = {"a"}}), expected);
  // The keys of a model are read as they come: earlier lines may be gone.
  EXPECT_EQ(files.error("a.jsonl", mixed, {.labels_optional = true, .encode_like = {"a", "b"}}),
            "a.jsonl:2:6: 'a' is an object in some rows and another value in others, expected the "
            "same everywhere; ReadOptions::drop = a leaves out the other values");
  EXPECT_EQ(files.error("a.jsonl", "{\"x\":1,\"l\":[]}\n{\"x\":2,\"l\":[[2]]}\n",
                        {.labels_optional = true, .roles = {{"l", ColumnRole::text}}}),
            "a.jsonl:2:12: 'l' has a list of objects or lists, expected a single value or a list "
            "of these; ReadOptions::drop = l leaves it out");
}

TEST_F(JsonLines, ADotInAKeyIsNotTakenForNesting) {
  EXPECT_THAT(names("{\"a.b\":1,\"a\":{\"c\":2}}\n"), ElementsAre("a.b", "a.c"));
  EXPECT_EQ(files.error("a.jsonl", "{\"a.b\":1}\n{\"a\":{\"b\":2}}\n", {.labels_optional = true}),
            "a.jsonl:2:7: the column 'a.b' has been a key on line 1, and here the key is nested "
            "otherwise; a dot stands for nesting");
}

TEST_F(JsonLines, AnyNumberOfKeysIsRead) {
  std::string text = "{";
  for (int k = 0; k < 100'000; ++k)
    text += fmt::format("{}\"k{}\":{}", k == 0 ? "" : ",", k, k % 7);
  text += "}\n";
  EXPECT_EQ(
      files.read("a.jsonl", text + text, {.labels_optional = true, .drop = {"k1*"}}).features(),
      100'000 - 11'111);
}

TEST_F(JsonLines, LabelsMustBeSaid) {
  EXPECT_THAT(files.error("b.jsonl", "{\"x\":1}\n"),
              HasSubstr("the label columns are not known; select them with "
                        "ReadOptions::label_columns = NAMES, ReadOptions::label_count = N"));
}

TEST_F(JsonLines, AreWrittenAsOneObjectPerExample) {
  const auto data = files.read("a.csv", "a \"b\",c,y,z\n1,0.5,1,\n,0,0,1\n",
                               {.label_count = -2, .missing = Missing::keep});
  write_dataset(data, files / "b.ndjson");
  EXPECT_EQ(testing::read_file(files / "b.ndjson"),
            "{\"a \\\"b\\\"\":1,\"c\":0.5,\"y\":1,\"z\":null}\n"
            "{\"a \\\"b\\\"\":null,\"c\":0,\"y\":0,\"z\":1}\n");
}

TEST_F(JsonLines, ARecordWithoutAKeyOfTheModelIsReadAlone) {
  const auto like = [](const Dataset& data) {
    return ReadOptions{.labels_optional = true,
                       .missing = Missing::keep,
                       .encode_like = data.feature_names,
                       .encoding = data.encoding};
  };
  // A model with an encoding, and one whose names of features say everything.
  const std::string_view rows = R"({"n":1,"c":"u","y":1}
{"n":4,"c":"v","y":0}
{"n":5,"c":"v","y":1}
)";
  const auto plain = files.read("a.jsonl", rows, {.label_columns = {"y"}});
  const auto filled = files.read("a.jsonl", fmt::format("{}{}\n", rows, R"({"c":"u","y":0})"),
                                 {.label_columns = {"y"}});
  ASSERT_TRUE(plain.encoding.is_empty());
  ASSERT_FALSE(filled.encoding.is_empty());
  for (const auto& data : {plain, filled}) {
    files.notes.clear();
    const auto alone = files.read("b.jsonl", "{\"c\":\"u\"}\n", like(data));
    EXPECT_THAT(files.notes, ElementsAre(HasSubstr("b.jsonl has 'n': missing in all rows")));
    const auto both = files.read("c.jsonl", "{\"c\":\"u\"}\n{\"n\":7,\"c\":\"u\"}\n", like(data));
    ASSERT_EQ(alone.feature_names.size(), both.feature_names.size());
    for (Index k = 0; k < both.features(); ++k) {
      const double value = testing::entry(alone.x, 0, k);
      const double other = testing::entry(both.x, 0, k);
      EXPECT_TRUE(value == other || (std::isnan(value) && std::isnan(other))) << k;
    }
    EXPECT_THAT(files.read("d.jsonl", "{\"n\":2}\n", like(data)).rows(), 1);
    EXPECT_THAT(files.notes, Contains(HasSubstr("d.jsonl has 'c': missing in all rows")));
  }
  EXPECT_THAT(files.error("e.jsonl", "{\"z\":2}\n", like(filled)),
              HasSubstr("lacks 2 of the model's 2 columns: 'n', 'c'"));
}

TEST_F(JsonLines, OneArrayOfObjectsIsReadLikeItsObjectsLineByLine) {
  const std::string first = R"({"x":1,"t":"a } \" ] b","c":{"k":[1,"]"]},"y1":1})";
  const std::string second = R"({"x":2.5,"t":"z {","y1":0})";
  const auto lines = read(first + "\n" + second + "\n", {.keep_ids = true});
  const std::string pretty = "{\n  \"x\" : 2.5\n  ,\"t\":\t\"z {\",\r\n\"y1\":0\n}";
  for (const auto& text :
       {"[" + first + "," + second + "]", " [\n" + first + "\n,\n\n" + pretty + "\n]\n\n"}) {
    const auto array = read(text, {.keep_ids = true});
    EXPECT_EQ(array.feature_names, lines.feature_names);
    EXPECT_EQ(array.label_names, lines.label_names);
    ASSERT_EQ(array.rows(), 2);
    for (Index row = 0; row < 2; ++row) {
      EXPECT_EQ(testing::row_of(array.x, row), testing::row_of(lines.x, row));
      EXPECT_EQ(testing::labels_of(array, row), testing::labels_of(lines, row));
    }
  }
}

TEST_F(JsonLines, RowsOfAnArrayAreCopiedToAnArray) {
  const std::string text = "[{\"x\":1,\"y\":0},\n{\"x\":\n2,\"y\":1}, {\"x\":3,\"y\":1}]";
  const auto data = read(text);
  RowCopier copier(files / "a.jsonl", {}, data);
  copier.copy(std::vector<Index>{1, 2}, files / "b.jsonl");
  const auto copied = read_dataset(files / "b.jsonl", {.label_columns = {"y"}});
  ASSERT_EQ(copied.rows(), 2);
  EXPECT_THAT(testing::row_of(copied.x, 0), ElementsAre(2));
  EXPECT_THAT(testing::row_of(copied.x, 1), ElementsAre(3));
}

}  // namespace
}  // namespace mugrad
