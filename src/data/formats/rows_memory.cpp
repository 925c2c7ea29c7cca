// SPDX-License-Identifier: MIT
#include "data/formats/rows_memory.h"

#include <mugrad/core/option_text.h>

#include <fmt/format.h>

namespace mugrad::formats {

std::string smaller_table() {
  return fmt::format("a sample of the rows, or leaving columns out ({}),",
                     option_text(Option::drop));
}

void require_memory_for_rows(const std::string& what, double bytes, const std::string& file,
                             std::string_view would_help) {
  if (bytes < GrowingMemory::kLeast) return;
  require_memory(MemoryNeed(what, bytes).exactly(), fmt::format("reading {}", file), would_help);
}

}  // namespace mugrad::formats
