// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <utility>

namespace mugrad {

/// A stream of random numbers that depends on (seed, purpose, index) only, so that drawing more
/// numbers for one purpose never shifts another. The integers are the same on every machine.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  /// 64 random bits.
  std::uint64_t next() { return engine_(); }
  /// Uniform in {0, ..., bound - 1}, without bias. Requires: bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// Standard normal.
  double normal();

  /// Shuffles uniformly over all orders (Fisher-Yates).
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[below(left)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace mugrad
