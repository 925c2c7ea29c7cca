// SPDX-License-Identifier: MIT
#include "mpi/stages/rank_cosines.h"

#include "mpi/stages/moved_rows.h"
#include "mpi/the_world.h"
#include "support/random_problem.h"
#include "transfer/column_cosines.h"

#include <gtest/gtest.h>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;

constexpr Index kLabels = 201;  // four blocks, the last with a few labels
constexpr Index kParameters = 31;

/// Rows of the labels that a rank has if label i is on rank (7 i) % ranks.
struct Scattered {
  std::vector<LabelId> own;
  Matrix<double> rows;
};

Scattered scattered(const Communicator& among, const Matrix<double>& columns) {
  Scattered result;
  for (LabelId label = 0; label < kLabels; ++label) {
    if (7 * label % among.size() == among.rank()) result.own.push_back(label);
  }
  result.rows = Matrix<double>(std::ssize(result.own), kParameters);
  for (std::size_t k = 0; k < result.own.size(); ++k) {
    for (Index p = 0; p < kParameters; ++p) {
      result.rows(as_index(k), p) = columns(p, result.own[k]);
    }
  }
  return result;
}

TEST(MovedRows, AreOnTheRanksThatWantThem) {
  const auto columns = testing::random_weights(kParameters, kLabels, 5);
  const auto [own, rows] = scattered(all_ranks(), columns);
  const LabelBlocks blocks(kLabels, all_ranks().size());
  const auto wanted = blocks.labels_of(all_ranks().rank());
  const auto moved = moved_rows(all_ranks(), own, rows, blocks.rank_of(), wanted, 2);
  ASSERT_EQ(moved.rows(), std::ssize(wanted));
  ASSERT_EQ(moved.cols(), kParameters - 2);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    for (Index p = 2; p < kParameters; ++p) {
      EXPECT_EQ(moved(as_index(k), p - 2), columns(p, wanted[k]));
    }
  }
}

TEST(LabelBlocks, OfAllRanksAreAllLabels) {
  for (const int ranks : {1, 2, 3, 7}) {
    for (const Index labels : {0, 1, 64, 65, 500}) {
      const LabelBlocks blocks(labels, ranks);
      const auto rank_of = blocks.rank_of();
      ASSERT_EQ(std::ssize(rank_of), labels);
      LabelId next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        for (const LabelId label : blocks.labels_of(rank)) {
          EXPECT_EQ(label, next++);
          EXPECT_EQ(rank_of[as_size(label)], rank);
        }
      }
      EXPECT_EQ(next, labels);
    }
  }
}

TEST(CosinesOnRanks, AreThoseOfOneProcess) {
  constexpr Index kTop = 4;
  const auto columns = testing::random_weights(kParameters, kLabels, 5);
  ThreadPool pool(Threads{2});
  const auto expected = mugrad::strongest_cosines(columns, 1, kTop, pool);
  const LabelBlocks blocks(kLabels, all_ranks().size());
  const auto [own, rows] = scattered(all_ranks(), columns);
  auto moved =
      moved_rows(all_ranks(), own, rows, blocks.rank_of(), blocks.labels_of(all_ranks().rank()), 1);
  const auto found = strongest_cosines(all_ranks(), blocks, std::move(moved), kTop, pool);
  EXPECT_EQ(found.row_start, expected.row_start);
  ASSERT_EQ(found.column, expected.column);
  // Products of other shapes round differently.
  for (std::size_t k = 0; k < found.value.size(); ++k) {
    EXPECT_NEAR(found.value[k], expected.value[k], 1e-14);
  }
}

TEST(CosinesOnRanks, HaveTheSameBitsOnAnyNumberOfThem) {
  constexpr Index kTop = 4;
  const auto columns = testing::random_weights(kParameters, kLabels, 5);
  ThreadPool pool(Threads{1});
  const auto of = [&](const Communicator& among) {
    const LabelBlocks blocks(kLabels, among.size());
    const auto [own, rows] = scattered(among, columns);
    return strongest_cosines(
        among, blocks,
        moved_rows(among, own, rows, blocks.rank_of(), blocks.labels_of(among.rank())), kTop, pool);
  };
  const Communicator alone = all_ranks().split(all_ranks().rank(), 0);
  EXPECT_EQ(of(all_ranks()), of(alone));
}

}  // namespace
}  // namespace mugrad::mpi
