// SPDX-License-Identifier: MIT
#include "linalg/row_factors.h"

#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

constexpr Index kNone = ScaledParts::kNone;

/// Part 1 is on both sides of part 0, next to column 2, which is in none; so is column 7.
const ScaledParts kParts{.length = {1, 3},
                         .runs = {{.end = 2, .part = 1},
                                  {.end = 3, .part = kNone},
                                  {.end = 3, .part = 0},
                                  {.end = 5, .part = 0},
                                  {.end = 7, .part = 1}}};

TEST(PartOfColumn, FindsThePartsOfColumnsThatAscend) {
  PartOfColumn part_of(kParts);
  for (const Index expected : {1, 1, -1, 0, 0, 1, 1, -1}) {
    static Index column = 0;
    EXPECT_EQ(part_of(column), expected) << column;
    EXPECT_EQ(part_of(column), expected) << column;
    ++column;
  }
  PartOfColumn later(kParts);
  EXPECT_EQ(later(4), 0);
  EXPECT_EQ(later(1000), kNone);
  PartOfColumn none(ScaledParts{});
  EXPECT_EQ(none(5), kNone);
}

TEST(RowFactors, GiveEachPartItsLength) {
  const Matrix<double> x{{1, 2, 100, 3, 4, 2, 4, 7}};
  const FeatureTransform transform{.factor = {1, 1, 1, 1, 1, 2, 1, 1}, .parts = kParts};
  for (const Features& rows : {Features(x), testing::as_sparse(x)}) {
    RowFactors<double> of_row;
    of_row.begin(transform, rows, 0);
    // Lengths 5 and sqrt(1 + 4 + 16 + 16).
    const double first = 3 / std::sqrt(37.0);
    const double expected[] = {first, first, 1, 0.2, 0.2, first, first, 1};
    for (Index k = 0; k < 8; ++k) EXPECT_DOUBLE_EQ(of_row.of(k), expected[k]) << k;
  }
}

TEST(RowFactors, LeaveAPartThatIsZeroAsItIs) {
  const Features x(Matrix<double>{{0, 0, 1, 0, 4, 0, 0, 0}, {0, 6, 0, 0, 0, 0, 0, 0}});
  const FeatureTransform transform{.parts = kParts};
  RowFactors<double> of_row;
  of_row.begin(transform, x, 0);
  EXPECT_EQ(of_row.of(1), 1);
  EXPECT_EQ(of_row.of(4), 0.25);
  of_row.begin(transform, x, 1);
  EXPECT_EQ(of_row.of(1), 0.5);
  EXPECT_EQ(of_row.of(4), 1);
}

TEST(RowFactors, NeitherOverflowNorUnderflow) {
  const Features x(Matrix<double>{{3e200, 4e200, 1, 3e-200, 4e-200, 0, 0, 0}});
  const FeatureTransform transform{.parts = kParts};
  RowFactors<double> of_row;
  RowFactors<long double> of_wide_row;
  of_row.begin(transform, x, 0);
  of_wide_row.begin(transform, x, 0);
  for (const auto& [column, expected] : {std::pair{Index{0}, 6e-201}, {Index{3}, 2e199}}) {
    EXPECT_DOUBLE_EQ(of_row.of(column), expected);
    EXPECT_DOUBLE_EQ(static_cast<double>(of_wide_row.of(column)), expected);
  }
}

}  // namespace
}  // namespace mugrad
