// SPDX-License-Identifier: MIT
#include "core/growing_memory.h"

#include <fmt/format.h>

namespace mugrad {

void GrowingMemory::check(double held, double next) {
  if (!is_due(held)) return;
  require_memory({fmt::format("{} beside the {} so far", what_, bytes_text(held)), next}, work_,
                 would_help_);
  checked_ = held * (1 + kStep);
}

}  // namespace mugrad
