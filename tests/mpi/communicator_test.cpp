// SPDX-License-Identifier: MIT
#include "mpi/communicator.h"

#include "mpi/the_world.h"

#include <mugrad/core/random.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;
using ::testing::ElementsAre;

TEST(Communicator, SumsAreTheSameOnEveryRankToTheLastBit) {
  const auto& ranks = all_ranks();
  RandomStream random(1, "sums", static_cast<std::uint64_t>(ranks.rank()));
  std::vector<double> numbers(1003);
  for (double& number : numbers) number = random.normal();
  ranks.sum(std::span(numbers));
  const auto all = ranks.gather(std::span<const double>(numbers));
  for (int r = 0; r < ranks.size(); ++r) {
    const auto of_rank =
        std::span(all).subspan(static_cast<std::size_t>(r) * numbers.size(), numbers.size());
    EXPECT_TRUE(std::equal(of_rank.begin(), of_rank.end(), numbers.begin())) << "rank " << r;
  }
}

TEST(Communicator, AShortSpanIsSummedToo) {
  std::vector<float> one = {1.5F};
  all_ranks().sum(std::span(one));
  EXPECT_EQ(one.front(), 1.5F * static_cast<float>(all_ranks().size()));
  std::vector<double> few = {1.5, -2};
  all_ranks().sum_few(few);
  EXPECT_EQ(few, (std::vector{1.5 * all_ranks().size(), -2.0 * all_ranks().size()}));
}

TEST(Communicator, GathersInTheOrderOfTheRanks) {
  const auto& ranks = all_ranks();
  // Rank r has r entries, so that the first has none.
  const std::vector<std::int32_t> mine(static_cast<std::size_t>(ranks.rank()), ranks.rank());
  std::vector<std::int32_t> expected;
  for (int r = 0; r < ranks.size(); ++r)
    expected.insert(expected.end(), static_cast<std::size_t>(r), r);
  EXPECT_EQ(ranks.gather(std::span<const std::int32_t>(mine)), expected);
}

TEST(Communicator, TextsOfAllReachTheFirstRank) {
  const auto& ranks = all_ranks();
  const auto texts = ranks.collect(std::string(static_cast<std::size_t>(ranks.rank()), 'x'));
  ASSERT_EQ(texts.size(), ranks.is_first() ? static_cast<std::size_t>(ranks.size()) : 0U);
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r].size(), r);
}

TEST(Communicator, IsNotFreedWhileAnExceptionFlies) {
  MPI_Comm handle = MPI_COMM_NULL;
  try {
    const auto copy = all_ranks().split(0, all_ranks().rank());
    handle = copy.handle();
    throw std::runtime_error("a rank has failed");
  } catch (const std::runtime_error&) {
  }
  // Others may not have failed, and would never come to free it: it is there still.
  int size = 0;
  MPI_Comm_size(handle, &size);
  EXPECT_EQ(size, all_ranks().size());
  MPI_Comm_free(&handle);
}

TEST(GroupSums, DoNotDependOnWhoHasWhichGroup) {
  constexpr Index kGroups = 23;
  const auto value = [](Index group, Index k) {
    RandomStream random(7, "groups", static_cast<std::uint64_t>(10 * group + k));
    return random.normal();
  };
  std::vector<double> expected(3, 0);
  for (Index g = 0; g < kGroups; ++g) {
    for (Index k = 0; k < 3; ++k) expected[static_cast<std::size_t>(k)] += value(g, k);
  }
  for (const Index stride : {1, 5, 7}) {
    std::vector<Index> mine;
    for (Index g = 0; g < kGroups; ++g) {
      const Index turn = g * stride % kGroups;
      if (turn % all_ranks().size() == all_ranks().rank()) mine.push_back(turn);
    }
    const GroupSums sums(all_ranks(), mine);
    Matrix<double> rows(std::ssize(mine), 3);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      for (Index k = 0; k < 3; ++k) rows(static_cast<Index>(i), k) = value(mine[i], k);
    }
    EXPECT_EQ(sums.add_up(rows), expected) << "stride " << stride;
  }
}

}  // namespace
}  // namespace mugrad::mpi
