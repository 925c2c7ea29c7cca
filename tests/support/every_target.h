// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/simd.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace mugrad::testing {

/// Calls work() once for each instruction set that kernels are compiled for and this machine has,
/// with the kernels using that one.
template <class Work>
void for_each_target(const Work& work) {
  const auto targets = hwy::SupportedAndGeneratedTargets();
  EXPECT_FALSE(targets.empty());
  for (const auto target : targets) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    work();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace mugrad::testing
