// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/encoding.h"

#include <cstdint>
#include <limits>

namespace mugrad::formats {

/// How one attribute becomes columns.
struct ColumnEncoding {
  static constexpr std::int32_t kNone = -1;

  FeatureId first = 0;  ///< its first column
  FeatureId width = 1;  ///< how many it has; 0: it is left out
  bool is_number = true;
  /// Of a nominal: the column, counted from `first`, that is 1 for a code; kNone: all are 0.
  std::vector<std::int32_t> column_of;

  /// Whether the raw value is the column's value.
  bool is_identity() const noexcept;
  /// Whether code 0, which sparse rows do not store, makes a column 1.
  bool zero_code_counts() const noexcept {
    return !is_number && !column_of.empty() && column_of.front() != kNone;
  }
};

struct EncodingPlan {
  std::vector<ColumnEncoding> columns;  ///< one per attribute
  std::vector<std::string> names;       ///< one per column made
};

/// Decides how every attribute becomes columns, and notes what the user may not expect.
EncodingPlan plan_encoding(const RawFeatures& raw, const std::vector<FeatureColumn>& columns,
                           const std::string& file, const ReadOptions& options);

}  // namespace mugrad::formats
