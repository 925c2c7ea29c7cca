// SPDX-License-Identifier: MIT
#include "linalg/nearest_rows.h"

#include "support/every_target.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

namespace mugrad {
namespace {

using testing::as_sparse;

using Rows = std::set<Index>;

/// Whole numbers, so that distances are exact and many are the same.
Matrix<double> whole_numbers(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed, "whole numbers");
  Matrix<double> matrix(rows, cols);
  for (double& entry : matrix.values()) entry = static_cast<double>(random.below(5)) - 2;
  return matrix;
}

/// Sorts all rows by distance, then by number.
Rows plain_nearest(const Matrix<double>& rows, std::span<const double> query, Index wanted,
                   std::optional<Index> own = {}) {
  std::vector<std::pair<double, Index>> all;
  for (Index row = 0; row < rows.rows(); ++row) {
    if (row == own) continue;
    double squares = 0;
    for (Index k = 0; k < rows.cols(); ++k) {
      const double difference = query[static_cast<std::size_t>(k)] - rows(row, k);
      squares += difference * difference;
    }
    all.emplace_back(squares, row);
  }
  std::ranges::sort(all);
  Rows found;
  for (Index i = 0; i < wanted; ++i) found.insert(all[static_cast<std::size_t>(i)].second);
  return found;
}

Rows rows_of(std::span<const NearRow> found) {
  Rows rows;
  for (const NearRow& near : found) rows.insert(near.row);
  EXPECT_EQ(rows.size(), found.size()) << "a row was found twice";
  return rows;
}

/// Begins queries that are the rows [first, first + count) of a matrix.
void begin(const Matrix<double>& from, Index first, Index count, Index wanted,
           NearestQueries& queries) {
  queries.begin(from.cols(), count, wanted);
  for (Index q = 0; q < count; ++q) {
    for (Index k = 0; k < from.cols(); ++k) queries.set(q, k, from(first + q, k));
  }
}

TEST(NearestRows, AreThoseThatSortingAllGivesOnEveryTarget) {
  testing::for_each_target([] {
    NearestQueries queries;
    for (const Index rows : {1, 5, 64, 65, 150}) {
      for (const Index features : {1, 3, 20}) {
        const auto among = whole_numbers(rows, features, 1);
        const auto asked = whole_numbers(13, features, 2);
        for (const Features& x : {Features(among), as_sparse(among)}) {
          const NearestRows nearest(x);
          for (const Index wanted : {Index{0}, Index{1}, rows / 2, rows}) {
            begin(asked, 0, 13, wanted, queries);
            nearest.find(queries, nullptr);
            for (Index q = 0; q < 13; ++q) {
              ASSERT_EQ(rows_of(queries.found(q)), plain_nearest(among, asked.row(q), wanted))
                  << rows << " rows, " << features << " features, " << wanted << " wanted";
            }
          }
        }
      }
    }
  });
}

TEST(NearestRows, OfRowsThemselvesLeaveTheOwnOut) {
  const auto rows = whole_numbers(90, 4, 3);
  for (const Features& x : {Features(rows), as_sparse(rows)}) {
    const NearestRows nearest(x);
    NearestQueries queries;
    begin(rows, 60, 20, 7, queries);
    nearest.find(queries, nullptr, 60);
    for (Index q = 0; q < 20; ++q) {
      EXPECT_EQ(rows_of(queries.found(q)), plain_nearest(rows, rows.row(60 + q), 7, 60 + q));
    }
  }
}

TEST(NearestRows, OfAQueryDependNeitherOnTheOthersNorOnHowRowsAreStored) {
  const auto rows = testing::random_weights(300, 9, 4);
  const auto asked = testing::random_weights(40, 9, 5);
  const Features sparse = as_sparse(rows), dense(rows);
  const NearestRows nearest(sparse), nearest_of_dense(dense);
  NearestQueries together, alone, among_dense;
  begin(asked, 0, 40, 6, together);
  nearest.find(together, nullptr);
  begin(asked, 0, 40, 6, among_dense);
  nearest_of_dense.find(among_dense, nullptr);
  const auto is_same = [](const NearRow& a, const NearRow& b) {
    return a.row == b.row && a.closeness == b.closeness;
  };
  for (Index q = 0; q < 40; ++q) {
    begin(asked, q, 1, 6, alone);
    nearest.find(alone, nullptr);
    EXPECT_TRUE(std::ranges::equal(alone.found(0), together.found(q), is_same)) << q;
    EXPECT_TRUE(std::ranges::equal(among_dense.found(q), together.found(q), is_same)) << q;
  }
}

TEST(NearestRows, OfZeroAreTheFirstWhereAllHaveLengthOne) {
  const auto x = testing::random_weights(200, 7, 9);
  const Features rows = rows_for_distances(Features(x), {.parts = ScaledParts::whole(1)});
  const NearestRows nearest(rows);
  NearestQueries queries;
  queries.begin(7, 1, 5);
  nearest.find(queries, nullptr);
  EXPECT_EQ(rows_of(queries.found(0)), (Rows{0, 1, 2, 3, 4}));
}

TEST(NearestRows, OfAQueryThatWasDividedAreItsOwn) {
  const auto rows = testing::random_weights(50, 3, 6);
  const auto asked = testing::random_weights(1, 3, 7);
  const Features x(rows);
  const NearestRows nearest(x);
  NearestQueries queries;
  queries.begin(3, 1, 5);
  for (Index k = 0; k < 3; ++k) queries.set(0, k, asked(0, k) / 1024);
  queries.set_factor(0, 1.0 / 1024);
  nearest.find(queries, nullptr);
  EXPECT_EQ(rows_of(queries.found(0)), plain_nearest(rows, asked.row(0), 5));
}

TEST(NearestRows, AreNotFoundWhereTheProgressAsksToStop) {
  const auto rows = testing::random_weights(3000, 500, 6);
  const Features x(rows);
  const NearestRows nearest(x);
  NearestQueries queries;
  begin(rows, 0, 1, 5, queries);
  int calls = 0;
  ProgressFunction impatient([&](double) { return ++calls < 2; });
  EXPECT_THROW(nearest.find(queries, &impatient, 0), InterruptedError);
  EXPECT_EQ(calls, 2);
}

TEST(RowsForDistances, KeepDistancesAndStaySparse) {
  const auto data = testing::random_problem(
      {.rows = 30, .features = 6, .labels = 2, .feature_probability = 0.4}, 8);
  const FeatureTransform transform{.shift = {1, -2, 0.5, 3, 0, 1}, .factor = {2, 1, 0.25, 0, 3, 1}};
  const Features sparse = rows_for_distances(as_sparse(data.x), transform);
  const Features dense = rows_for_distances(data.x, transform);
  ASSERT_TRUE(sparse.is_sparse());
  ASSERT_FALSE(dense.is_sparse());
  EXPECT_LT(sparse.stored(), as_sparse(data.x).stored()) << "a feature of factor 0 is left out";
  const auto squared_distance = [](const Features& x, Index a, Index b) {
    std::vector<double> difference(6, 0);
    x.for_each_in_row(a, [&](FeatureId k, double value) { difference[as_size(k)] += value; });
    x.for_each_in_row(b, [&](FeatureId k, double value) { difference[as_size(k)] -= value; });
    double sum = 0;
    for (const double entry : difference) sum += entry * entry;
    return sum;
  };
  for (Index a = 0; a < 30; ++a) {
    for (Index b = 0; b < a; ++b) {
      EXPECT_NEAR(squared_distance(sparse, a, b), squared_distance(dense, a, b), 1e-12);
    }
  }
  const Features copy = sparse;
  EXPECT_EQ(copy.pattern().column, sparse.pattern().column) << "copies share memory";
}

}  // namespace
}  // namespace mugrad
