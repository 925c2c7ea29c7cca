// SPDX-License-Identifier: MIT
// Columns of ARFF files that are no plain numbers: names of rows, dates, and what is left out.
#include "support/data_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;

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

}  // namespace
}  // namespace mugrad
