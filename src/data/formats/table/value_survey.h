// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/attribute.h"
#include "data/formats/table/raw_features.h"
#include "data/formats/table/value_codes.h"

#include <vector>

namespace mugrad::formats {

/// A feature attribute with the values its codes stand for (none for a number).
struct FeatureColumn {
  const Attribute* attribute;
  const ValueCodes* values;
};

/// Which values of the nominals occur in the rows, which may come in blocks.
class ValueSurvey {
 public:
  /// Requires: what `columns` points to outlives this.
  explicit ValueSurvey(std::vector<FeatureColumn> columns);

  /// Requires: one column per position of `raw`.
  void add(const RawFeatures& raw);

  Index rows() const noexcept { return rows_; }
  const std::vector<FeatureColumn>& columns() const noexcept { return columns_; }
  bool occurs(std::size_t column, std::size_t code) const noexcept;
  /// Values of a nominal that occur.
  Index distinct(std::size_t column) const noexcept;

 private:
  struct Seen {
    std::vector<bool> code;
    Index distinct = 0;
    Index stored = 0;
  };
  /// A row that does not store the column has code 0.
  bool is_implied(const Seen& seen) const noexcept { return seen.stored < rows_; }

  std::vector<FeatureColumn> columns_;
  std::vector<Seen> seen_;  ///< one per column
  Index rows_ = 0;
};

}  // namespace mugrad::formats
