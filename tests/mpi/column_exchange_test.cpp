// SPDX-License-Identifier: MIT
#include "mpi/column_exchange.h"

#include "mpi/the_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

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
  EXPECT_EQ(arrived.size(), exchange.sources().size());
  for (std::size_t s = 0; s < exchange.sources().size(); ++s) EXPECT_TRUE(exchange.has_arrived(s));
  exchange.finish();
}

TEST(ColumnExchange, ThatIsGivenUpLeavesTheWeightsAlone) {
  Ring ring;
  const auto ranks = all_ranks().split(0, all_ranks().rank());
  const auto meet = [] { MPI_Barrier(all_ranks().handle()); };
  const auto before = ring.weights;
  std::vector<int> sources;
  if (ranks.is_first()) {
    try {
      ColumnExchange<double> exchange(ranks, ring.own, ring.wanted, ring.rank_of, Ring::kParameters,
                                      0);
      sources = exchange.sources();
      exchange.start(ring.weights);
      throw std::runtime_error("the work between has failed");
    } catch (const std::runtime_error&) {
    }
    meet();
  } else {
    ColumnExchange<double> exchange(ranks, ring.own, ring.wanted, ring.rank_of, Ring::kParameters,
                                    0);
    meet();  // nothing is sent before the first rank has given up
    exchange.start(ring.weights);
    exchange.finish();
  }
  meet();
  if (!ranks.is_first()) return;
  // What was sent comes to whoever asks for it now, and has not come to the weights.
  for (const int source : sources) {
    int is_here = 0;
    MPI_Status status;
    while (is_here == 0 && std::ranges::equal(ring.weights.values(), before.values())) {
      MPI_Iprobe(source, MPI_ANY_TAG, ranks.handle(), &is_here, &status);
    }
    ASSERT_NE(is_here, 0) << "what rank " << source << " sent went to weights that are gone";
    int count = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    std::vector<double> sent(static_cast<std::size_t>(count));
    MPI_Recv(sent.data(), count, MPI_DOUBLE, source, status.MPI_TAG, ranks.handle(),
             MPI_STATUS_IGNORE);
  }
  EXPECT_TRUE(std::ranges::equal(ring.weights.values(), before.values()));
}

}  // namespace
}  // namespace mugrad::mpi
