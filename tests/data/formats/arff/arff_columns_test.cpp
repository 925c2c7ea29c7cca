// SPDX-License-Identifier: MIT
// Columns of ARFF files that are no plain numbers: names of rows, dates, and what is left out.
#include "support/data_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ArffColumns : public ::testing::Test {
 protected:
  Dataset read(std::string_view attributes, std::string_view rows, ReadOptions options = {}) {
    options.labels_optional = true;
    return files.read("a.arff", fmt::format("@relation r\n{}@data\n{}", attributes, rows),
                      std::move(options));
  }
  testing::DataFiles files;
};

TEST_F(ArffColumns, RowsThatOmitTheirNameHaveAnEmptyOne) {
  const std::string attributes = "@attribute name string\n@attribute x numeric\n";
  const ReadOptions options = {.roles = {{"name", ColumnRole::identifier}}, .keep_row_names = true};
  EXPECT_THAT(read(attributes, "{1 1}\n{0 A,1 1}\n{}\n{1 3,0 B}\n", options).row_names,
              ElementsAre("", "A", "", "B"));
  EXPECT_THAT(read(attributes, "A,1\n{1 1}\nB,2\n{}\n", options).row_names,
              ElementsAre("A", "", "B", ""));
}

TEST_F(ArffColumns, DatesWhosePatternIsReadAreDates) {
  const std::vector<std::pair<std::string, std::string>> patterns = {
      {"", "2026-11-18T12:00:00"},
      {"'yyyy-MM-dd HH:mm:ss'", "'2026-11-18 12:00:00'"},
      {"\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"", "2026-11-18T13:00:00.000+01:00"},
      {"dd.MM.yyyy", "18.11.2026"},
      {"d.M.yyyy % not with zeros", "18.11.2026"},
      {"yyyy/MM/dd", "2026/11/18"}};
  for (const auto& [pattern, date] : patterns) {
    SCOPED_TRACE(pattern);
    const auto data = read("@attribute x numeric\n@attribute d DATE " + pattern + "\n",
                           fmt::format("1,{}\n2,?\n{{0 5}}\n", date));
    EXPECT_THAT(data.feature_names,
                ElementsAre("x", "d (days)", "d (month)", "d (weekday)", "d (hour)"));
    EXPECT_EQ(std::floor(testing::entry(data.x, 0, 1)), 20775);
    EXPECT_EQ(testing::entry(data.x, 2, 1), 0) << "an omitted value is 0, the first day of 1970";
    EXPECT_EQ(testing::entry(data.x, 2, 2), 1);
    EXPECT_THAT(files.notes, IsEmpty());
  }
}

TEST_F(ArffColumns, DatesWhosePatternIsNotReadAreLeftOut) {
  for (const std::string pattern : {"MM/dd/yyyy", "yyyy-dd-MM", "'yyyy-MM-dd hh:mm'", "yy-MM-dd"}) {
    const auto attributes = "@attribute d date " + pattern + "\n@attribute x numeric\n";
    EXPECT_THAT(read(attributes, "'?',1\n'?',3\n").feature_names, ElementsAre("x"));
    EXPECT_THAT(files.notes, ElementsAre("left out 'd': dates in this form are not read, only "
                                         "those like 2026-11-18 and 18.11.2026"));
    EXPECT_EQ(read(attributes, "a,1\nb,3\na,2\n", {.roles = {{"d", ColumnRole::category}}})
                  .feature_names[0],
              "d=a");
  }
}

TEST_F(ArffColumns, ALabelIsNoRelation) {
  EXPECT_EQ(files.error("a.arff",
                        "@attribute x numeric\n@attribute bag relational\n@end bag\n@data\n1,a\n",
                        {.label_columns = {"bag"}}),
            "a.arff:2:12: label 'bag' is a relational attribute, expected {0,1}");
}

TEST_F(ArffColumns, AModelDecidesWhatADateIs) {
  const std::string attributes = "@attribute d date MM/dd/yyyy\n@attribute x numeric\n";
  const std::string rows = "a,1\nb,3\na,2\n";
  const auto data = read(attributes, rows, {.roles = {{"d", ColumnRole::category}}});
  const auto other = read(attributes, rows, {.encode_like = data.feature_names});
  EXPECT_EQ(other.feature_names, data.feature_names);
  EXPECT_THAT(read(attributes, rows, {.encode_like = {"x"}}).feature_names, ElementsAre("x"));
}

}  // namespace
}  // namespace mugrad
