// SPDX-License-Identifier: MIT
#include "core/memory.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

TEST(Memory, WhatTakesMoreThanHalfIsRefusedWithHowMuchItIs) {
  EXPECT_NO_THROW(require_memory(4e9, "a model", 8e9));
  EXPECT_THAT([] { require_memory(4.5e9, "a model", 8e9); },
              ::testing::ThrowsMessage<InputError>(
                  "a model would take 4.5 GB, more than half of the 8 GB there is"));
}

TEST(Memory, MachineHasSome) { EXPECT_GT(machine_memory(), 1e6); }

}  // namespace
}  // namespace mugrad
