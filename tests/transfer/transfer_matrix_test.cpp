// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/label_rows.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using testing::csr_from;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

double entry(const CsrMatrix<double>& matrix, Index i, LabelId j) {
  const auto columns = matrix.row_columns(i);
  const auto at = std::ranges::find(columns, j);
  return at == columns.end() ? 0
                             : matrix.row_values(i)[static_cast<std::size_t>(at - columns.begin())];
}

/// Six examples: label 0 has 4, label 1 has 3, both have 2; label 2 has the last alone.
BinaryMatrix six_examples() {
  return {.cols = 3, .row_start = {0, 2, 4, 5, 6, 7, 8}, .column = {0, 1, 0, 1, 0, 0, 1, 2}};
}

TEST(LabelSimilarity, FollowsItsFormula) {
  const auto y = six_examples();
  EXPECT_DOUBLE_EQ(entry(label_similarity(y, Similarity::cosine), 0, 1), 2 / std::sqrt(12.0));
  EXPECT_DOUBLE_EQ(entry(label_similarity(y, Similarity::jaccard), 0, 1), 2.0 / 5);
  EXPECT_DOUBLE_EQ(entry(label_similarity(y, Similarity::conditional), 0, 1), 2.0 / 4);
  EXPECT_DOUBLE_EQ(entry(label_similarity(y, Similarity::conditional), 1, 0), 2.0 / 3);
  // n n_ij - n_i n_j = 12 - 12: no correlation, and none stored.
  EXPECT_DOUBLE_EQ(entry(label_similarity(y, Similarity::pearson), 0, 1), 0);
  EXPECT_EQ(label_similarity(y, Similarity::identity).nonzeros(), 3);
}

TEST(LabelSimilarity, PearsonIsTheCorrelationWhereItIsPositive) {
  const BinaryMatrix y{.cols = 2, .row_start = {0, 2, 4, 5, 5}, .column = {0, 1, 0, 1, 0}};
  // Means 3/4 and 1/2, covariance 1/8, deviations sqrt(3)/4 and 1/2.
  EXPECT_NEAR(entry(label_similarity(y, Similarity::pearson), 0, 1), 1 / std::sqrt(3.0), 1e-15);
}

TEST(LabelSimilarity, NamesGoBothWays) {
  for (const auto* name : {"cosine", "jaccard", "conditional", "pearson", "identity"}) {
    EXPECT_EQ(to_string(similarity_named(name)), name);
  }
  EXPECT_THROW(similarity_named("euclid"), UsageError);
}

TEST(StrongestPerRow, KeepsTheDiagonalAndTheLargestWithTiesToTheLower) {
  const auto kept = strongest_per_row(
      csr_from({{0.1, 0.5, 0.9, 0.5}, {0.5, 1, 0.2, 0.3}, {0, 0, 1, 0}, {0.1, 0.2, 0.3, 0.4}}), 2);
  EXPECT_THAT(kept.row_columns(0), ElementsAre(0, 1, 2));
  EXPECT_THAT(kept.row_columns(1), ElementsAre(0, 1, 3));
  EXPECT_THAT(kept.row_columns(2), ElementsAre(2));
  EXPECT_THAT(kept.row_columns(3), ElementsAre(1, 2, 3));
}

TEST(LabelTransfer, RowsSumToOneForEverySimilarity) {
  const auto y = testing::random_problem({.rows = 40, .labels = 9, .label_probability = 0.2}, 3).y;
  for (const auto similarity : {Similarity::cosine, Similarity::jaccard, Similarity::conditional,
                                Similarity::pearson, Similarity::identity}) {
    for (const std::optional<Index> top : {std::optional<Index>{}, std::optional<Index>{2}}) {
      const auto transfer = label_transfer(y, similarity, top);
      for (Index i = 0; i < 9; ++i) {
        double sum = 0;
        for (const double value : transfer.mbar.row_values(i)) sum += value;
        EXPECT_NEAR(sum, 1, 1e-14);
      }
      EXPECT_LE(transfer.mbar.nonzeros(), top ? 9 * 3 : 9 * 9);
    }
  }
}

TEST(LabelTransfer, SymmetricSimilaritiesAreReversibleAndTopKIsNot) {
  const auto y = testing::random_problem({.rows = 40, .labels = 9, .label_probability = 0.2}, 3).y;
  // Conditional probabilities are asymmetric, but divided by their row sums they are the counts of
  // common examples divided by theirs: reversible as well.
  for (const auto similarity :
       {Similarity::cosine, Similarity::jaccard, Similarity::conditional, Similarity::pearson}) {
    const auto transfer = label_transfer(y, similarity);
    ASSERT_EQ(transfer.reversing_weights.size(), 9U);
    for (LabelId i = 0; i < 9; ++i) {
      for (LabelId j = 0; j < 9; ++j) {
        EXPECT_NEAR(
            transfer.reversing_weights[static_cast<std::size_t>(i)] * entry(transfer.mbar, i, j),
            transfer.reversing_weights[static_cast<std::size_t>(j)] * entry(transfer.mbar, j, i),
            1e-12);
      }
    }
  }
  EXPECT_THAT(label_transfer(y, Similarity::cosine, 2).reversing_weights, IsEmpty());
}

TEST(ReversingWeights, NeedTheProductAroundEveryCycleToAgree) {
  // Every entry has its counterpart, but going round 1-2-3 gains.
  EXPECT_THAT(reversing_weights_of(csr_from({{0.2, 0.6, 0.2}, {0.2, 0.2, 0.6}, {0.6, 0.2, 0.2}})),
              IsEmpty());
  EXPECT_THAT(reversing_weights_of(csr_from({{0, 1}, {1, 0}})), ElementsAre(1, 1));
  EXPECT_THAT(reversing_weights_of(csr_from({{1, 0}, {1, 0}})), IsEmpty());
}

TEST(TransferAsGiven, TakesASmallDenseMatrix) {
  const auto dense = transfer_as_given({{0.9, 0.1, 0}, {0, 1, 0}, {0.2, 0.3, 0.5}});
  const auto sparse = transfer_as_given(csr_from({{0.9, 0.1, 0}, {0, 1, 0}, {0.2, 0.3, 0.5}}), 3);
  EXPECT_EQ(dense.mbar, sparse.mbar);
  EXPECT_EQ(dense.reversing_weights, sparse.reversing_weights);
  EXPECT_EQ(transfer_from({{1, 0.5}, {0.5, 1}}).mbar,
            transfer_from(csr_from({{1, 0.5}, {0.5, 1}})).mbar);
}

TEST(TransferAsGiven, RefusesADenseMatrixThatIsNotSquare) {
  EXPECT_THROW(transfer_as_given({{0.5, 0.5}}), UsageError);
  EXPECT_THROW(transfer_from({{1, 1, 1}, {1, 1, 1}}), UsageError);
  EXPECT_THROW(transfer_from({{1, 1}, {1}}), std::invalid_argument);
}

TEST(TransferAsGiven, RefusesWithTheRowAndTheValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(
      [] {
        transfer_as_given(csr_from({{1.5, -0.5}, {0, 1}}), 2);
      },
      ThrowsMessage<UsageError>(
          "row 1 of the transfer has -0.5 in column 2; expected a number >= 0"));
  EXPECT_THAT(
      [] {
        transfer_as_given(csr_from({{1, 0}, {0.5, 0.4}}), 2);
      },
      ThrowsMessage<UsageError>("row 2 of the transfer sums to 0.9; expected 1"));
  EXPECT_THAT(
      [] {
        transfer_as_given(csr_from({{1, 0}, {0, 1}}), 3);
      },
      ThrowsMessage<UsageError>("the transfer is 2 x 2; expected 3 x 3, a row per task"));
  EXPECT_THAT(
      [&] {
        transfer_as_given({.cols = 1, .row_start = {0, 1}, .column = {0}, .value = {nan}}, 1);
      },
      ThrowsMessage<UsageError>(
          "row 1 of the transfer has nan in column 1; expected a number >= 0"));
}

TEST(WithStrengths, KeepsWhatEachTaskBorrows) {
  const auto transfer =
      transfer_as_given(csr_from({{0.5, 0.5, 0}, {0.2, 0, 0.8}, {0, 0.1, 0.9}}), 3);
  const std::vector<double> strengths = {1, 4, 0};
  const auto scaled = with_strengths(transfer, strengths);
  for (LabelId i = 0; i < 3; ++i) {
    double sum = 0;
    for (LabelId j = 0; j < 3; ++j) {
      sum += entry(scaled.mbar, i, j);
      const double own = i == j ? 1 : 0;
      EXPECT_NEAR(4 * (own - entry(scaled.mbar, i, j)),
                  strengths[static_cast<std::size_t>(i)] * (own - entry(transfer.mbar, i, j)),
                  1e-14);
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

}  // namespace
}  // namespace mugrad
