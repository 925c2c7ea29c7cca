// SPDX-License-Identifier: MIT
#include "linalg/pass/instruction_set.h"
#include "mpi/agreement.h"
#include "mpi/the_world.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;
using ::testing::HasSubstr;

TEST(SameKernels, OfOneMachineAreAccepted) {
  EXPECT_FALSE(instruction_set().empty());
  check_same_kernels(all_ranks(), instruction_set());
}

TEST(SameKernels, ThatDifferAreRefusedOnEveryRank) {
  if (all_ranks().size() == 1) GTEST_SKIP() << "one rank has one kind of kernels";
  const bool is_last = all_ranks().rank() == all_ranks().size() - 1;
  try {
    check_same_kernels(all_ranks(), is_last ? "AVX2 and Haswell" : "AVX3 and SkylakeX");
    FAIL() << "a rank of another kind was accepted";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("one has kernels for AVX3 and SkylakeX, another for AVX2"));
  }
}

}  // namespace
}  // namespace mugrad::mpi
