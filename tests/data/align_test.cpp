// SPDX-License-Identifier: MIT
#include "support/lent_features.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/data/align.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Dataset two_rows() {
  Matrix<double> x(2, 3);
  for (Index i = 0; i < 2; ++i) {
    for (Index k = 0; k < 3; ++k) x(i, k) = static_cast<double>(10 * i + k + 1);
  }
  Dataset data{.name = "new.csv", .x = std::move(x)};
  data.feature_names = {"a", "b", "c"};
  data.label_names = {"p", "q"};
  data.y = {.cols = 2, .row_start = {0, 1, 3}, .column = {1, 0, 1}};
  return data;
}

TEST(AlignFeatures, MatchesByNameWhateverTheOrder) {
  auto data = two_rows();
  for (const bool sparse : {false, true}) {
    if (sparse) data.x = testing::as_sparse(data.x);
    const auto x = align_features(data, {3, {"c", "a", "b"}}, {});
    std::vector<double> row(3);
    x.for_each_in_row(1, [&](FeatureId k, double v) { row[static_cast<std::size_t>(k)] = v; });
    EXPECT_THAT(row, ElementsAre(13, 11, 12));
    EXPECT_EQ(x.is_sparse(), sparse);
  }
}

TEST(AlignFeatures, PassesOverUnknownColumnsAndSaysSo) {
  std::string told;
  const auto x =
      align_features(two_rows(), {2, {"c", "b"}}, [&](const std::string& note) { told = note; });
  EXPECT_EQ(x.cols(), 2);
  EXPECT_THAT(told, HasSubstr("'a'"));
}

TEST(AlignFeatures, ListsWhatIsMissing) {
  EXPECT_THAT(
      [] {
        align_features(two_rows(), {5, {"a", "x", "b", "y", "c"}}, {});
      },
      ThrowsMessage<InputError>(HasSubstr("new.csv lacks 2 of the model's 5 features: 'x', 'y'")));
}

TEST(AlignFeatures, MatchesByPositionWithoutNames) {
  auto data = two_rows();
  EXPECT_EQ(align_features(data, {3, {}}, {}), data.x);
  EXPECT_THAT(
      [&] {
        align_features(data, {4, {}}, {});
      },
      ThrowsMessage<InputError>(HasSubstr("has 3 features, the model was trained on 4")));
}

TEST(AlignFeatures, WidensDataWhoseWidthWasInferred) {
  auto data = two_rows();
  data.x = testing::as_sparse(data.x);
  data.feature_names.clear();
  data.widths_inferred = true;
  EXPECT_EQ(align_features(data, {7, {}}, {}).cols(), 7);
  EXPECT_THROW(align_features(data, {2, {}}, {}), InputError);
}

TEST(AlignFeatures, MovesColumnsOfFeaturesThatAreBorrowed) {
  auto data = two_rows();
  for (const Features& owned : {data.x, testing::as_sparse(data.x)}) {
    for (const Features& lent : testing::every_loan(owned)) {
      for (const ExpectedColumns& columns :
           {ExpectedColumns{3, {"c", "a", "b"}}, ExpectedColumns{2, {"c", "b"}}}) {
        data.x = owned;
        const auto expected = align_features(data, columns, {});
        data.x = lent;
        EXPECT_EQ(align_features(data, columns, {}), expected);
      }
    }
  }
}

TEST(AlignFeatures, CopiesNothingThatIsBorrowedAndInPlace) {
  auto data = two_rows();
  data.feature_names.clear();
  data.widths_inferred = true;
  const auto sparse = testing::as_sparse(data.x);
  data.x = testing::lent<float>(sparse);
  const auto x = align_features(data, {5, {}}, {});
  EXPECT_EQ(x.cols(), 5);
  EXPECT_EQ(x.pattern().column, data.x.pattern().column);
  EXPECT_EQ(data.x.cols(), 3);
}

TEST(AlignLabels, MovesUnknownLabelsToo) {
  auto data = two_rows();
  EXPECT_EQ(align_labels(data, {2, {"q", "p"}}).unknown, BinaryMatrix{});
  data.y = {.cols = 2, .row_start = {0, 0, 1}, .column = {1}};
  data.unknown = {.cols = 2, .row_start = {0, 2, 3}, .column = {0, 1, 0}};
  EXPECT_EQ(align_labels(data, {2, {"q", "p"}}).unknown,
            (BinaryMatrix{.cols = 2, .row_start = {0, 2, 3}, .column = {0, 1, 1}}));
}

TEST(AlignLabels, MissingOnesAreNamedAlsoIfTheDataHasNoLabels) {
  auto data = two_rows();
  data.y = {.cols = 0, .row_start = {0, 0, 0}, .column = {}};
  data.label_names = {};
  EXPECT_THAT(([&] {
                align_labels(data, {2, {"q", "p"}});
              }),
              ThrowsMessage<InputError>(HasSubstr("lacks 2 of the model's 2 labels: 'q', 'p'")));
}

TEST(AlignLabels, MatchesByNameAndRefusesUnknownOnes) {
  const auto y = align_labels(two_rows(), {2, {"q", "p"}}).y;
  EXPECT_THAT(y.column, ElementsAre(0, 0, 1));
  EXPECT_THAT(
      [] {
        align_labels(two_rows(), {1, {"q"}});
      },
      ThrowsMessage<InputError>(HasSubstr("has 1 labels that the model was not trained on: 'p'")));
  EXPECT_THAT(
      [] {
        align_labels(two_rows(), {3, {"q", "p", "r"}});
      },
      ThrowsMessage<InputError>(HasSubstr("lacks 1 of the model's 3 labels: 'r'")));
}

}  // namespace
}  // namespace mugrad
