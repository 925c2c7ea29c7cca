// SPDX-License-Identifier: MIT
#include "core/memory.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <unistd.h>

#include <limits>

namespace mugrad {

double machine_memory() noexcept {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(pages) * static_cast<double>(page);
}

void require_memory(double bytes, std::string_view what, double there_is) {
  if (bytes <= there_is / 2) return;
  throw InputError(fmt::format("{} would take {:.3g} GB, more than half of the {:.3g} GB there is",
                               what, bytes / 1e9, there_is / 1e9));
}

}  // namespace mugrad
