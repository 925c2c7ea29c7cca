// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Csv : public ::testing::Test {
 protected:
  /// The last column is the label unless the options say otherwise.
  Dataset read(std::string_view text, ReadOptions options = {}) {
    if (!options.label_count && options.label_columns.empty()) options.label_count = -1;
    return files.read("a.csv", text, options);
  }
  std::string error(std::string_view text, ReadOptions options = {}) {
    if (!options.label_count && options.label_columns.empty()) options.label_count = -1;
    return files.error("a.csv", text, options);
  }

  testing::DataFiles files;
};

TEST_F(Csv, NumbersAndLabelsBecomeADenseDataset) {
  const auto data = read("x,z,y\n1,2.5,1\n-3,4e1,0\n");
  EXPECT_FALSE(data.x.is_sparse());
  EXPECT_THAT(data.feature_names, ElementsAre("x", "z"));
  EXPECT_THAT(data.label_names, ElementsAre("y"));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(-3, 40));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0));
  EXPECT_THAT(testing::labels_of(data, 1), IsEmpty());
  EXPECT_EQ(data.name, "a");
}

TEST_F(Csv, LabelColumnsMayBeAnywhereAndKeepColumnOrder) {
  const auto data =
      read("l_a,x,l_b,other\n1,5,TRUE,no\n0,6,False,yes\n", {.label_columns = {"other", "l_*"}});
  EXPECT_THAT(data.label_names, ElementsAre("l_a", "l_b", "other"));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0, 1));
  EXPECT_THAT(testing::labels_of(data, 1), ElementsAre(2));
}

TEST_F(Csv, QuotesHoldCommasQuotesAndNewlines) {
  const auto data =
      read("\"a, \"\"b\"\"\",\"two\nlines\",\" y \"\r\n\"1\", 2 ,\"1\"\r\n3,\"4\",0\r\n\r\n");
  EXPECT_THAT(data.feature_names, ElementsAre("a, \"b\"", "two\nlines"));
  EXPECT_THAT(data.label_names, ElementsAre(" y "));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1, 2));
}

TEST_F(Csv, ByteOrderMarkIsNotPartOfTheFirstName) {
  EXPECT_THAT(read("\xEF\xBB\xBFx,y\n1,1").feature_names, ElementsAre("x"));
}

TEST_F(Csv, TextColumnsAreNominals) {
  const auto data = read("color,ok,y\nred,yes,1\nblue,no,0\nred,YES,1\n");
  EXPECT_THAT(data.feature_names, ElementsAre("color=blue", "color=red", "ok"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0, 1, 1));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(1, 0, 0));
  EXPECT_THAT(testing::row_of(data.x, 2), ElementsAre(0, 1, 1));
}

TEST_F(Csv, MixedColumnIsANominal) {
  EXPECT_THAT(read("x,y\n1,1\n1,1\nlow,0\n").feature_names, ElementsAre("x=1", "x=low"));
}

TEST_F(Csv, IdentifierIsLeftOut) {
  EXPECT_THAT(read("id,x,y\np1,1,1\np2,2,0\n").feature_names, ElementsAre("x"));
  EXPECT_THAT(files.notes, ElementsAre(StartsWith("left out 'id'")));
  EXPECT_EQ(read("id,x,y\np1,1,1\np2,2,0\n", {.keep_ids = true}).features(), 3);
}

TEST_F(Csv, EmptyCellIsMissing) {
  const std::string_view text = "x,z,y\n1,2,1\n,4,0\n5,6,0\n";
  EXPECT_THAT(error(text, {.missing = Missing::refuse}),
              AllOf(StartsWith("a.csv:3:1: "), HasSubstr("'x' is missing"),
                    HasSubstr("ReadOptions::missing = median")));
  EXPECT_EQ(testing::entry(read(text, {.missing = Missing::mean}).x, 1, 0), 3);
  EXPECT_TRUE(std::isnan(testing::entry(read(text, {.missing = Missing::keep}).x, 1, 0)));
}

TEST_F(Csv, EmptyLabelCellIsUnknown) {
  const auto data = read("x,y\n1,\n2,1\n");
  EXPECT_EQ(data.y, (BinaryMatrix{.cols = 1, .row_start = {0, 0, 1}, .column = {0}}));
  EXPECT_EQ(data.unknown, (BinaryMatrix{.cols = 1, .row_start = {0, 1, 1}, .column = {0}}));
}

TEST_F(Csv, MissingTextIsMissingInAllItsColumns) {
  const auto data = read("c,y\na,1\n,0\nb,1\nb,0\n", {.missing = Missing::keep});
  EXPECT_THAT(data.feature_names, ElementsAre("c=a", "c=b"));
  EXPECT_TRUE(std::isnan(testing::entry(data.x, 1, 0)));
  EXPECT_TRUE(std::isnan(testing::entry(data.x, 1, 1)));
}

TEST_F(Csv, ModelsNamesMakeANominalOfNumbers) {
  const auto data = read("c,y\n1,1\n2,0\n", {.encode_like = {"c=2", "c=red"}});
  EXPECT_THAT(data.feature_names, ElementsAre("c=2", "c=red"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0, 0));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(1, 0));
}

TEST_F(Csv, ColumnThatIsNamedLikeANominalAndAValueIsRefused) {
  EXPECT_THAT(error("a,a=u,y\nu,1,1\nv,2,0\nu,3,0\n"),
              AllOf(HasSubstr("attribute 'a' becomes a column per value"), HasSubstr("'a=u'"),
                    HasSubstr("(ReadOptions::drop)")));
  EXPECT_THAT(read("a,a=u,y\nu,1,1\nv,2,0\nu,3,0\n", {.drop = {"a=u"}}).feature_names,
              ElementsAre("a=u", "a=v"));
}

TEST_F(Csv, MistakesAreLocated) {
  EXPECT_EQ(error("x,y\n1,1\n1,2,3\n"),
            "a.csv:3:1: this row has 3 values separated by ',', expected 2, one per column");
  EXPECT_EQ(error("x,y\n1\n"),
            "a.csv:2:1: this row has 1 values separated by ',', expected 2, one per column");
  EXPECT_THAT(error("x,y\n1,maybe\n"),
              AllOf(StartsWith("a.csv:2:3: "), HasSubstr("'maybe' is not a value of label 'y'")));
  EXPECT_THAT(error("x,y\n1,1\ninf,1\n", {.missing = Missing::refuse}),
              AllOf(StartsWith("a.csv:3:1: "), HasSubstr("'inf' is not a number")));
  EXPECT_THAT(error("x,y\n\"a,1\n"), AllOf(StartsWith("a.csv:2:1: "), HasSubstr("quote")));
  EXPECT_THAT(error("x,y\n\"a\"b,1\n"), AllOf(StartsWith("a.csv:2:4: "), HasSubstr("quote")));
  EXPECT_THAT(error("x,x\n1,1\n"), AllOf(StartsWith("a.csv:1:3: "), HasSubstr("both called 'x'")));
  EXPECT_EQ(error(",\n0,1\n"), "a.csv: the first line has no column names");
  EXPECT_THAT(error("0.5,1,0\n1,2,3\n"),
              AllOf(StartsWith("a.csv:1:1: "), HasSubstr("expected column names")));
  EXPECT_EQ(error("x,y\n"), "a.csv: the file has no examples");
  EXPECT_THAT(error("x,y\n1,1\n", {.label_columns = {"yy"}}), HasSubstr("did you mean"));
}

TEST_F(Csv, LabelsMustBeSaid) {
  EXPECT_THAT(files.error("b.csv", "x,y\n1,1\n"),
              AllOf(HasSubstr("the label columns are not known"),
                    HasSubstr("ReadOptions::label_columns = NAMES"),
                    HasSubstr("ReadOptions::label_count = N")));
  EXPECT_EQ(files.read("b.csv", "x,y\n1,1\n", {.labels_optional = true}).features(), 2);
}

}  // namespace
}  // namespace mugrad
