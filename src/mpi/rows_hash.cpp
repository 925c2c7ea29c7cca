// SPDX-License-Identifier: MIT
#include "mpi/rows_hash.h"

#include <bit>

namespace mugrad::mpi {
namespace {

/// Of numbers in their order: multiply, and let the upper bits reach the lower ones.
class Hash {
 public:
  void add(std::uint64_t number) noexcept {
    state_ = (state_ ^ number) * 0x9e3779b97f4a7c15;
    state_ ^= state_ >> 32;
  }
  void add(Index column, double value) noexcept {
    if (value == 0) return;
    add(static_cast<std::uint64_t>(column));
    add(std::bit_cast<std::uint64_t>(value));
  }
  void add(std::span<const LabelId> labels) noexcept {
    add(labels.size());
    for (const LabelId label : labels) add(static_cast<std::uint64_t>(label));
  }
  std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0x2545f4914f6cdd1d;
};

}  // namespace

std::uint64_t hash_of_rows(const Dataset& data) noexcept {
  std::uint64_t sum = 0;
  for (Index row = 0; row < data.rows(); ++row) {
    Hash hash;
    data.x.for_each_in_row(row, [&](FeatureId column, double value) { hash.add(column, value); });
    hash.add(data.y.row(row));
    hash.add(data.unknown_of(row));
    sum += hash.value();
  }
  return sum;
}

}  // namespace mugrad::mpi
