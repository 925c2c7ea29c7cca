// SPDX-License-Identifier: MIT
// What the columns of a table are taken for, and how they are encoded.
#include "support/table_test.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using testing::table;

class Roles : public testing::TableTest {};

TEST_F(Roles, TextsOfSeveralWordsAreTextEvenIfTwoAreAlike) {
  const auto data = read(
      "body,y\nthe printer is broken,1\nthe printer is broken,0\nplease refund me,1\n"
      "cannot open my file,0\n");
  EXPECT_EQ(role_of("body"), ColumnRole::text);
  EXPECT_THAT(data.feature_names,
              ElementsAre("body:broken", "body:is", "body:is broken", "body:printer",
                          "body:printer is", "body:the", "body:the printer"));
  EXPECT_TRUE(data.x.is_sparse());
}

TEST_F(Roles, RepeatedTextsAreCategories) {
  read(table("city,y", 40, [](int i) {
    return fmt::format("{},{}", i % 2 ? "New York" : "Los Angeles", i % 2);
  }));
  EXPECT_EQ(role_of("city"), ColumnRole::category);
}

TEST_F(Roles, DifferentSingleWordsOnEveryRowNameTheRows) {
  const auto data = read("ticket,x,y\nT-1,1,1\nT-2,2,0\nT-3,5,1\n");
  EXPECT_EQ(role_of("ticket"), ColumnRole::identifier);
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_THAT(read_like(data, "ticket,x\nA,4\nB,6\n").row_names, ElementsAre("A", "B"));
}

TEST_F(Roles, OneDirtyCellLeavesANumberANumber) {
  const auto data = read(table("age,y", 200, [](int i) {
    return i == 17 ? std::string("abc,0") : fmt::format("{},{}", i + 0.5, i % 2);
  }));
  EXPECT_EQ(role_of("age"), ColumnRole::number);
  EXPECT_THAT(data.feature_names, ElementsAre("age"));
  EXPECT_THAT(files.notes, ElementsAre("1 cell of column 'age' is no number, such as 'abc' on line "
                                       "19: counted as missing"));
  EXPECT_DOUBLE_EQ(testing::entry(data.x, 17, 0), 100.5);  // the median of the others
}

TEST_F(Roles, ManyTextsAmongNumbersMakeACategory) {
  const auto data = read("grade,y\n1,1\n2,0\ngood,1\nbad,0\n1,1\n2,1\n");
  EXPECT_EQ(role_of("grade"), ColumnRole::category);
  EXPECT_THAT(data.feature_names, ElementsAre("grade=1", "grade=2", "grade=bad", "grade=good"));
}

TEST_F(Roles, AWordInAColumnOfNumbersIsMissingInTrainingAndAfterwards) {
  const auto data = read(table("x,y", 60, [](int i) {
    return fmt::format("{},{}", i < 3 ? std::string("no") : std::to_string(i), i % 2);
  }));
  EXPECT_EQ(testing::entry(data.x, 0, 0), 31);
  const auto other = read_like(data, "x\nno\nyes\n0\n");
  EXPECT_THAT(testing::row_of(other.x, 0), ElementsAre(31));
  EXPECT_THAT(testing::row_of(other.x, 1), ElementsAre(31));
  EXPECT_THAT(testing::row_of(other.x, 2), ElementsAre(0));
  EXPECT_THAT(files.notes, Contains(HasSubstr("2 cells of column 'x' are no number")));
}

TEST_F(Roles, DatesBecomeDaysMonthWeekdayAndHour) {
  const auto data = read("d,y\n2026-11-18,1\n1970-01-01T06:00,0\n2024-02-29 23:59:59Z,1\n");
  EXPECT_EQ(role_of("d"), ColumnRole::date);
  EXPECT_THAT(data.feature_names, ElementsAre("d (days)", "d (month)", "d (weekday)", "d (hour)"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(20775, 11, 3, 0));  // a Wednesday
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0.25, 1, 4, 6));    // a Thursday
  EXPECT_THAT(testing::row_of(read_like(data, "d\n2000-12-31\n").x, 0),
              ElementsAre(11322, 12, 7, 0));
}

TEST_F(Roles, InvalidDatesAreTexts) {
  read("d,y\n2026-02-30,1\n2026-13-01,0\n2026-11-18,1\n2026-11-18,1\n");
  EXPECT_EQ(role_of("d"), ColumnRole::category);
}

TEST_F(Roles, ChosenRolesOverruleGuesses) {
  const std::string_view text = "a,b,c,y\n1,red fox,x,1\n2,red dog,y,0\n1,red fox,x,1\n";
  const auto data = read(text, {.roles = {{"a", ColumnRole::category},
                                          {"b", ColumnRole::text},
                                          {"c", ColumnRole::identifier}}});
  EXPECT_THAT(data.feature_names, ElementsAre("a=1", "a=2", "b:fox", "b:red", "b:red fox"));
  EXPECT_THROW(read(text, {.roles = {{"a", ColumnRole::category}, {"a", ColumnRole::text}}}),
               UsageError);
  EXPECT_THAT(
      files.error("a.csv", text, {.label_columns = {"y"}, .roles = {{"d", ColumnRole::text}}}),
      HasSubstr("names 'd', which no attribute of"));
}

TEST_F(Roles, MedianFillsInMissingNumbers) {
  const auto data = read("x,y\n1,1\nNA,0\n7,1\n?,0\n-,1\nnull,1\n3,0\n");
  EXPECT_EQ(role_of("x"), ColumnRole::number);
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  for (const Index row : {1, 3, 4, 5}) EXPECT_EQ(testing::entry(data.x, row, 0), 3);
  const auto other = read_like(data, "x\n100\nn/a\n");
  EXPECT_THAT(testing::row_of(other.x, 0), ElementsAre(100));
  EXPECT_THAT(testing::row_of(other.x, 1), ElementsAre(3));  // of the training part
}

TEST_F(Roles, ManyMissingNumbersAreMarked) {
  const auto data = read(table("x,y", 100, [](int i) {
    return fmt::format("{},{}", i % 5 == 0 ? "" : std::to_string(i), i % 2);
  }));
  EXPECT_THAT(data.feature_names, ElementsAre("x", "x (missing)"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(50, 1));
  EXPECT_THAT(testing::row_of(data.x, 7), ElementsAre(7, 0));
  EXPECT_THAT(testing::row_of(read_like(data, "x\n?\n8\n").x, 0), ElementsAre(50, 1));
}

TEST_F(Roles, MedianIsThatOfAllRows) {
  const auto data = read(table("x,y", 5000, [](int i) {
    return fmt::format("{},{}", i == 4999 ? "" : std::to_string(i), i % 2);
  }));
  EXPECT_EQ(testing::entry(data.x, 4999, 0), 2499);
  EXPECT_EQ(data.encoding.columns.front().fill, 2499);
}

TEST_F(Roles, MissingCategoryIsACategoryOfItsOwn) {
  const auto data = read("c,y\nred,1\n,0\nblue,1\nN/A,0\nred,0\nblue,1\n");
  EXPECT_THAT(data.feature_names, ElementsAre("c=blue", "c=red", "c=(missing)"));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 0, 1));
  const auto other = read_like(data, "c\nred\n-\ngreen\n");
  EXPECT_THAT(testing::row_of(other.x, 0), ElementsAre(0, 1, 0));
  EXPECT_THAT(testing::row_of(other.x, 1), ElementsAre(0, 0, 1));
  EXPECT_THAT(testing::row_of(other.x, 2), ElementsAre(0, 0, 0));
  EXPECT_THAT(files.notes, Contains(HasSubstr("'c' has values that the model does not know")));
}

TEST_F(Roles, RareValuesOfALargeCategoryShareAColumn) {
  const auto data =
      read(table("code,y", 3300, [](int i) { return fmt::format("c{},{}", i % 1100, i % 2); }),
           {.roles = {{"code", ColumnRole::category}}});
  EXPECT_EQ(data.features(), 1001);
  EXPECT_EQ(data.feature_names.back(), "code=(other)");
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("'code' has 1100 values")));
  const auto other = read_like(data, "code\nunseen\n");
  EXPECT_EQ(testing::entry(other.x, 0, 1000), 1);
}

TEST_F(Roles, ACategoryThatNearlyAllRowsDifferInMayBeAnIdentifier) {
  const auto codes = [](int different) {
    return table("code,y", 120, [=](int i) { return fmt::format("c{},{}", i % different, i % 2); });
  };
  read(codes(60));
  EXPECT_THAT(files.notes,
              ElementsAre(AllOf(HasSubstr("'code' has 60 different values in 120 rows"),
                                HasSubstr("ReadOptions::roles (identifier)"))));
  files.notes.clear();
  read(codes(59));
  read(codes(60), {.roles = {{"co*", ColumnRole::category}}});
  read(codes(60), {.keep_ids = true});
  EXPECT_THAT(files.notes, IsEmpty());
}

TEST_F(Roles, ColumnWithoutValuesIsLeftOut) {
  const auto data = read("x,z,y\n1,,1\n2,NA,0\n");
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_THAT(files.notes, ElementsAre("left out 'z': every value is missing"));
}

TEST_F(Roles, OtherOrderOfColumnsGivesTheSameFeatures) {
  const auto data = read(
      "n,body,c,y\n1,a good day,u,1\n2,a bad day,v,0\n,a good night,u,1\n4,bad good words,w,0\n");
  const auto other = read_like(data, "c,n,unused,body\nv,2,7,a bad day\nw,?,8,good night\n");
  EXPECT_EQ(other.features(), data.features());
  EXPECT_EQ(testing::row_of(other.x, 0), testing::row_of(data.x, 1));
  EXPECT_THAT(files.notes, Contains(HasSubstr("ignored 1 of")));
}

TEST_F(Roles, ColumnsThatTheModelNeedsMustBeThere) {
  const auto data = read("n,c,y\n1,u,1\n?,v,0\n3,u,1\n");
  EXPECT_THAT(
      files.error(
          "new.csv", "n\n1\n",
          {.labels_optional = true, .encode_like = data.feature_names, .encoding = data.encoding}),
      HasSubstr("lacks 1 of the model's 2 columns: 'c'"));
  EXPECT_THAT(files.error("new.csv", "n,c\n1,u\n",
                          {.labels_optional = true,
                           .drop = {"c"},
                           .encode_like = data.feature_names,
                           .encoding = data.encoding}),
              HasSubstr("new.csv lacks 1 of the model's 2 columns, leaving out those of "
                        "ReadOptions::drop: 'c'"));
}

TEST_F(Roles, BlocksOfAModelsRowsAreTheWhole) {
  const auto make = [](int i) {
    return fmt::format("{},{},word{} word{} the end,{}", i % 7 == 0 ? "" : std::to_string(i), i % 3,
                       i % 5, i % 11, i % 2);
  };
  const auto data = read(table("n,c,body,y", 60, make), {.roles = {{"c", ColumnRole::category}}});
  const std::string text = table("n,c,body,y", 50, [&](int i) { return make(i * 3); });
  const auto whole = read_like(data, text);
  BlockReader reader(
      files / "new.csv",
      {.labels_optional = true, .encode_like = data.feature_names, .encoding = data.encoding}, 7);
  Dataset block;
  for (Index row = 0; reader.next(block);) {
    for (Index i = 0; i < block.rows(); ++i, ++row) {
      EXPECT_EQ(testing::row_of(block.x, i), testing::row_of(whole.x, row));
    }
  }
}

TEST_F(Roles, PlainTablesNeedNoEncoding) {
  EXPECT_TRUE(read("x,c,y\n1,u,1\n2,v,0\n5,u,1\n").encoding.is_empty());
  EXPECT_FALSE(read("x,c,y\n1,u,1\n,v,0\n5,u,1\n").encoding.is_empty());
}

TEST_F(Roles, ThreadsDoNotChangeTheFeatures) {
  const std::string text = table("body,y", 500, [](int i) {
    return fmt::format("ticket about topic{} and product{} number {},{}", i % 13, i % 29, i, i % 2);
  });
  const auto one = read(text, {.threads = {1}});
  for (const int threads : {2, 3, 7}) {
    const auto other = read(text, {.threads = {threads}});
    EXPECT_EQ(other.feature_names, one.feature_names);
    EXPECT_TRUE(other.x == one.x);
  }
}

TEST_F(Roles, HashedTermsNeedNoVocabulary) {
  ReadOptions options{.label_columns = {"y"}, .text = {.hash_bits = 10}};
  const auto data = read("body,y\nalpha beta gamma delta,1\nbeta gamma delta epsilon,0\n", options);
  EXPECT_EQ(data.features(), 1024);
  EXPECT_EQ(data.feature_names.front(), "body:#0");
  EXPECT_EQ(data.feature_names[12], "body:#12");
  const auto other = read_like(data, "body\nalpha beta gamma delta\n");
  EXPECT_EQ(testing::row_of(other.x, 0), testing::row_of(data.x, 0));
}

TEST_F(Roles, ANoteSaysWhatLooksLikeNumbersOrDatesAndIsNotRead) {
  const std::pair<const char*, const char*> cells[] = {
      {"\"{},474.50\"", "numbers"}, {"1.{:03}.500", "numbers"}, {"{}'500", "numbers"},
      {"\"{},5\"", "numbers"},      {"01/{}/2025", "dates"},    {"{}-1-25 10:30", "dates"}};
  for (const auto& [cell, what] : cells) {
    read(table("c,y", 20, [form = cell](int i) {
      return fmt::format("{},{}", fmt::format(fmt::runtime(form), 1 + i % 12), i % 2);
    }));
    EXPECT_THAT(files.notes,
                Contains(AllOf(StartsWith(fmt::format("'c' looks like {} in a form", what)),
                               HasSubstr("taken for a column of role "))))
        << cell;
  }
  for (const auto* cell :
       {"1.2.{}", "555 123 {:03}", "a,{}", "1/{}", "1,2,{}", "2025/{}", "{}.5"}) {
    read(table("c,y", 20, [&](int i) {
      return fmt::format("\"{}\",{}", fmt::format(fmt::runtime(cell), 1 + i % 12), i % 2);
    }));
    EXPECT_THAT(files.notes, Not(Contains(HasSubstr("looks like")))) << cell;
  }
}

}  // namespace
}  // namespace mugrad
