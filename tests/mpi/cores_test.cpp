// SPDX-License-Identifier: MIT
#include "mpi/cores.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace mugrad::mpi {
namespace {

cpu_set_t cores(std::initializer_list<std::size_t> numbers) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::size_t number : numbers) CPU_SET(number, &set);
  return set;
}

TEST(Cores, AreSharedByRanksThatMayUseTheSame) {
  // A container with six cores of a larger machine, in which nobody has bound the ranks.
  const auto all = cores({2, 3, 4, 5, 8, 9});
  EXPECT_EQ(cores_of(all, std::vector{all, all, all}), 2);
  EXPECT_EQ(cores_of(all, std::vector{all, all, all, all}), 1);
}

TEST(Cores, ThatALauncherHasDealtOutAreEachRanksOwn) {
  const auto mine = cores({0, 1, 2});
  const auto other = cores({3, 4});
  EXPECT_EQ(cores_of(mine, std::vector{mine, other}), 3);
  EXPECT_EQ(cores_of(other, std::vector{mine, other}), 2);
}

TEST(Cores, AreOneAtLeast) {
  const auto one = cores({7});
  EXPECT_EQ(cores_of(one, std::vector{one, one, one}), 1);
}

}  // namespace
}  // namespace mugrad::mpi
