// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/transfer/transfer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

using testing::largest_difference;
using testing::random_problem;
using testing::random_weights;

Matrix<double> as_dense(const CsrMatrix<double>& sparse) {
  Matrix<double> dense(sparse.rows(), sparse.cols);
  for (Index i = 0; i < sparse.rows(); ++i) {
    for (std::size_t k = 0; k < sparse.row_columns(i).size(); ++k) {
      dense(i, sparse.row_columns(i)[k]) = sparse.row_values(i)[k];
    }
  }
  return dense;
}

BinaryMatrix labels_of(const std::vector<std::vector<LabelId>>& rows, Index labels) {
  BinaryMatrix y;
  y.cols = labels;
  for (const auto& row : rows) {
    y.column.insert(y.column.end(), row.begin(), row.end());
    y.end_row();
  }
  return y;
}

TEST(CosineSimilarity, IsTheShareOfCommonExamples) {
  // Labels 0 and 1 meet twice, have 3 and 2 positives; label 2 meets label 0 once.
  const auto c =
      as_dense(label_similarity(labels_of({{0, 1}, {0, 1}, {0, 2}}, 3), Similarity::cosine));
  EXPECT_DOUBLE_EQ(c(0, 1), 2 / std::sqrt(6.0));
  EXPECT_DOUBLE_EQ(c(0, 2), 1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(c(1, 2), 0);
  for (Index i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(c(i, i), 1);
}

TEST(CosineTransfer, LabelWithoutPositivesNeitherGivesNorTakes) {
  const auto m =
      as_dense(label_transfer(labels_of({{0, 2}, {0}, {2}}, 3), Similarity::cosine).mbar);
  EXPECT_DOUBLE_EQ(m(1, 1), 1);
  EXPECT_DOUBLE_EQ(m(1, 0) + m(1, 2), 0);
  EXPECT_DOUBLE_EQ(m(0, 1) + m(2, 1), 0);
}

TEST(CosineTransfer, RowsSumToOneAndTheTransferIsReversible) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto data = random_problem({.rows = 30, .labels = 12, .label_probability = 0.15}, seed);
    const auto transfer = label_transfer(data.y, Similarity::cosine);
    const auto m = as_dense(transfer.mbar);
    for (Index i = 0; i < 12; ++i) {
      const auto row = m.row(i);
      EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-14);
      for (Index j = 0; j < 12; ++j) {
        EXPECT_NEAR(transfer.reversing_weights[static_cast<std::size_t>(i)] * m(i, j),
                    transfer.reversing_weights[static_cast<std::size_t>(j)] * m(j, i), 1e-14);
      }
    }
  }
}

/// W Mbar' by the definition; the first `own` rows are left alone.
Matrix<double> plain_apply(const Matrix<double>& weights, const Matrix<double>& mbar, Index own) {
  Matrix<double> borrowed(weights.rows(), weights.cols());
  for (Index k = 0; k < weights.rows(); ++k) {
    for (Index i = 0; i < weights.cols(); ++i) {
      if (k < own) {
        borrowed(k, i) = weights(k, i);
        continue;
      }
      for (Index j = 0; j < weights.cols(); ++j) borrowed(k, i) += mbar(i, j) * weights(k, j);
    }
  }
  return borrowed;
}

void expect_plain_apply(const CsrMatrix<double>& mbar, Intercepts intercepts) {
  const auto weights = random_weights(150, mbar.rows(), 2);
  const auto expected = plain_apply(weights, as_dense(mbar), intercepts == Intercepts::own ? 1 : 0);
  Matrix<double> first;
  for (const int threads : {1, 3}) {
    ThreadPool pool({threads});
    Matrix<double> borrowed(150, mbar.rows());
    scalar_transfer<double>(mbar, intercepts, pool)->apply(weights, borrowed);
    EXPECT_LE(largest_difference(borrowed, expected), 1e-14);
    if (threads == 1) first = borrowed;
    EXPECT_EQ(borrowed, first) << "threads change a bit";
  }
}

TEST(ScalarTransfer, PullsTheMeanOfRelatedTasksWhetherStoredDenseOrSparse) {
  const auto full = random_problem({.rows = 60, .labels = 70, .label_probability = 0.4}, 6).y;
  std::vector<std::vector<LabelId>> pairs;
  for (LabelId i = 0; i + 1 < 70; i += 2) pairs.push_back({i, i + 1});
  const auto few = labels_of(pairs, 70);
  EXPECT_EQ(label_transfer(full, Similarity::cosine).mbar.nonzeros(), 70 * 70);
  EXPECT_EQ(label_transfer(few, Similarity::cosine).mbar.nonzeros(), 140);
  for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
    expect_plain_apply(label_transfer(full, Similarity::cosine).mbar, intercepts);
    expect_plain_apply(label_transfer(few, Similarity::cosine).mbar, intercepts);
  }
}

/// By how much applying a transfer increases weights that all tasks agree on, in the mean of so
/// many that what a single sum is rounded by no longer counts.
std::vector<double> mean_excess(Transfer<float>& transfer) {
  constexpr Index kWeights = 20000;
  RandomStream random(1, "agreed");
  Matrix<float> weights(kWeights, transfer.tasks());
  Matrix<float> borrowed(kWeights, transfer.tasks());
  for (Index k = 0; k < kWeights; ++k) {
    std::ranges::fill(weights.row(k), static_cast<float>(1 + random.uniform()));
  }
  transfer.apply(weights, borrowed);
  std::vector<double> excess(static_cast<std::size_t>(transfer.tasks()));
  for (Index k = 0; k < kWeights; ++k) {
    const auto agreed = static_cast<double>(weights(k, 0));
    for (std::size_t i = 0; i < excess.size(); ++i) {
      const auto more = static_cast<double>(borrowed.row(k)[i]) - agreed;
      excess[i] += more / agreed / static_cast<double>(kWeights);
    }
  }
  return excess;
}

TEST(Transfer, KnowsByHowMuchItsRoundedCoefficientsExceedOne) {
  // The last label has no positives: it is left alone, and so exact.
  auto y = random_problem({.rows = 50, .labels = 12, .label_probability = 0.5}, 3).y;
  y.cols = 13;
  const auto matrix = label_transfer(y, Similarity::cosine).mbar;
  ThreadPool pool({1});
  const auto scalar = scalar_transfer<float>(matrix, Intercepts::transferred, pool);
  const auto low_rank = low_rank_cosine_transfer<float>(y, Intercepts::transferred, pool, &matrix);
  for (auto* transfer : {scalar.get(), low_rank.get()}) {
    const auto seen = mean_excess(*transfer);
    const std::vector<double> told(transfer->excess().begin(), transfer->excess().end());
    ASSERT_EQ(told.size(), 13U);
    double largest = 0;
    for (std::size_t i = 0; i < 13; ++i) {
      EXPECT_NEAR(told[i], seen[i], 2e-9);
      largest = std::max(largest, std::fabs(seen[i]));
    }
    EXPECT_GT(largest, 1e-8);
    EXPECT_EQ(told[12], 0);
  }
}

}  // namespace
}  // namespace mugrad
