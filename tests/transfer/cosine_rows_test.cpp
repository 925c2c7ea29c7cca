// SPDX-License-Identifier: MIT
#include "transfer/cosine_rows.h"

#include "support/random_problem.h"

#include <mugrad/transfer/transfer_matrix.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad::testing {
namespace {

using ::testing::ElementsAreArray;

TEST(CosineRows, AreThoseOfTheTransferToTheLastBit) {
  auto labels =
      random_problem({.rows = 60, .features = 1, .labels = 35, .label_probability = 0.1}, 7).y;
  ++labels.cols;  // one without positives
  const auto mbar = label_transfer(labels, Similarity::cosine).mbar;
  CosineRows rows(labels);
  std::vector<LabelId> related;
  std::vector<double> strengths;
  for (LabelId i = 0; i < labels.cols; ++i) {
    rows.read(i, related, strengths);
    EXPECT_THAT(related, ElementsAreArray(mbar.row_columns(i)));
    EXPECT_THAT(strengths, ElementsAreArray(mbar.row_values(i)));
    EXPECT_EQ(rows.size_of(i), std::ssize(related));
  }
}

}  // namespace
}  // namespace mugrad::testing
