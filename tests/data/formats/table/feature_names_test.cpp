// SPDX-License-Identifier: MIT
// Names of features that are made of columns: they differ, and those of hashed terms are numbers.
#include "support/table_test.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/method/br.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>

#include <set>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::table;

class FeatureNames : public testing::TableTest {
 protected:
  std::string refusal(std::string_view text, ReadOptions options = {}) {
    options.label_columns = {"y"};
    return files.error("a.csv", text, options);
  }
};

std::string gappy(std::string_view header, std::string_view value, std::string_view other) {
  return table(header, 60, [&](int i) {
    return fmt::format("{},{},{}", i % 4 == 0 ? "" : i % 4 == 1 ? other : value, i, i % 2);
  });
}

TEST_F(FeatureNames, OfAMissingNumberIsNoOtherColumn) {
  EXPECT_EQ(refusal(gappy("age,age (missing),y", "1.5", "7")),
            "a.csv: 'age' and 'age (missing)' would both become 'age (missing)': rename one, or "
            "leave it out (ReadOptions::drop = age (missing))");
  EXPECT_THAT(refusal(table("x,age,age (missing),y", 60,
                            [](int i) {
                              return fmt::format("{},{},{},{}", i, i % 4 ? std::to_string(i) : "",
                                                 i % 7, i % 2);
                            }),
                      {.drop = {"x"}}),
              HasSubstr("would both become 'age (missing)'"));
}

TEST_F(FeatureNames, OfAMissingYesIsNoOtherColumn) {
  EXPECT_THAT(refusal(gappy("p,p (missing),y", "yes", "no")),
              HasSubstr("'p' and 'p (missing)' would both become 'p (missing)'"));
}

TEST_F(FeatureNames, OfADateAreNoOtherColumns) {
  for (const auto* const part : {"days", "month", "weekday", "hour"}) {
    EXPECT_THAT(refusal(fmt::format("day,day ({}),y\n2026-11-18,1,1\n2026-11-18,2,0\n", part)),
                HasSubstr(fmt::format("would both become 'day ({})'", part)));
  }
}

TEST_F(FeatureNames, AreNoLabels) {
  auto options = ReadOptions{.label_columns = {"age (missing)"}};
  const auto text = table("age,age (missing)", 60, [](int i) {
    return fmt::format("{},{}", i % 4 ? std::to_string(i) : "", i % 2);
  });
  EXPECT_THAT(files.error("a.csv", text, options),
              HasSubstr("'age (missing)' and 'age' would both become 'age (missing)'"));
}

TEST_F(FeatureNames, OfMissingAndRareValuesAreNoValues) {
  EXPECT_EQ(refusal(gappy("p,x,y", "(missing)", "red")),
            "a.csv: the value '(missing)' of 'p' would become 'p=(missing)', which is the name of "
            "another of its features: write the value differently, or leave the column out "
            "(ReadOptions::drop = p)");
  const auto many = table("code,y", 3300, [](int i) {
    return fmt::format("{},{}", i % 1100 ? fmt::format("c{}", i % 1100) : "(other)", i % 2);
  });
  EXPECT_THAT(refusal(many, {.roles = {{"code", ColumnRole::category}}}),
              HasSubstr("the value '(other)' of 'code' would become 'code=(other)'"));
}

TEST_F(FeatureNames, MayLookMadeIfNoOtherIs) {
  EXPECT_EQ(read("p,x (missing),y\n(missing),1,1\nred,2,0\nred,3,1\n(missing),3,1\n").features(),
            3);
}

TEST_F(FeatureNames, OfValuesThatArffDeclaresTwiceAreRead) {
  EXPECT_EQ(files
                .read("a.arff",
                      "@relation a\n@attribute c {red,blue,red}\n@attribute y {0,1}\n@data\n"
                      "red,1\nblue,0\nred,0\n",
                      {.label_columns = {"y"}})
                .features(),
            3);
}

TEST_F(FeatureNames, OfHashedTermsAreNumbers) {
  const std::string text = table("body,y", 40, [](int i) {
    return fmt::format("the printer number{} of floor{} is broken again,{}", i % 13, i % 7, i % 2);
  });
  for (const int bits : {1, 4, 10}) {
    const auto data = read(text, {.text = {.hash_bits = bits}});
    ASSERT_EQ(data.features(), Index{1} << bits);
    EXPECT_EQ(data.feature_names.front(), "body:#0");
    EXPECT_EQ(data.feature_names.back(), fmt::format("body:#{}", (1 << bits) - 1));
    EXPECT_EQ(std::set<std::string>(data.feature_names.begin(), data.feature_names.end()).size(),
              data.feature_names.size());
    const auto model = Model::from_bytes(fit(data, BrOptions{}).to_bytes(), "model");
    EXPECT_EQ(model.contents().feature_names, data.feature_names);
    const auto other = read_like(data, "body\nthe printer number0 of floor0 is broken again\n");
    EXPECT_EQ(testing::row_of(other.x, 0), testing::row_of(data.x, 0));
  }
}

TEST_F(FeatureNames, OfTooManyHashesAreRefusedBeforeTheyAreMade) {
  set_memory_limit(memory_limit_named("4GB"));
  ReadOptions options{.label_columns = {"y"}, .text = {.hash_bits = 30}};
  const auto message = files.error_of([&] {
    files.read("a.csv", "body,y\nthe printer is broken,1\nthe fax is broken,0\n", options);
  });
  set_memory_limit({});
  EXPECT_THAT(message, AllOf(StartsWith("making 2^30 features of the hashed terms of 'body' would "
                                        "take"),
                             HasSubstr("a smaller hash-bits would help")));
}

}  // namespace
}  // namespace mugrad
