// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/memory.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace mugrad {

/// Memory of which nobody knows beforehand how much it will be, such as the values of a file while
/// its rows are read. It is asked for step by step: each time it has grown by an eighth.
class GrowingMemory {
 public:
  /// Less than this is not checked.
  static constexpr double kLeast = 4e6;
  /// By how much it may grow until it is checked again.
  static constexpr double kStep = 0.125;

  /// `work` is what takes the memory, as in "reading birds.csv", `what` is what is held, as in
  /// "values", and `would_help` as in require_memory().
  GrowingMemory(std::string work, std::string what, std::string would_help)
      : work_(std::move(work)), what_(std::move(what)), would_help_(std::move(would_help)) {}

  /// Whether it has grown so much that it must be checked; cheap.
  bool is_due(double held) const noexcept { return held >= checked_; }
  /// `held` bytes are in use, and growing on takes `next` more. Throws MemoryError.
  void check(double held, double next);

 private:
  std::string work_, what_, would_help_;
  double checked_ = kLeast;  ///< it may grow up to this
};

/// Bytes that a vector needs in addition until it has grown by GrowingMemory::kStep. Where its
/// capacity ends, a copy of all of it is held at the same time.
template <class Item>
double bytes_to_grow(const std::vector<Item>& items) noexcept {
  const double size = static_cast<double>(items.size()) * sizeof(Item);
  const double capacity = static_cast<double>(items.capacity()) * sizeof(Item);
  const double more = GrowingMemory::kStep * size;
  return size + more > capacity ? size + more : more;
}

template <class Item>
double bytes_of(const std::vector<Item>& items) noexcept {
  return static_cast<double>(items.size() * sizeof(Item));
}

}  // namespace mugrad
