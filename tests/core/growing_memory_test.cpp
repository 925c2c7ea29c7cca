// SPDX-License-Identifier: MIT
#include "core/growing_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GrowingMemoryTest : public ::testing::Test {
 protected:
  void TearDown() override { set_memory_limit({}); }
  GrowingMemory memory_{"reading birds.csv", "further rows", "a sample of the rows"};
};

TEST_F(GrowingMemoryTest, IsDueEachTimeItHasGrownByAnEighth) {
  EXPECT_FALSE(memory_.is_due(GrowingMemory::kLeast - 1));
  EXPECT_TRUE(memory_.is_due(8e6));
  memory_.check(8e6, 1);
  EXPECT_FALSE(memory_.is_due(8.9e6));
  EXPECT_TRUE(memory_.is_due(9e6));
}

TEST_F(GrowingMemoryTest, IsRefusedWithWhatIsHeldAndWhatWouldHelp) {
  set_memory_limit({MemoryLimit::Kind::bytes, 1});
  EXPECT_NO_THROW(memory_.check(GrowingMemory::kLeast / 2, 1e9));
  try {
    memory_.check(5e6, 2e6);
    FAIL();
  } catch (const MemoryError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("reading birds.csv would take about 2 MB for further "
                                              "rows beside the 5 MB so far"),
                                    HasSubstr("; a sample of the rows would help")));
  }
}

TEST_F(GrowingMemoryTest, CountsTheCopyOfAVectorThatIsFull) {
  std::vector<double> numbers;
  numbers.reserve(100);
  numbers.assign(80, 0);
  EXPECT_EQ(bytes_to_grow(numbers), 10.0 * sizeof(double));
  numbers.assign(96, 0);
  EXPECT_EQ(bytes_to_grow(numbers), 108.0 * sizeof(double));
}

}  // namespace
}  // namespace mugrad
