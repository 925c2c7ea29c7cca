// SPDX-License-Identifier: MIT
#include "mpi/column_exchange.h"

#include "mpi/the_world.h"

#include <gtest/gtest.h>

#include <set>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;

/// Label i is on rank i % ranks, and every label borrows from the two after it.
struct Ring {
  static constexpr Index kLabels = 11;
  static constexpr Index kParameters = 6;

  Ring() {
    std::set<std::pair<std::int32_t, LabelId>> elsewhere;
    for (LabelId i = 0; i < kLabels; ++i) rank_of.push_back(i % all_ranks().size());
    for (LabelId i = 0; i < kLabels; ++i) {
      if (rank_of[static_cast<std::size_t>(i)] != all_ranks().rank()) continue;
      own.push_back(i);
      for (const LabelId step : {1, 2}) {
        const auto j = static_cast<LabelId>((i + step) % kLabels);
        const auto rank = rank_of[static_cast<std::size_t>(j)];
        if (rank != all_ranks().rank()) elsewhere.emplace(rank, j);
      }
    }
    for (const auto& [rank, label] : elsewhere) wanted.push_back(label);
    weights = Matrix<double>(std::ssize(own) + std::ssize(wanted), kParameters, -1);
    for (Index row = 0; row < std::ssize(own); ++row) {
      for (Index k = 0; k < kParameters; ++k)
        weights(row, k) = value(own[static_cast<std::size_t>(row)], k);
    }
  }
  static double value(LabelId label, Index parameter) {
    return 100 * label + static_cast<double>(parameter);
  }

  std::vector<std::int32_t> rank_of;
  std::vector<LabelId> own, wanted;
  Matrix<double> weights;
};

TEST(ColumnExchange, BringsWhatIsBorrowedAndLeavesInterceptsAlone) {
  Ring ring;
  ColumnExchange<double> exchange(all_ranks(), ring.own, ring.wanted, ring.rank_of,
                                  Ring::kParameters, 1);
  for (int round = 0; round < 2; ++round) {
    exchange.start(ring.weights);
    exchange.finish();
    for (std::size_t k = 0; k < ring.wanted.size(); ++k) {
      const auto row = ring.weights.row(std::ssize(ring.own) + static_cast<Index>(k));
      EXPECT_EQ(row[0], -1);
      for (Index p = 1; p < Ring::kParameters; ++p) {
        EXPECT_EQ(row[static_cast<std::size_t>(p)], Ring::value(ring.wanted[k], p));
      }
    }
  }
}

TEST(ColumnExchange, CountsTheBytesOfWhatArrives) {
  Ring ring;
  ColumnExchange<double> exchange(all_ranks(), ring.own, ring.wanted, ring.rank_of,
                                  Ring::kParameters, 1);
  EXPECT_EQ(exchange.bytes(), std::ssize(ring.wanted) * (Ring::kParameters - 1) * 8);
  EXPECT_EQ(exchange.received(), 0);
  for (int round = 1; round <= 3; ++round) {
    exchange.start(ring.weights);
    exchange.finish();
    EXPECT_EQ(exchange.received(), round * exchange.bytes());
  }
}

TEST(ColumnExchange, EverySourceIsWaitedForOnce) {
  Ring ring;
  ColumnExchange<double> exchange(all_ranks(), ring.own, ring.wanted, ring.rank_of,
                                  Ring::kParameters, 0);
  exchange.start(ring.weights);
  std::set<std::size_t> arrived;
  while (const auto source = exchange.wait()) EXPECT_TRUE(arrived.insert(*source).second);
  EXPECT_LE(arrived.size(), exchange.sources().size());
  for (std::size_t s = 0; s < exchange.sources().size(); ++s) EXPECT_TRUE(exchange.has_arrived(s));
  exchange.finish();
}

}  // namespace
}  // namespace mugrad::mpi
