// SPDX-License-Identifier: MIT
// Every rank runs every test; a failure on any of them fails the run.
#include <mugrad/mpi/train.h>

#include <gtest/gtest.h>

namespace mugrad::testing {

const mpi::World*& the_world() {
  static const mpi::World* world = nullptr;
  return world;
}

}  // namespace mugrad::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const mugrad::mpi::World world;
  mugrad::testing::the_world() = &world;
  // One voice is enough while all is well.
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (!world.is_first()) delete listeners.Release(listeners.default_result_printer());
  const int failed = RUN_ALL_TESTS();
  int on_any = 0;
  for (const auto& outcome : world.collect(failed == 0 ? "" : "failed")) on_any |= !outcome.empty();
  return world.is_first() ? on_any : failed;
}
