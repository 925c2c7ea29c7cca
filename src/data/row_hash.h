// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace mugrad {

/// A hash of the features of a row: equal for equal rows, however they are stored.
class RowHash {
 public:
  /// 63 bits, so that it is a number >= 0; empty for a row whose features are all zero.
  std::optional<Index> operator()(const Features& x, Index row);

 private:
  std::vector<std::uint64_t> entries_;
};

}  // namespace mugrad
