// SPDX-License-Identifier: MIT
// Labels in one column, as lists.
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Tags : public ::testing::Test {
 protected:
  Dataset read(std::string_view text, ReadOptions options = {}) {
    options.tags = "tags";
    return files.read("a.csv", text, options);
  }
  std::vector<std::string> names(const Dataset& data, Index row) const {
    std::vector<std::string> found;
    for (const LabelId label : testing::labels_of(data, row)) {
      found.push_back(data.label_names[as_size(label)]);
    }
    return found;
  }

  /// As `evaluate` reads other data for the model of `data`.
  Dataset read_like(const Dataset& data, std::string_view name, std::string_view text,
                    ReadOptions options = {}) {
    return files.read(name, text, like(data, std::move(options)));
  }
  static std::string tags_separator(const Dataset& data) {
    return data.encoding.columns.back().separator;
  }
  static ReadOptions like(const Dataset& data, ReadOptions options = {}) {
    options.fallback_labels = data.label_names;
    options.encode_like = data.feature_names;
    options.encoding = data.encoding;
    return options;
  }

  testing::DataFiles files;
};

TEST_F(Tags, SeparatorIsRecognised) {
  for (const auto& [rows, separator] : std::vector<std::pair<std::string, std::string>>{
           {"1,b;a\n2,\n3,c;a\n", ";"},
           {"1,b|a\n2,\n3,c|a\n", "|"},
           {"1,\"b, a\"\n2,\n3,\"c,a\"\n", ","},
           {"1,b a\n2,\n3,c a\n4,a b c\n5,c b\n", " "},
           {"1,\"[\"\"b\"\",\"\"a\"\"]\"\n2,[]\n3,\"[\"\"c\"\", \"\"a\"\"]\"\n", ""}}) {
    SCOPED_TRACE(separator);
    const auto data = read("x,tags\n" + rows);
    EXPECT_THAT(data.label_names, ElementsAre("a", "b", "c"));
    EXPECT_THAT(names(data, 0), ElementsAre("a", "b"));
    EXPECT_THAT(names(data, 1), IsEmpty());
    EXPECT_THAT(names(data, 2), ElementsAre("a", "c"));
    EXPECT_THAT(data.feature_names, ElementsAre("x"));
    EXPECT_EQ(data.encoding.columns.back().separator, separator);
  }
}

TEST_F(Tags, TagsOfSeveralWordsAreNotSplitAtBlanks) {
  const auto data = read("x,tags\n1,machine learning\n2,data base\n3,machine learning\n");
  EXPECT_THAT(data.label_names, ElementsAre("data base", "machine learning"));
}

TEST_F(Tags, GivenSeparatorIsUsed) {
  EXPECT_THAT(read("x,tags\n1,a;b|c\n2,a;b\n", {.tag_separator = "|"}).label_names,
              ElementsAre("a;b", "c"));
}

TEST_F(Tags, WhatPredictWritesIsReadBack) {
  const auto data = read("row,tags\n1,a\\;b;c\\\\d\n2,\\0\n3,\n");
  EXPECT_THAT(data.label_names, ElementsAre("", "a;b", "c\\d"));
  EXPECT_THAT(names(data, 1), ElementsAre(""));
}

TEST_F(Tags, RareTagsAreLeftOutAndNamed) {
  const auto data = read("x,tags\n1,a;b\n2,a;c\n3,a;b\n", {.min_count = 2});
  EXPECT_THAT(data.label_names, ElementsAre("a", "b"));
  EXPECT_THAT(names(data, 1), ElementsAre("a"));
  EXPECT_THAT(files.notes, Contains("left out 1 tag in fewer than 2 rows: 'c'"));
}

TEST_F(Tags, RepeatedTagCountsOnce) {
  EXPECT_THAT(names(read("x,tags\n1,a;a;b\n2,b\n"), 0), ElementsAre("a", "b"));
}

TEST_F(Tags, ModelsLabelsAreFoundAndOthersIgnored) {
  const auto data = read("x,tags\n1,a;b\n?,b\n");
  const auto other = files.read("new.csv", "tags,x\nb;new;a,1\nnew,2\n", {.labels_optional = true});
  EXPECT_EQ(other.labels(), 0);
  const auto like = files.read("b.csv", "tags,x\nb;new;a,1\n,2\n",
                               {.fallback_labels = data.label_names,
                                .encode_like = data.feature_names,
                                .encoding = data.encoding});
  EXPECT_EQ(like.label_names, data.label_names);
  EXPECT_THAT(names(like, 0), ElementsAre("a", "b"));
  EXPECT_THAT(names(like, 1), IsEmpty());
  EXPECT_EQ(like.labels_from, "the model");
  EXPECT_THAT(files.notes,
              Contains(HasSubstr("ignored tags that are no labels of the model, such as 'new'")));
}

TEST_F(Tags, TagsInAnotherNotationThanTheModelsAreFound) {
  const auto lists = read("x,tags\n1,a;feature req\n2,b\n3,a\n");
  const auto arrays =
      read("x,tags\n1,\"[\"\"a\"\",\"\"feature req\"\"]\"\n2,\"[\"\"b\"\"]\"\n3,\"[\"\"a\"\"]\"\n");
  ASSERT_EQ(arrays.label_names, lists.label_names);
  ASSERT_NE(tags_separator(arrays), tags_separator(lists));
  for (const auto& data : {lists, arrays}) {
    for (const std::string_view rows :
         {"1,a;feature req\n2,b\n", "1,a|feature req\n2,b\n", "1,\"a,feature req\"\n2,b\n",
          "1,\"[\"\"a\"\",\"\"feature req\"\"]\"\n2,\"[\"\"b\"\"]\"\n"}) {
      SCOPED_TRACE(rows);
      const auto other = read_like(data, "b.csv", fmt::format("x,tags\n{}", rows));
      EXPECT_THAT(names(other, 0), ElementsAre("a", "feature req"));
      EXPECT_THAT(names(other, 1), ElementsAre("b"));
    }
  }
  const auto json = read_like(lists, "b.jsonl", "{\"x\":1,\"tags\":[\"a\",\"feature req\"]}\n");
  EXPECT_THAT(names(json, 0), ElementsAre("a", "feature req"));
}

TEST_F(Tags, PartsOfAKnownTagDoNotMakeASeparator) {
  const auto data = read("x,tags\n1,new york;new\n2,york\n3,new\n");
  const auto other = read_like(data, "b.csv", "x,tags\n1,new york\n2,new york\n3,other;new\n");
  EXPECT_THAT(names(other, 0), ElementsAre("new york"));
  EXPECT_THAT(names(other, 2), ElementsAre("new"));
}

TEST_F(Tags, AnArrayAmongListsIsRead) {
  const auto data = read("x,tags\n1,a;b\n2,c\n3,\"[\"\"b\"\",\"\"c\"\"]\"\n4,[x];a\n");
  EXPECT_THAT(data.label_names, ElementsAre("[x]", "a", "b", "c"));
  EXPECT_THAT(names(data, 2), ElementsAre("b", "c"));
}

TEST_F(Tags, AGivenSeparatorHoldsForAModelToo) {
  const auto data = read("x,tags\n1,a;b\n2,b|c\n", {.tag_separator = ";"});
  ASSERT_THAT(data.label_names, ElementsAre("a", "b", "b|c"));
  const std::string_view text = "x,tags\n1,b|a\n2,b\n";
  EXPECT_THAT(names(read_like(data, "b.csv", text, {.tag_separator = "|"}), 0),
              ElementsAre("a", "b"));
  EXPECT_THAT(names(read_like(data, "b.csv", text, {.tag_separator = ";"}), 0), IsEmpty());
}

TEST_F(Tags, TagsOfWhichTheModelKnowsNoneAreAnError) {
  const auto data = read("x,tags\n1,a;b\n2,b\n");
  EXPECT_THAT(files.error("b.csv", "x,tags\n1,\n2,c/d\n", like(data)),
              HasSubstr("the tags of b.csv are no labels of the model: the first cell with tags is "
                        "'c/d', and the model has the labels 'a', 'b'"));
  EXPECT_EQ(read_like(data, "b.csv", "x,tags\n1,\n2,NA\n").rows(), 2);
}

TEST_F(Tags, PredictingDoesNotReadTags) {
  const auto data = read("x,tags\n1,\"[\"\"a\"\"]\"\n2,\"[\"\"b\"\"]\"\n");
  const auto other = read_like(data, "b.csv", "x,tags\n1,no array\n", {.labels_optional = true});
  EXPECT_EQ(other.rows(), 1);
  EXPECT_EQ(other.labels(), 0);
  EXPECT_THAT(other.feature_names, IsEmpty());
}

TEST_F(Tags, WordsForMissingValuesAreNoTags) {
  const auto data = read("x,tags\n1,a;b\n2,NA\n3,-\n4,?\n5,null\n6,none\n7,a\n");
  EXPECT_THAT(data.label_names, ElementsAre("a", "b"));
  for (Index row = 1; row < 6; ++row) EXPECT_THAT(names(data, row), IsEmpty());
}

TEST_F(Tags, ArffHasTagsInDenseAndInSparseRows) {
  const std::string header = "@relation r\n@attribute x numeric\n@attribute tags string\n@data\n";
  const auto dense =
      files.read("t.arff", header + "% c\n1, 'a|feature req'\n2,?\n\n3,a\n", {.tags = "tags"});
  EXPECT_THAT(dense.label_names, ElementsAre("a", "feature req"));
  EXPECT_THAT(names(dense, 0), ElementsAre("a", "feature req"));
  EXPECT_THAT(names(dense, 1), IsEmpty());
  const auto sparse =
      files.read("t.arff", header + "{0 1, 1 'a|b'}\n{0 3}\n{1 b}\n", {.tags = "tags"});
  EXPECT_THAT(sparse.label_names, ElementsAre("a", "b"));
  EXPECT_THAT(names(sparse, 0), ElementsAre("a", "b"));
  EXPECT_THAT(names(sparse, 1), IsEmpty());
  EXPECT_THAT(names(sparse, 2), ElementsAre("b"));
  EXPECT_THAT(names(read_like(dense, "u.arff", header + "1,'feature req;a'\n"), 0),
              ElementsAre("a", "feature req"));
  EXPECT_THAT(files.error("t.arff", header + "1,'a\n", {.tags = "tags"}), HasSubstr("t.arff:5:3"));
  EXPECT_THAT(files.error("t.arff", header + "{0 1, 9 a}\n", {.tags = "tags"}),
              HasSubstr("t.arff:5:7: index 9 is beyond the last attribute"));
}

TEST_F(Tags, SeparatorIsOneCharacterAndCountsArePositive) {
  const std::string_view text = "x,tags\n1,a;b\n2,b\n";
  for (const auto* separator : {"xx", "\u00B7"}) {
    EXPECT_THROW(read(text, {.tag_separator = separator}), UsageError) << separator;
  }
  EXPECT_THROW(read(text, {.min_count = 0}), UsageError);
  EXPECT_THROW(read(text, {.min_count = -1}), UsageError);
}

TEST_F(Tags, AFileMayHaveNoOtherColumn) {
  for (const std::string_view text :
       {"tags\na;b\nc;d\n", "tags\na,b\nc,d\n", "tags\na|b\nc|d\n", "\"tags\"\n\"a;b\"\nc;d\n"}) {
    SCOPED_TRACE(text);
    const auto data = read(text);
    EXPECT_THAT(data.label_names, ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(names(data, 1), ElementsAre("c", "d"));
    EXPECT_EQ(data.features(), 0);
  }
}

TEST_F(Tags, MalformedArrayIsLocated) {
  EXPECT_THAT(files.error("a.csv", "x,tags\n1,[a]\n2,\"[\"\"b\"\"]\"\n", {.tags = "tags"}),
              HasSubstr("a.csv:2:3: '[a]' is not a JSON array of tags"));
}

TEST_F(Tags, OtherSourcesOfLabelsExcludeTags) {
  EXPECT_THROW(read("x,tags\n1,a\n", {.label_columns = {"x"}}), UsageError);
}

TEST_F(Tags, OfPredictionsAreBetweenSemicolonsWhateverTheyLookLike) {
  const auto names_of = [&](std::string_view text, ReadOptions options = {}) {
    options.tags = "labels";
    return files.read("a.csv", text, options).label_names;
  };
  EXPECT_THAT(names_of("row,labels\n1,\"billing, refund\"\n2,\"login, password\"\n3,api\n4,\n"),
              ElementsAre("api", "billing, refund", "login, password"));
  EXPECT_THAT(
      files.notes,
      Contains(HasSubstr("a.csv has the columns of predictions: its tags are between ';'")));
  EXPECT_THAT(names_of("row,id,labels\n1,x,red boat\n2,y,red car\n3,z,blue boat\n4,u,NA\n"),
              ElementsAre("NA", "blue boat", "red boat", "red car"));
  EXPECT_THAT(names_of("row,labels\n1,\"[\"\"a\"\"]\"\n2,b;\\ c\n"),
              ElementsAre(" c", "[\"a\"]", "b"));
  // Unless the caller says otherwise, or other columns are there.
  EXPECT_THAT(names_of("row,labels\n1,\"a,b\"\n", {.tag_separator = ","}), ElementsAre("a", "b"));
  EXPECT_THAT(names_of("id,labels\n1,\"a,b\"\n2,\"b,a\"\n"), ElementsAre("a", "b"));
}

TEST_F(Tags, OfObjectsAreTheirLabels) {
  const auto data =
      files.read("a.jsonl",
                 "{\"row\":1,\"labels\":[{\"label\":\"b\",\"score\":0.9},{\"label\":\" \"}]}\n"
                 "{\"row\":2,\"labels\":[]}\n",
                 {.tags = "labels"});
  EXPECT_THAT(data.label_names, ElementsAre(" ", "b"));
  EXPECT_THAT(
      files.error("b.jsonl", "{\"x\":1,\"labels\":[{\"name\":\"b\"}]}\n", {.tags = "labels"}),
      HasSubstr("objects such as {\"label\": \"first\"}"));
}

}  // namespace
}  // namespace mugrad
