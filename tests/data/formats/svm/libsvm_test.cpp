// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Libsvm : public ::testing::Test {
 protected:
  Dataset read(std::string_view text, const ReadOptions& options = {}) {
    return files.read("a.svm", text, options);
  }
  std::string error(std::string_view text, const ReadOptions& options = {}) {
    return files.error("a.svm", text, options);
  }

  testing::DataFiles files;
};

TEST_F(Libsvm, FeaturesCountFromOneAndLabelsFromZero) {
  const auto data = read("0,2 1:0.5 3:-2\n1 2:1e3\n");
  ASSERT_TRUE(data.x.is_sparse());
  EXPECT_EQ(data.features(), 3);
  EXPECT_EQ(data.labels(), 3);
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0.5, 0, -2));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 1000, 0));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0, 2));
  EXPECT_THAT(testing::labels_of(data, 1), ElementsAre(1));
  EXPECT_TRUE(data.widths_inferred);
  EXPECT_THAT(data.feature_names, IsEmpty());
  EXPECT_THAT(data.label_names, IsEmpty());
  EXPECT_EQ(data.name, "a");
}

TEST_F(Libsvm, RowsMayLackLabelsOrFeaturesOrBoth) {
  const auto data = read(" 1:1\n2:3\n4\n \n\n0 1:1");
  EXPECT_EQ(data.rows(), 5);
  EXPECT_THAT(testing::labels_of(data, 0), IsEmpty());
  EXPECT_THAT(testing::labels_of(data, 1), IsEmpty());
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 3));
  EXPECT_THAT(testing::labels_of(data, 2), ElementsAre(4));
  EXPECT_THAT(testing::row_of(data.x, 3), ElementsAre(0, 0));
}

TEST_F(Libsvm, CommentsBlanksAndLineEndsDoNotMatter) {
  const auto data = read("\xEF\xBB\xBF# header\r\n1 1:2 # first\r\n0\t2:1  \r\n\r\n");
  EXPECT_EQ(data.rows(), 2);
  EXPECT_EQ(data.features(), 2);
}

TEST_F(Libsvm, UnsortedRowsAreSorted) {
  const auto data = read("3,1 9:1 2:5\n");
  EXPECT_THAT(data.x.sparse().column, ElementsAre(1, 8));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(1, 3));
}

TEST_F(Libsvm, ExplicitZeroIsNoEntryButCountsForTheWidth) {
  const auto data = read("0 1:1 7:0\n0 2:2\n");
  EXPECT_EQ(data.features(), 7);
  EXPECT_EQ(data.x.sparse().nonzeros(), 2);
}

TEST_F(Libsvm, LabelCountSaysHowManyLabelsThereAre) {
  EXPECT_EQ(read("0 1:1\n", {.label_count = 5}).labels(), 5);
  EXPECT_THAT(error("0 1:1\n0,5 1:1\n", {.label_count = 5}),
              AllOf(StartsWith("a.svm:2:3: "), HasSubstr("label 5 is beyond the 5 labels")));
  EXPECT_THROW(read("0 1:1\n", {.label_count = -5}), UsageError);
}

TEST_F(Libsvm, FileWithoutAnyLabelMustBeAskedFor) {
  EXPECT_THAT(error(" 1:1\n"), AllOf(HasSubstr("no example has a label"),
                                     HasSubstr("ReadOptions::label_count = N")));
  EXPECT_EQ(read(" 1:1\n", {.labels_optional = true}).labels(), 0);
}

TEST_F(Libsvm, MistakesAreLocated) {
  EXPECT_THAT(error("0 1:1\n1 0:1\n"), AllOf(StartsWith("a.svm:2:3: "), HasSubstr("from 1")));
  EXPECT_THAT(error("0 1:1\n1 -2:1\n"), AllOf(StartsWith("a.svm:2:3: "), HasSubstr("'-2:1'")));
  EXPECT_EQ(error("0 1:1\n1 2:1 3:1 2:4\n"), "a.svm:2:11: feature index 2 comes twice in this row");
  EXPECT_EQ(error("0 1:1\n1,1 2:1\n"), "a.svm:2:3: label 1 comes twice in this row");
  EXPECT_THAT(error("0 1:1\n1 2:abc\n"), AllOf(StartsWith("a.svm:2:3: "), HasSubstr("'2:abc'")));
  EXPECT_THAT(error("0 1:1\n1 2:\n"), HasSubstr("expected 'index:value'"));
  EXPECT_THAT(error("0 1:1\n1 2\n"), HasSubstr("'2', expected 'index:value'"));
  EXPECT_THAT(error("0 1:1\n1 2:nan\n"),
              AllOf(StartsWith("a.svm:2:5: "), HasSubstr("'nan' is not a finite number")));
  EXPECT_THAT(error("0 1:1\n-1 2:1\n"),
              AllOf(StartsWith("a.svm:2:1: "), HasSubstr("'-1'"), HasSubstr("expected labels")));
  EXPECT_THAT(error("0 1:1\n1, 2:1\n"), HasSubstr("expected labels"));
  EXPECT_THAT(error("0 1:1\n0 99999999999:1\n"), HasSubstr("is beyond"));
  EXPECT_THAT(error("0 1:1\n99999999999 1:1\n"), HasSubstr("label 99999999999 is beyond"));
}

TEST_F(Libsvm, OptionsThatNameColumnsAreRefused) {
  const auto path = files.write("b.svm", "0 1:1\n");
  EXPECT_THROW(read_dataset(path, {.label_columns = {"x"}}), UsageError);
  EXPECT_THROW(read_dataset(path, {.drop = {"x"}}), UsageError);
  EXPECT_THROW(read_dataset(path, {.labels_xml = "x.xml"}), UsageError);
}

TEST_F(Libsvm, FileOfCommentsHasNoExamples) {
  EXPECT_EQ(error("# nothing\n", {.format = Format::libsvm}), "a.svm: the file has no examples");
}

TEST_F(Libsvm, UnknownLabelsCannotBeWrittenHereOrAsXmc) {
  auto data = read("0 1:1 2:3\n2 1:2\n");
  data.unknown = {.cols = 3, .row_start = {0, 0, 1}, .column = {1}};
  for (const auto format : {Format::libsvm, Format::xmc}) {
    EXPECT_THAT(files.error_of([&] { write_dataset(data, files / "b.svm", format); }),
                HasSubstr("label '1' of example 1 is unknown, which"));
    EXPECT_FALSE(std::filesystem::exists(files / "b.svm"));
  }
}

TEST_F(Libsvm, MissingValuesCannotBeWritten) {
  auto data = read("0 1:1 2:3\n");
  data.x.sparse().value[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(files.error_of([&] { write_dataset(data, files / "b.svm"); }),
              AllOf(HasSubstr("feature '1' of example 0 is missing"), HasSubstr("LIBSVM")));
  EXPECT_FALSE(std::filesystem::exists(files / "b.svm"));
}

}  // namespace
}  // namespace mugrad
