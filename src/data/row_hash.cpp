// SPDX-License-Identifier: MIT
#include "data/row_hash.h"

#include "data/text/term_hash.h"

#include <bit>

namespace mugrad {

std::optional<Index> RowHash::operator()(const Features& x, Index row) {
  entries_.clear();
  x.for_each_in_row(row, [&](FeatureId column, double value) {
    if (value == 0) return;
    entries_.push_back(static_cast<std::uint64_t>(column));
    entries_.push_back(std::bit_cast<std::uint64_t>(value));
  });
  if (entries_.empty()) return std::nullopt;
  const std::uint64_t hash = term_hash(
      {reinterpret_cast<const char*>(entries_.data()), entries_.size() * sizeof(std::uint64_t)});
  return static_cast<Index>(hash >> 1U);
}

}  // namespace mugrad
