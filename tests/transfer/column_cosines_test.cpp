// SPDX-License-Identifier: MIT
#include "transfer/column_cosines.h"

#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

double plain_cosine(const Matrix<double>& columns, Index first_row, Index i, Index j) {
  double product = 0, left = 0, right = 0;
  for (Index k = first_row; k < columns.rows(); ++k) {
    product += columns(k, i) * columns(k, j);
    left += columns(k, i) * columns(k, i);
    right += columns(k, j) * columns(k, j);
  }
  return left > 0 && right > 0 ? product / std::sqrt(left * right) : 0;
}

/// Whether j is among the `top` most similar columns of i.
bool is_near(const Matrix<double>& cosines, Index i, Index j, Index top) {
  Index before = 0;
  for (Index k = 0; k < cosines.cols(); ++k) {
    if (k == i || k == j) continue;
    const bool is_before =
        cosines(i, k) > cosines(i, j) || (cosines(i, k) == cosines(i, j) && k < j);
    before += is_before ? 1 : 0;
  }
  return cosines(i, j) > 0 && before < top;
}

TEST(ColumnCosines, AreThoseOfTheDefinitionAndMutual) {
  ThreadPool pool(Threads{2});
  for (const Index count : {1, 2, 7, 64, 65, 130}) {
    for (const Index top : {1, 3, 200}) {
      const auto columns = testing::random_weights(9, count, static_cast<std::uint64_t>(count));
      Matrix<double> plain(count, count);
      for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j < count; ++j) plain(i, j) = plain_cosine(columns, 1, i, j);
      }
      const auto found = strongest_cosines(columns, 1, top, pool);
      ASSERT_EQ(found.rows(), count);
      for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j < count; ++j) {
          const bool is_kept = i != j && (is_near(plain, i, j, top) || is_near(plain, j, i, top));
          EXPECT_NEAR(found.at(i, j), is_kept ? plain(i, j) : 0, 1e-14);
          EXPECT_EQ(found.at(i, j), found.at(j, i));
        }
      }
    }
  }
}

TEST(ColumnCosines, TiesGoToTheLowerColumn) {
  ThreadPool pool(Threads{1});
  const auto found = strongest_cosines(Matrix<double>{{1, 1, 1, 0}, {0, 0, 0, 1}}, 0, 1, pool);
  EXPECT_EQ(found.at(0, 1), 1);  // the lowest of 1 and 2
  EXPECT_EQ(found.at(2, 0), 1);  // the lowest of 0 and 1
  EXPECT_EQ(found.at(1, 2), 0);
}

TEST(ColumnCosines, ZeroAndOppositeColumnsHaveNone) {
  ThreadPool pool(Threads{1});
  const auto found = strongest_cosines(Matrix<double>{{1, -1, 0}, {2, -2, 0}}, 0, 5, pool);
  EXPECT_EQ(found.nonzeros(), 0);
  EXPECT_EQ(found.rows(), 3);
}

TEST(ColumnCosines, ThreadsChangeNoBit) {
  const auto columns = testing::random_weights(40, 300, 3);
  ThreadPool one(Threads{1}), four(Threads{4});
  EXPECT_EQ(strongest_cosines(columns, 1, 10, one), strongest_cosines(columns, 1, 10, four));
}

}  // namespace
}  // namespace mugrad
