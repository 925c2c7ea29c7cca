// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

/// Sets a limit and takes it back.
class Limited {
 public:
  explicit Limited(std::string_view text) { set_memory_limit(memory_limit_named(text)); }
  ~Limited() { set_memory_limit({}); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;
};

TEST(MemoryLimit, IsReadWithItsUnit) {
  const auto bytes = [](double amount) { return MemoryLimit{MemoryLimit::Kind::bytes, amount}; };
  EXPECT_EQ(memory_limit_named("8GB"), bytes(8e9));
  EXPECT_EQ(memory_limit_named("8 GB"), bytes(8e9));
  EXPECT_EQ(memory_limit_named("1.5G"), bytes(1.5e9));
  EXPECT_EQ(memory_limit_named("2GiB"), bytes(2147483648.0));
  EXPECT_EQ(memory_limit_named("512k"), bytes(512e3));
  EXPECT_EQ(memory_limit_named("512KB"), bytes(512e3));
  EXPECT_EQ(memory_limit_named("1TiB"), bytes(1099511627776.0));
  EXPECT_EQ(memory_limit_named("1000000"), bytes(1e6));
  EXPECT_EQ(memory_limit_named("50%"), (MemoryLimit{MemoryLimit::Kind::share, 0.5}));
  EXPECT_EQ(memory_limit_named("unlimited"), (MemoryLimit{MemoryLimit::Kind::unlimited}));
  EXPECT_EQ(memory_limit_named("available"), MemoryLimit{});
}

TEST(MemoryLimit, ThatIsNoneIsRefused) {
  for (const auto* const text : {"", "GB", "-1GB", "0", "8XB", "8GBs", "120%", "1e999", "nan",
                                 "inf", "8GB ", " 8GB", "all"}) {
    EXPECT_THROW(memory_limit_named(text), UsageError) << text;
  }
}

TEST(MemoryNeed, IsTheSumOfPartsHeldAtOnceAndTheLargerOfThoseHeldInTurn) {
  const MemoryNeed weights("the weights", 300);
  const MemoryNeed features("the features", 200);
  EXPECT_EQ((weights + features).bytes(), 500);
  EXPECT_EQ((features + weights).largest().what, "the weights");
  EXPECT_EQ(larger(weights, features).bytes(), 300);
  EXPECT_EQ(larger(features, weights + features).bytes(), 500);
  EXPECT_EQ(MemoryNeed().bytes(), 0);
}

TEST(Memory, TooMuchIsRefusedWithTheFigureWhatTakesMostAndWhatWouldHelp) {
  const Limited limited("2GB");
  const auto need = MemoryNeed("the weights", 360e9) + MemoryNeed("the features", 3.5e9);
  EXPECT_THAT([&] { require_memory(need, "training br on amazon", "fewer labels"); },
              ThrowsMessage<MemoryError>(AllOf(
                  StartsWith("training br on amazon would take about 364 GB, 360 GB of it for the "
                             "weights, and what is left of the memory limit is "),
                  HasSubstr("; fewer labels would help"))));
}

TEST(Memory, OnlyUnlimitedTakesMoreThanAnyMachineHas) {
  const MemoryNeed need("the weights", 1e18);
  EXPECT_THROW(require_memory(need, "it", "less"), MemoryError);
  const Limited limited("unlimited");
  EXPECT_NO_THROW(require_memory(need, "it", "less"));
  EXPECT_EQ(available_memory().bytes, std::numeric_limits<double>::infinity());
}

TEST(Memory, LimitOfTheProcessCountsWhatItHoldsAlready) {
  const Limited limited("1kB");
  EXPECT_EQ(available_memory().bytes, 0);
  EXPECT_THROW(require_memory({"it", 1}, "it", "less"), MemoryError);
}

TEST(Memory, WhatThereIsOfAShareIsNoMoreThanThatShareOfWhatThereIsOfAll) {
  const double all = available_memory().bytes;
  EXPECT_GT(all, 1e6);
  const Limited limited("0.1%");
  EXPECT_LT(available_memory().bytes, all);
}

TEST(Memory, WhatMightFitIsNotRefused) {
  const double available = available_memory().bytes;
  // Other programs may take or free some of it meanwhile.
  EXPECT_NO_THROW(require_memory({"it", 1.1 * available}, "it", "less"));
  EXPECT_THROW(require_memory({"it", 3 * available}, "it", "less"), MemoryError);
  EXPECT_THROW(require_memory(MemoryNeed("it", 1.4 * available).exactly(), "it", "less"),
               MemoryError);
}

TEST(Memory, EstimatesStayWithinALimitThatWasSet) {
  const Limited limited("500MB");
  const AvailableMemory available = available_memory();
  ASSERT_TRUE(available.is_limit);
  EXPECT_THROW(require_memory({"it", 1.1 * available.bytes}, "it", "less"), MemoryError);
}

TEST(Memory, BytesAreSaidInTheUnitThatFits) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(1500), "1.5 kB");
  EXPECT_EQ(bytes_text(999.6e6), "1 GB");
  EXPECT_EQ(bytes_text(3.64e11), "364 GB");
  EXPECT_EQ(bytes_text(1.5e18), "1.5e+03 PB");
}

}  // namespace
}  // namespace mugrad
