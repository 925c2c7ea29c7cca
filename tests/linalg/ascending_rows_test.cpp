// SPDX-License-Identifier: MIT
#include "linalg/ascending_rows.h"

#include <mugrad/linalg/sparse_matrix.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace mugrad {
namespace {

bool plainly_ascends(std::span<const std::int32_t> columns, Index cols) {
  std::int64_t last = -1;
  for (const std::int32_t column : columns) {
    if (column <= last || column >= cols) return false;
    last = column;
  }
  return true;
}

TEST(RowsAscend, ExactlyIfEveryRowDoes) {
  std::mt19937_64 random(2);
  const auto upto = [&](int most) { return std::uniform_int_distribution(0, most)(random); };
  Index ascending = 0;
  constexpr Index kCases = 2000;
  for (Index repeat = 0; repeat < kCases; ++repeat) {
    CsrMatrix<double> x{.cols = 6};
    for (int row = upto(5); row >= 0; --row) {
      std::vector<std::int32_t> columns;
      for (std::int32_t k = 0; k < 6; ++k) {
        if (upto(2) == 0) columns.push_back(k);
      }
      if (!columns.empty() && upto(3) == 0) {
        const auto at = static_cast<std::size_t>(upto(static_cast<int>(columns.size()) - 1));
        columns[at] = upto(7) - 1;  // -1 and 6 are not there
      }
      x.column.insert(x.column.end(), columns.begin(), columns.end());
      x.end_row();
    }
    x.value.resize(x.column.size());
    const CsrPattern pattern{x.rows(), x.cols, x.row_start.data(), x.column.data()};
    const Index begin = upto(static_cast<int>(x.rows()));
    bool expected = true;
    for (Index row = begin; row < x.rows(); ++row) {
      expected = expected && plainly_ascends(pattern.row_columns(row), x.cols);
    }
    ascending += expected;
    ASSERT_EQ(rows_ascend(pattern, begin, x.rows()), expected) << repeat;
  }
  EXPECT_GT(ascending, kCases / 4);
  EXPECT_LT(ascending, kCases * 9 / 10);
}

TEST(RowsAscend, OverMoreEntriesThanANarrowCounterTakesAtOnce) {
  constexpr Index kRows = 90'000;
  CsrMatrix<double> x{.cols = 2};
  for (Index row = 0; row < kRows; ++row) {
    x.column.insert(x.column.end(), {0, 1});
    x.value.insert(x.value.end(), {1, 1});
    x.end_row();
  }
  const CsrPattern pattern{x.rows(), x.cols, x.row_start.data(), x.column.data()};
  EXPECT_TRUE(rows_ascend(pattern, 0, kRows));
  for (const std::size_t at : {1U, 65'537U, 131'071U, 179'999U}) {
    x.column[at] = 0;
    EXPECT_FALSE(rows_ascend(pattern, 0, kRows)) << at;
    x.column[at] = 1;
  }
}

}  // namespace
}  // namespace mugrad
