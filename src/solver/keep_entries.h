// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <vector>

namespace mugrad {

/// Keeps the entries at `kept`, which ascends.
template <class T>
void keep_entries(std::vector<T>& entries, std::span<const Index> kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    entries[i] = entries[static_cast<std::size_t>(kept[i])];
  }
  entries.resize(kept.size());
}

}  // namespace mugrad
