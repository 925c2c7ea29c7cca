// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

#include <algorithm>
#include <span>

namespace mugrad::mpi {

/// How many cores are a rank's, of those that it may use: ranks of a machine that may use the same
/// ones share them. A launcher that binds ranks gives each its own; one that does not, or a
/// container with few cores, gives all the same.
inline int cores_of(const cpu_set_t& mine, std::span<const cpu_set_t> of_all) noexcept {
  const auto sharing = std::ranges::count_if(
      of_all, [&](const cpu_set_t& other) { return CPU_EQUAL(&mine, &other) != 0; });
  return std::max(1, CPU_COUNT(&mine) / std::max(1, static_cast<int>(sharing)));
}

}  // namespace mugrad::mpi
