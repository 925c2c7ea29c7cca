// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Delimiters : public ::testing::Test {
 protected:
  /// The names of the columns, all of which are features.
  std::vector<std::string> names(std::string_view text, ReadOptions options = {},
                                 std::string_view name = "a.csv") {
    options.labels_optional = true;
    options.missing = Missing::keep;
    options.keep_ids = true;
    return files.read(name, text, options).feature_names;
  }
  std::string error(std::string_view text, ReadOptions options = {}) {
    options.labels_optional = true;
    return files.error("a.csv", text, options);
  }

  testing::DataFiles files;
};

TEST_F(Delimiters, AreRecognisedFromTheContent) {
  for (const char delimiter : kDelimiters) {
    SCOPED_TRACE(delimiter);
    const auto text = fmt::format("x{0}z{0}y\n1{0}2.5{0}3\n4{0}5{0}6\n", delimiter);
    EXPECT_THAT(names(text), ElementsAre("x", "z", "y"));
    EXPECT_THAT(names(text, {}, "a.tsv"), ElementsAre("x", "z", "y"));
    EXPECT_THAT(names(text, {.delimiter = delimiter}), ElementsAre("x", "z", "y"));
  }
}

TEST_F(Delimiters, InQuotesSeparateNothing) {
  EXPECT_THAT(names("\"a,b,c\";d\n1;2\n3;4\n"), ElementsAre("a,b,c", "d"));
  EXPECT_THAT(names("\"a;b\"\tc\n1\t2\n"), ElementsAre("a;b", "c"));
  EXPECT_THAT(names("\"a\n;\"\"b\";c\r\n1;2\r\n"), ElementsAre("a\n;\"b", "c"));
}

TEST_F(Delimiters, SplitAllRecordsAlike) {
  EXPECT_THAT(names("a,b;c\n1;2\n3;4\n"), ElementsAre("a,b", "c"));
  EXPECT_THAT(names("first;last,age;pet\n1,2\n3,4\n"), ElementsAre("first;last", "age;pet"));
  EXPECT_THAT(names("size in cm | m,b\n1,2\n"), ElementsAre("size in cm | m", "b"));
}

TEST_F(Delimiters, ThatFitEquallyWellAreTheUsualOne) {
  EXPECT_THAT(names("a,b;c\n1,2;3\n"), ElementsAre("a", "b;c=2;3"));
  EXPECT_THAT(names("a,b\tc\n1,2\t3\n"), ElementsAre("a", "b\tc=2\t3"));
  EXPECT_THAT(names("a,b\tc\n1,2\t3\n", {}, "a.tsv"), ElementsAre("a,b=1,2", "c"));
}

TEST_F(Delimiters, OfTheOptionsOverruleTheContent) {
  EXPECT_THAT(names("a,b;c\n1,2;3\n", {.delimiter = ';'}), ElementsAre("a,b", "c"));
  EXPECT_EQ(files.error_of([&] { read_dataset(files / "a.csv", {.delimiter = ':'}); }),
            "there is no delimiter ':'; there are , ; | and tab");
}

TEST_F(Delimiters, AreNotNeededForOneColumn) {
  EXPECT_THAT(names("x\n1\n2\n"), ElementsAre("x"));
  EXPECT_THAT(names("x\n1\n2\n", {}, "a.tsv"), ElementsAre("x"));
  EXPECT_THAT(names("x\n1\n2\n", {.format = Format::csv}, "a.data"), ElementsAre("x"));
}

TEST_F(Delimiters, AreInTheMessages) {
  EXPECT_EQ(error("a;b\n1;2\n1;2;3\n"),
            "a.csv:3:1: this row has 3 values separated by ';', expected 2, one per column");
  EXPECT_EQ(error("a\tb\n1\n"),
            "a.csv:2:1: this row has 1 values separated by a tab, expected 2, one per column");
  EXPECT_EQ(error("a|b\n\"1\"x|2\n"), "a.csv:2:4: text after a closing quote, expected '|'");
}

TEST_F(Delimiters, ThatOnlyTheFirstLineLacksAreRefused) {
  EXPECT_EQ(error("Report of May\na;b\n1;2\n3;4\n"),
            "a.csv:1:1: the first line has no ';', but every later one has; expected column names "
            "with ';' between them, or ReadOptions::delimiter = DELIMITER");
  EXPECT_THAT(names("text\nred; blue\ngreen; white\n",
                    {.roles = {{"text", ColumnRole::category}}, .delimiter = ','}),
              ElementsAre("text=green; white", "text=red; blue"));
}

TEST_F(Delimiters, EmptyCellsBetweenTabsAreMissing) {
  const auto data = files.read("a.csv", "a\tb\tc\n\t2\t\n \t \t3\n\"\"\t\t\"4\"\n\n",
                               {.labels_optional = true, .missing = Missing::keep});
  ASSERT_EQ(data.rows(), 3);
  const auto is_missing = [&](Index row) {
    std::vector<bool> missing;
    for (const double value : testing::row_of(data.x, row)) missing.push_back(std::isnan(value));
    return missing;
  };
  EXPECT_THAT(is_missing(0), ElementsAre(true, false, true));
  EXPECT_THAT(is_missing(1), ElementsAre(true, true, false));
  EXPECT_THAT(is_missing(2), ElementsAre(true, true, false));
}

TEST_F(Delimiters, WrittenNamesAreNotTakenForThem) {
  EXPECT_TRUE(rc::check([&] {
    const auto column = [] {
      return "x" +
             *rc::gen::container<std::string>(rc::gen::element(',', ';', '\t', '|', '"', ' '));
    };
    Dataset data{.name = "d",
                 .x = Matrix<double>(1, 2, 0.5),
                 .y = {},
                 .feature_names = {column() + "a", column() + "b"},
                 .label_names = {}};
    data.y.end_row();
    for (const auto* name : {"d.csv", "d.tsv"}) {
      write_dataset(data, files / name);
      RC_ASSERT(read_dataset(files / name, {.labels_optional = true}).feature_names ==
                data.feature_names);
    }
  }));
}

TEST_F(Delimiters, LinesOfOldMacsAreRefused) {
  EXPECT_THAT(error("x,y\r1,2\r3,4\r"), StartsWith("a.csv:1:4: this carriage return"));
  EXPECT_THAT(error("x;y\r1;2\r3;4\n"), StartsWith("a.csv:1:4: this carriage return"));
  EXPECT_THAT(names("\"x\ry\",z\r\n1,2\r\n"), ElementsAre("x\ry", "z"));
}

TEST_F(Delimiters, DecimalCommasAreReadInFilesWithSemicolons) {
  const auto data =
      files.read("a.csv", "x;n;y\n3,14;1;1\n-2,5e1;2;0\n7;3;1\n", {.label_count = -1});
  EXPECT_THAT(data.feature_names, ElementsAre("x", "n"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(3.14, 1));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(-25, 2));
  EXPECT_THAT(testing::row_of(data.x, 2), ElementsAre(7, 3));
  EXPECT_THAT(files.notes,
              ElementsAre("1 column has decimal commas, such as 'x' with '3,14' on line 2"));
}

TEST_F(Delimiters, CommasAreNoDecimalPointsElsewhere) {
  // With points, they may stand between thousands.
  EXPECT_THAT(names("x;z\n1,5;1\n1.5;2\n"), ElementsAre("x=1,5", "x=1.5", "z"));
  // A list in a column of texts.
  EXPECT_THAT(names("x;z\na;1\nb;2\n1,5;3\n"), ElementsAre("x=1,5", "x=a", "x=b", "z"));
  EXPECT_THAT(names("x;z\n1,5,2;1\n1,4,3;2\n"), ElementsAre("x=1,4,3", "x=1,5,2", "z"));
  EXPECT_THAT(files.notes, IsEmpty());
  EXPECT_THAT(names("x\tz\n1,5\t1\n1,6\t2\n"), ElementsAre("x=1,5", "x=1,6", "z"));
  EXPECT_THAT(
      files.notes,
      ElementsAre("'x' looks like numbers in a form that is not read, such as '1,5', and is "
                  "taken for a column of role category: write numbers like 1234.5"));
}

TEST_F(Delimiters, DecimalCommasAreOnlyInNumbers) {
  const auto tags = files.read("a.csv", "x;tags\n1;1,2\n2;2,3\n3;1\n4;3,1\n", {.tags = "tags"});
  EXPECT_THAT(tags.label_names, ElementsAre("1", "2", "3"));
  const auto rows = files.read(
      "a.csv", "id;x;y\n1,001;1;0\n1,002;2;1\n1,003;3;1\n",
      {.label_columns = {"y"}, .roles = {{"id", ColumnRole::identifier}}, .keep_row_names = true});
  EXPECT_THAT(rows.row_names, ElementsAre("1,001", "1,002", "1,003"));
  const std::string_view text = "c;y\n1,5;0\n2,5;1\n1,5;1\n";
  EXPECT_THAT(
      files.read("a.csv", text, {.label_columns = {"y"}, .roles = {{"c", ColumnRole::category}}})
          .feature_names,
      ElementsAre("c=1,5", "c=2,5"));
  EXPECT_THAT(files.notes, IsEmpty());
}

TEST_F(Delimiters, TheModelSaysWhichColumnsHaveDecimalCommas) {
  const auto data = files.read("a.csv", "c;n;y\n1,5;1,5;0\nred;2,5;1\n1,5;?;1\nred;7;0\n",
                               {.label_columns = {"y"}});
  EXPECT_THAT(data.feature_names, ElementsAre("c=1,5", "c=red", "n"));
  const auto other = files.read(
      "b.csv", "c;n\n1,5;3,5\n1,5;abc\n1,5;def\n",
      {.labels_optional = true, .encode_like = data.feature_names, .encoding = data.encoding});
  EXPECT_THAT(testing::row_of(other.x, 0), ElementsAre(1, 0, 3.5));
  EXPECT_THAT(testing::row_of(other.x, 1), ElementsAre(1, 0, 2.5));
}

TEST_F(Delimiters, ATextAmongDecimalCommasIsNamed) {
  EXPECT_THAT(names("x;z\n1,5;1\n2,5;2\nabc;3\n", {.roles = {{"x", ColumnRole::number}}}),
              ElementsAre("x", "z"));
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("decimal commas"),
                                       HasSubstr("is no number, such as 'abc' on line 4")));
}

}  // namespace
}  // namespace mugrad
