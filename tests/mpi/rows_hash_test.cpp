// SPDX-License-Identifier: MIT
#include "mpi/agreement.h"

#include <mugrad/data/generator.h>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace mugrad::mpi {
namespace {

Dataset some_data() { return generate({.rows = 40, .features = 5, .labels = 6}).data; }

TEST(RowsHash, DoesNotDependOnTheOrderOfRows) {
  const auto data = some_data();
  std::vector<Index> reversed(40);
  std::iota(reversed.rbegin(), reversed.rend(), Index{0});
  EXPECT_EQ(hash_of_rows(data), hash_of_rows(select_rows(data, reversed)));
}

TEST(RowsHash, OfPartsAddsUpToThatOfTheWhole) {
  const auto data = some_data();
  std::vector<Index> even, odd;
  for (Index row = 0; row < 40; ++row) (row % 2 == 0 ? even : odd).push_back(row);
  EXPECT_EQ(hash_of_rows(data),
            hash_of_rows(select_rows(data, even)) + hash_of_rows(select_rows(data, odd)));
}

TEST(RowsHash, ChangesWithOneFeatureOfOneRow) {
  const auto data = some_data();
  auto other = data;
  other.x.dense()(17, 3) += 1e-9;
  EXPECT_NE(hash_of_rows(data), hash_of_rows(other));
}

TEST(RowsHash, ChangesWhenTwoRowsSwapTheirLabels) {
  auto data = some_data();
  const auto before = hash_of_rows(data);
  Index other = 1;
  while (std::ranges::equal(data.y.row(0), data.y.row(other))) ++other;
  BinaryMatrix swapped;
  swapped.cols = data.y.cols;
  for (Index row = 0; row < 40; ++row) {
    const auto labels = data.y.row(row == 0 ? other : row == other ? 0 : row);
    swapped.column.insert(swapped.column.end(), labels.begin(), labels.end());
    swapped.end_row();
  }
  data.y = swapped;
  EXPECT_NE(hash_of_rows(data), before);
}

}  // namespace
}  // namespace mugrad::mpi
