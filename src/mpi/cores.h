// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

#include <algorithm>
#include <span>

namespace mugrad::mpi {

/// The number of cores of a rank: ranks on a machine that may use the same cores share them. A
/// launcher that binds ranks gives each its own cores; otherwise, or in a container with few cores,
/// all have the same.
inline int cores_of(const cpu_set_t& mine, std::span<const cpu_set_t> of_all) noexcept {
  const auto sharing = std::ranges::count_if(
      of_all, [&](const cpu_set_t& other) { return CPU_EQUAL(&mine, &other) != 0; });
  return std::max(1, CPU_COUNT(&mine) / std::max(1, static_cast<int>(sharing)));
}

}  // namespace mugrad::mpi
