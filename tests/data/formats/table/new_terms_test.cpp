// SPDX-License-Identifier: MIT
// Rows of a model whose texts have terms that it does not know.
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/data/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

class NewTerms : public ::testing::Test {
 protected:
  Dataset first() const {
    folder_.write("first.csv",
                  "age,body,note,tags\n"
                  "1,banana date banana,x one,fruit\n"
                  "2,banana date,y one,fruit\n"
                  "3,date cherry,x two,stone\n");
    return read_dataset(folder_ / "first.csv", options());
  }
  ReadOptions options() const {
    ReadOptions options{.tags = "tags", .tag_separator = ";"};
    options.roles = {{"body", ColumnRole::text}, {"note", ColumnRole::text}};
    options.text.max_words = 1;
    return options;
  }
  Dataset further(const Dataset& of, const std::string& rows, bool learns = true) const {
    folder_.write("more.csv", rows);
    return read_dataset(folder_ / "more.csv", {.encode_like = of.feature_names,
                                               .encoding = of.encoding,
                                               .learn_terms = learns,
                                               .threads = {2}});
  }

  testing::TemporaryFolder folder_;
};

constexpr const char* kMore =
    "tags,note,body,age\n"
    "fruit;new,one,apple cherry banana,4\n"
    "stone,three one,apple date,5\n"
    "stone,three,cherry,6\n";

TEST_F(NewTerms, JoinThoseOfTheModelInTheOrderOfTheirBytes) {
  const Dataset model = first();
  ASSERT_THAT(model.feature_names, ElementsAre("age", "body:banana", "body:date", "note:one"));
  const Dataset data = further(model, kMore);
  EXPECT_THAT(data.feature_names, ElementsAre("age", "body:apple", "body:banana", "body:cherry",
                                              "body:date", "note:one", "note:three"));
  EXPECT_THAT(data.term_blocks, ElementsAre(TermBlock{1, 4}, TermBlock{5, 2}));
  EXPECT_THAT(data.label_names, ElementsAre("fruit", "new", "stone"));
  const auto& columns = data.encoding.columns;
  ASSERT_EQ(columns.size(), model.encoding.columns.size());
  EXPECT_EQ(columns[1].name, "body");
  EXPECT_EQ(columns[1].first, 1);
  EXPECT_EQ(columns[1].width, 4);
  EXPECT_EQ(columns[2].first, 5);
  const auto& x = data.x.sparse();
  EXPECT_EQ(x.at(0, 0), 4);
  EXPECT_EQ(x.at(0, 1), 1);  // apple
  EXPECT_EQ(x.at(0, 4), 0);  // date
  EXPECT_EQ(x.at(1, 4), 1);
  EXPECT_EQ(x.at(1, 6), 1);  // three
  EXPECT_EQ(x.at(2, 3), 1);  // cherry
}

TEST_F(NewTerms, AreLeftOutUnlessAskedFor) {
  const Dataset model = first();
  const Dataset data = further(model, kMore, false);
  EXPECT_EQ(data.features(), 4);
  EXPECT_TRUE(data.feature_names.empty());
}

TEST_F(NewTerms, ThatAreTooRareAreNoFeatures) {
  const Dataset model = first();
  const Dataset data = further(model,
                               "tags,note,body,age\n"
                               "fruit,one,apple banana,4\n"
                               "stone,two,pear date,5\n");
  EXPECT_EQ(data.feature_names, model.feature_names);
  EXPECT_EQ(data.encoding, model.encoding);
}

TEST_F(NewTerms, GiveFeaturesThatTheExtendedModelReadsAgain) {
  const Dataset data = further(first(), kMore);
  const Dataset again = further(data, kMore, false);
  EXPECT_EQ(again.x, data.x);
}

TEST_F(NewTerms, CannotBeLearnedInBlocks) {
  const Dataset model = first();
  std::string rows = "tags,note,body,age\n";
  for (int i = 0; i < 3000; ++i) rows += "fruit,one,apple,4\n";
  folder_.write("more.csv", rows);
  BlockReader reader(folder_ / "more.csv",
                     {.fallback_labels = {"fruit"},
                      .encode_like = model.feature_names,
                      .encoding = model.encoding,
                      .learn_terms = true},
                     1);
  Dataset block;
  EXPECT_THROW(reader.next(block), InputError);
}

}  // namespace
}  // namespace mugrad
