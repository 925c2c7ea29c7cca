// SPDX-License-Identifier: MIT
// Counts every allocation of the process: for a program of its own.
#pragma once

#include <atomic>
#include <cstddef>

namespace mugrad::testing {

extern std::atomic<long> allocations;
extern std::atomic<std::size_t> largest;  ///< of them, in bytes
extern std::atomic<std::size_t> held;     ///< bytes in use
extern std::atomic<std::size_t> most_held;
extern std::atomic<long> failing;  ///< the allocation that fails; none when negative

}  // namespace mugrad::testing
