// SPDX-License-Identifier: MIT
#include "linalg/row_factors.h"

#include "support/random_problem.h"
#include "support/row_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using testing::row_factor;

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
  std::vector<Index> found;
  for (Index column = 0; column < 9; ++column) {
    found.push_back(part_of(column));
    EXPECT_EQ(part_of(column), found.back()) << column;
  }
  EXPECT_THAT(found, ElementsAre(1, 1, kNone, 0, 0, 1, 1, kNone, kNone));
  PartOfColumn later(kParts);
  EXPECT_EQ(later(4), 0);
  EXPECT_EQ(later(1000), kNone);
  const ScaledParts no_parts;
  EXPECT_EQ(PartOfColumn(no_parts)(5), kNone);
  const auto whole = ScaledParts::whole(2);
  EXPECT_EQ(PartOfColumn(whole)(5), 0);
}

TEST(RowFactors, GiveEachPartItsLength) {
  const Matrix<double> x{{1, 2, 100, 3, 4, 2, 4, 7}};
  const FeatureTransform transform{.factor = {1, 1, 1, 1, 1, 2, 1, 1}, .parts = kParts};
  // Lengths 5 and sqrt(1 + 4 + 16 + 16).
  const double first = 3 / std::sqrt(37.0);
  for (const Features& rows : {Features(x), testing::as_sparse(x)}) {
    RowFactors<double> of_row;
    std::vector<double> factors, values;
    for_each_with_factor(transform, rows, 0, of_row,
                         [&](std::size_t k, double value, double factor) {
                           EXPECT_EQ(k, factors.size());
                           values.push_back(value);
                           factors.push_back(factor);
                         });
    EXPECT_THAT(values, ElementsAre(1, 2, 100, 3, 4, 2, 4, 7));
    const double expected[] = {first, first, 1, 0.2, 0.2, first, first, 1};
    ASSERT_EQ(factors.size(), 8);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_DOUBLE_EQ(factors[k], expected[k]) << k;
  }
}

TEST(RowFactors, LeaveAPartThatIsZeroAsItIs) {
  const auto x = Features(Matrix<double>{{0, 0, 1, 0, 4, 0, 0, 0}, {0, 6, 0, 0, 0, 0, 0, 0}});
  const FeatureTransform transform{.parts = kParts};
  for (const Features& rows : {x, testing::as_sparse(x)}) {
    EXPECT_EQ(row_factor(transform, rows, 0, 1), 1);
    EXPECT_EQ(row_factor(transform, rows, 0, 4), 0.25);
    EXPECT_EQ(row_factor(transform, rows, 1, 1), 0.5);
    EXPECT_EQ(row_factor(transform, rows, 1, 4), 1);
  }
}

TEST(RowFactors, NeitherOverflowNorUnderflow) {
  const Features x(Matrix<double>{{3e200, 4e200, 1, 3e-200, 4e-200, 0, 0, 0}});
  const FeatureTransform transform{.parts = kParts};
  RowFactors<double> of_row;
  RowFactors<long double> of_wide_row;
  of_row.begin(transform, x, 0);
  of_wide_row.begin(transform, x, 0);
  const double expected[] = {2e199, 6e-201};
  for (std::size_t part = 0; part < 2; ++part) {
    EXPECT_DOUBLE_EQ(of_row.of_parts()[part], expected[part]);
    EXPECT_DOUBLE_EQ(static_cast<double>(of_wide_row.of_parts()[part]), expected[part]);
  }
}

}  // namespace
}  // namespace mugrad
