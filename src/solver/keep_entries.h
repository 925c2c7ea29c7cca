// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <span>
#include <vector>

namespace mugrad {

/// Keeps the entries at `kept`, which is ascending, of each row of `columns` entries.
template <class T>
void keep_entries(std::vector<T>& entries, std::span<const Index> kept, std::size_t columns) {
  auto to = entries.begin();
  for (std::size_t row = 0; row < entries.size(); row += columns) {
    for (const Index t : kept) *to++ = entries[row + as_size(t)];
  }
  entries.erase(to, entries.end());
}

/// Keeps the entries at `kept`, which is ascending.
template <class T>
void keep_entries(std::vector<T>& entries, std::span<const Index> kept) {
  keep_entries(entries, kept, entries.size());
}

}  // namespace mugrad
