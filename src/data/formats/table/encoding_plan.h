// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/value_codes.h"

#include <mugrad/data/files.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mugrad::formats {

/// How one attribute is encoded as columns.
struct ColumnEncoding {
  static constexpr std::int32_t kNone = -1;

  std::string attribute = {};

  FeatureId first = 0;  ///< its first column
  FeatureId width = 1;  ///< number of columns; 0: it is dropped
  bool is_number = true;
  /// Of a nominal: the column, counted from `first`, that is 1 for a code; kNone: all are 0.
  std::vector<std::int32_t> column_of;

  /// kNone for a code that did not exist when the plan was made (the file has changed since).
  std::int32_t column_for(std::size_t code) const noexcept {
    return code < column_of.size() ? column_of[code] : kNone;
  }
  /// Whether the raw value is the value of the column.
  bool is_identity() const noexcept;
  /// Whether code 0, which sparse rows do not store, sets a column to 1.
  bool zero_code_counts() const noexcept {
    return !is_number && !column_of.empty() && column_of.front() != kNone;
  }
};

struct EncodingPlan {
  std::vector<ColumnEncoding> columns;  ///< one per attribute
  std::vector<std::string> names;       ///< one per encoded column
};

/// Decides how every attribute is encoded (one 0/1 column for a two-valued nominal, one column per
/// value for others, none for identifiers), and reports what the user may not expect.
EncodingPlan plan_encoding(const ValueSurvey& survey, const std::string& file,
                           const ReadOptions& options);

/// Whether the plan depends on the values that occur, so that all rows must be read first.
bool depends_on_rows(const std::vector<FeatureColumn>& columns, const ReadOptions& options);

}  // namespace mugrad::formats
