// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Xmc : public ::testing::Test {
 protected:
  Dataset read(std::string_view text, const ReadOptions& options = {}) {
    return files.read("a.txt", text, options);
  }
  std::string error(std::string_view text, const ReadOptions& options = {}) {
    return files.error("a.txt", text, options);
  }

  testing::DataFiles files;
};

TEST_F(Xmc, FirstLineSaysTheShapeAndEverythingCountsFromZero) {
  const auto data = read("3 4 5\n0,2 0:0.5 3:-2\n 1:1\n4\n");
  EXPECT_EQ(data.rows(), 3);
  EXPECT_EQ(data.features(), 4);
  EXPECT_EQ(data.labels(), 5);
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0.5, 0, 0, -2));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0, 2));
  EXPECT_THAT(testing::labels_of(data, 1), IsEmpty());
  EXPECT_THAT(testing::labels_of(data, 2), ElementsAre(4));
  EXPECT_FALSE(data.widths_inferred);
  EXPECT_TRUE(data.x.is_sparse());
}

TEST_F(Xmc, EmptyLinesAreExamplesAsLongAsTheFirstLinePromisesThem) {
  const auto data = read("3 2 2\n0 0:1\n\n1 1:1\n\n\n");
  EXPECT_EQ(data.rows(), 3);
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 0));
}

TEST_F(Xmc, CountsMustBeTrue) {
  EXPECT_EQ(error("3 2 2\n0 0:1\n1 1:1\n"),
            "a.txt:1:1: the first line promises 3 examples, but the file has 2");
  EXPECT_EQ(error("1 2 2\n0 0:1\n1 1:1\n"),
            "a.txt:3:1: the first line promises 1 examples, but the file has more");
  EXPECT_THAT(
      error("1 2 2\n0 0:1 2:1\n"),
      AllOf(StartsWith("a.txt:2:7: "), HasSubstr("feature index 2 is beyond the 2 features"),
            HasSubstr("first line")));
  EXPECT_THAT(error("1 2 2\n2 0:1\n"),
              AllOf(StartsWith("a.txt:2:1: "), HasSubstr("label 2 is beyond the 2 labels")));
  EXPECT_THAT(error("1 2 2\n1 0:1\n", {.label_count = 3}),
              HasSubstr("ReadOptions::label_count says 3"));
  EXPECT_THAT(error("0 2 2\n"), HasSubstr("has no examples"));
  EXPECT_THAT(error("1 99999999999 2\n0 0:1\n"), HasSubstr("more features or labels"));
}

TEST_F(Xmc, LineWithFeaturesIsNoFirstLine) {
  EXPECT_THAT(error("1 0:1 1:1\n", {.format = Format::xmc}),
              AllOf(StartsWith("a.txt:1:1: "), HasSubstr("expected three numbers")));
}

}  // namespace
}  // namespace mugrad
