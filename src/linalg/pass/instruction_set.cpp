// SPDX-License-Identifier: MIT
#include "linalg/pass/instruction_set.h"

#include "linalg/dense/openblas.h"
#include "linalg/pass/simd.h"

#include <fmt/format.h>
#include <hwy/highway.h>

namespace mugrad {

std::string instruction_set() {
  const auto targets = hwy::SupportedAndGeneratedTargets();  // the best first
  return fmt::format("{} and {}", targets.empty() ? "none" : hwy::TargetName(targets.front()),
                     openblas_get_corename());
}

}  // namespace mugrad
