// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/random.h>
#include <mugrad/core/types.h>

#include <numeric>
#include <string_view>
#include <vector>

namespace mugrad {

/// The numbers 0 .. count - 1 in a random order, the same on every machine.
inline std::vector<Index> random_order(Index count, std::uint64_t seed, std::string_view purpose) {
  std::vector<Index> numbers(as_size(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  RandomStream(seed, purpose).shuffle(std::span(numbers));
  return numbers;
}

}  // namespace mugrad
