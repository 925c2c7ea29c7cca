// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/name_search.h"
#include "data/formats/table/attribute.h"
#include "data/formats/table/raw_features.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// The values of a nominal attribute; the code of a value is its position.
class ValueCodes {
 public:
  static constexpr std::int32_t kUnknown = -1;

  ValueCodes() = default;
  explicit ValueCodes(std::vector<std::string> values);

  const std::vector<std::string>& values() const noexcept { return values_; }
  std::size_t size() const noexcept { return values_.size(); }
  const std::string& operator[](std::size_t code) const noexcept { return values_[code]; }

  /// The code of a value, or kUnknown.
  std::int32_t find(std::string_view value) const noexcept;
  /// The code of a value, which is added if it is unknown.
  std::int32_t intern(std::string_view value);

 private:
  std::vector<std::string> values_;
  TextMap<std::int32_t> code_;  ///< empty while the values are few enough for a linear search
};

/// A feature attribute with the values of its codes (none for a number).
struct FeatureColumn {
  const Attribute* attribute;
  const ValueCodes* values;
};

/// Counts the values of nominals, and missing values, in rows that may come in blocks.
class ValueSurvey {
 public:
  /// Requires: the targets of `columns` outlive this.
  explicit ValueSurvey(std::vector<FeatureColumn> columns);

  /// Requires: one column per position of `raw`.
  void add(const RawFeatures& raw);

  Index rows() const noexcept { return rows_; }
  const std::vector<FeatureColumn>& columns() const noexcept { return columns_; }
  /// How many rows have the value.
  Index count(std::size_t column, std::size_t code) const noexcept;
  bool occurs(std::size_t column, std::size_t code) const noexcept {
    return count(column, code) > 0;
  }
  /// The number of values of a nominal that occur.
  Index distinct(std::size_t column) const noexcept;
  Index missing(std::size_t column) const noexcept { return seen_[column].missing; }

 private:
  struct Seen {
    std::vector<Index> rows_with;  ///< by code
    Index stored = 0;
    Index missing = 0;
  };

  std::vector<FeatureColumn> columns_;
  std::vector<Seen> seen_;  ///< one per column
  Index rows_ = 0;
};

}  // namespace mugrad::formats
