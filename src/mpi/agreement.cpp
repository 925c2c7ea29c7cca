// SPDX-License-Identifier: MIT
#include "mpi/agreement.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <bit>
#include <vector>

namespace mugrad::mpi {
namespace {

/// Hashes numbers in order: multiply, and mix the upper bits into the lower ones.
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

void check_same_kernels(const Communicator& rows, std::string_view mine) {
  if (rows.size() == 1) return;
  constexpr char kEnd = '\n';
  std::vector<char> name(mine.begin(), mine.end());
  name.push_back(kEnd);
  const auto all = rows.gather(std::span<const char>(name));
  const std::string_view names(all.data(), all.size());
  const std::string_view first = names.substr(0, names.find(kEnd));
  for (std::size_t at = 0; at < names.size();) {
    const std::string_view other = names.substr(at, names.find(kEnd, at) - at);
    if (other != first) {
      throw UsageError(fmt::format(
          "ranks that share rows need the same kind of processor: one has kernels for {}, another "
          "for {}; choose machines of one kind, or {}",
          first, other, option_text(Option::row_shards, "1")));
    }
    at += other.size() + 1;
  }
}

}  // namespace mugrad::mpi
