// SPDX-License-Identifier: MIT
// Values of categories that a model knows, misses or has never seen.
#include "data/formats/table/table.h"
#include "support/table_test.h"

#include <gmock/gmock.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using testing::entry;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::row_of;
using testing::table;

constexpr const char* kYesNo = "paid,x,y\nyes,1,1\nno,2,0\n,3,1\nno,4,0\nyes,5,1\n";

class KnownCategories : public testing::TableTest {
 protected:
  /// All rows, read in blocks of so many.
  std::vector<std::vector<double>> in_blocks(const Dataset& model, std::string_view text,
                                             Index rows) {
    auto options = like(model);
    options.note = [this](const std::string& note) { files.notes.push_back(note); };
    files.notes.clear();
    BlockReader reader(files.write("new.csv", text), options, rows);
    std::vector<std::vector<double>> found;
    for (Dataset block; reader.next(block);) {
      for (Index row = 0; row < block.rows(); ++row) found.push_back(row_of(block.x, row));
    }
    return found;
  }
};

TEST_F(KnownCategories, EveryMissingYesOrNoIsMarked) {
  const auto data = read(kYesNo);
  EXPECT_THAT(data.feature_names, ElementsAre("paid", "paid (missing)", "x"));
  EXPECT_THAT(row_of(data.x, 0), ElementsAre(1, 0, 1));
  EXPECT_THAT(row_of(data.x, 1), ElementsAre(0, 0, 2));
  EXPECT_THAT(row_of(data.x, 2), ElementsAre(0, 1, 3));
}

TEST_F(KnownCategories, NeitherYesNorNoCountsAsMissing) {
  const auto other = read_like(read(kYesNo), "x,paid\n1,maybe\n2,YES\n3,false\n4,?\n5,perhaps\n");
  EXPECT_THAT(row_of(other.x, 0), ElementsAre(0, 1, 1));
  EXPECT_THAT(row_of(other.x, 1), ElementsAre(1, 0, 2));
  EXPECT_THAT(row_of(other.x, 2), ElementsAre(0, 0, 3));
  EXPECT_THAT(row_of(other.x, 3), ElementsAre(0, 1, 4));
  EXPECT_THAT(row_of(other.x, 4), ElementsAre(0, 1, 5));
  EXPECT_THAT(files.notes, ElementsAre("'paid' has values that the model does not know in 2 rows, "
                                       "such as 'maybe': counted as missing"));
}

TEST_F(KnownCategories, NeitherYesNorNoIsUnknownToAModelWithoutMissingValues) {
  const auto data = read("paid,x,y\nyes,1,1\nno,,0\nno,3,1\nno,4,0\nyes,5,1\n");
  EXPECT_THAT(data.feature_names, ElementsAre("paid", "x"));
  const auto other = read_like(data, "x,paid\n1,maybe\n2,yes\n");
  EXPECT_TRUE(std::isnan(entry(other.x, 0, 0)));  // scoring takes the mean of the training
  EXPECT_EQ(entry(other.x, 1, 0), 1);
}

TEST_F(KnownCategories, YesMayComeInALaterBlock) {
  const auto data = read(kYesNo);
  for (const auto* const first : {"no", "yes", "TRUE", "", "1"}) {
    const std::string text = table("paid,x", 9, [&](int i) {
      return fmt::format("{},{}", i < 3 ? first : i % 2 ? "Yes" : "No", i);
    });
    const auto rows = in_blocks(data, text, 2);
    ASSERT_EQ(rows.size(), 9U);
    for (std::size_t i = 3; i < 9; ++i) {
      EXPECT_THAT(rows[i], ElementsAre(i % 2, 0, i)) << "after " << first;
    }
  }
}

TEST_F(KnownCategories, ManyOtherTextsTakeNoMemory) {
  const auto data = read(kYesNo);
  formats::TableColumns columns{
      .header = {.name = "new",
                 .attributes = {{.name = "paid", .type = formats::AttributeType::category},
                                {.name = "unused", .type = formats::AttributeType::category}}},
      .labels = {.is_label = {false, false}},
      .dropped = {false, false}};
  const ReadOptions options = like(data);
  const formats::SourceText source("new.csv", "text");
  formats::TableBuilder builder(source, columns, options);
  for (int i = 0; i < 10'000; ++i) {
    const std::string text = fmt::format("text {}", i);
    builder.add(0, {.text = text, .at = source.begin()});
    builder.add(1, {.text = text, .at = source.begin()});
    builder.end_row();
  }
  for (const auto& column : builder.columns()) EXPECT_LT(column.values->size(), 100U);
}

TEST_F(KnownCategories, UnknownValuesOfLaterRowsAreTold) {
  const auto data = read("c,x,y\nred,1,1\n,2,0\nblue,3,1\nred,4,0\nblue,5,1\n");
  const std::string text = table("c,x", 3000, [](int i) {
    return fmt::format("{},{}", i < 2998 ? "red" : i == 2998 ? "green" : "olive", i);
  });
  const auto other = read_like(data, text);
  EXPECT_THAT(files.notes, ElementsAre("'c' has values that the model does not know in 2 rows, "
                                       "such as 'green': all of its columns are 0 there"));
  EXPECT_THAT(row_of(other.x, 2999), ElementsAre(0, 0, 0, 2999));
  in_blocks(data, text, 1000);
  EXPECT_THAT(files.notes, ElementsAre("'c' has values that the model does not know, such as "
                                       "'green': all of its columns are 0 there"));
  in_blocks(data, "c,x\nred,1\n,2\nblue,3\n", 1);
  EXPECT_THAT(files.notes, IsEmpty());
}

TEST_F(KnownCategories, UnknownValuesOfAModelOfPlainColumnsAreToldOnce) {
  const auto data = read("c,x,y\nred,1,1\nblue,3,1\nred,4,0\nblue,5,1\n");
  ASSERT_TRUE(data.encoding.is_empty());
  const std::string text =
      table("c,x", 3000, [](int i) { return fmt::format("{},{}", i < 2999 ? "red" : "olive", i); });
  in_blocks(data, text, 1000);
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("'c' has values that the model does not know, "
                                                 "such as 'olive'")));
  read_like(data, text);
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("'c' has values that the model does not know in 1 "
                                                 "row, such as 'olive'")));
}

TEST_F(KnownCategories, RareAndUnknownValuesAreTold) {
  const auto data =
      read(table("code,y", 3300, [](int i) { return fmt::format("c{},{}", i % 1100, i % 2); }),
           {.roles = {{"code", ColumnRole::category}}});
  const auto other = read_like(data, "code\nunseen\nc1\n");
  EXPECT_EQ(entry(other.x, 0, 1000), 1);
  EXPECT_EQ(entry(other.x, 1, 1000), 0);
  EXPECT_THAT(files.notes, ElementsAre("'code' has values that the model does not know in 1 row, "
                                       "such as 'unseen': they share a column with rare values"));
}

TEST_F(KnownCategories, FirstValueOfSparseRowsMayBeUnknown) {
  const auto data = files.read("a.arff",
                               "@relation a\n@attribute c {red,blue,green}\n@attribute x numeric\n"
                               "@attribute y {0,1}\n@data\nred,1,1\nblue,?,0\n?,3,1\ngreen,2,0\n",
                               {.label_columns = {"y"}});
  files.notes.clear();
  const auto other = files.read("new.arff",
                                "@relation a\n@attribute c {olive,red,blue,green}\n@attribute x "
                                "numeric\n@data\n{1 5}\n{0 red, 1 6}\n{}\n",
                                like(data));
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("'c' has values that the model does not know in 2 "
                                                 "rows, such as 'olive'")));
  EXPECT_THAT(row_of(other.x, 1), ElementsAre(1, 0, 0, 0, 6));
}

}  // namespace
}  // namespace mugrad
