// SPDX-License-Identifier: MIT
#pragma once

#include "data/date_features.h"
#include "data/formats/table/encoding_plan.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

// The names of features that are made of a column: `plan=pro`, `body:refund`, `age (missing)`,
// `opened (days)`.

inline constexpr char kBeforeValue = '=';
inline constexpr char kBeforeTerm = ':';
inline constexpr std::string_view kMissingValue = "(missing)";
inline constexpr std::string_view kOtherValue = "(other)";

std::string value_name(std::string_view column, std::string_view value);
std::string missing_number_name(std::string_view column);
/// Days since 1970, month (1 to 12), weekday (1 is Monday) and hour.
std::array<std::string, kDateFeatures> date_names(std::string_view column);
/// Appends a name per term, or `body:#12` for hashed ones, of which there are `width`.
void append_term_names(std::string_view column, std::span<const std::string> terms, Index width,
                       std::vector<std::string>& names);

/// Throws MemoryError if the names of these terms do not fit into memory.
void require_memory_for_terms(std::string_view column, std::span<const std::string> terms);
/// Throws MemoryError if the names of 2^bits hashed terms do not fit into memory.
void require_memory_for_hashed_terms(std::string_view column, int bits);

/// The names of the columns that become features, with which generated names must not be confused.
class ColumnNameCheck {
 public:
  /// Requires: columns and file outlive this.
  ColumnNameCheck(const std::vector<FeatureColumn>& columns, const std::string& file);

  /// Throws InputError if another column's name starts with this column and the character.
  void check_alone(const std::string& column, char before) const;
  /// Whether the text before an `=` of the name, at `from` or later, is a column, or all of it.
  bool is_of_longer(std::string_view name, std::size_t from) const;

 private:
  bool is_column(std::string_view text) const;

  std::vector<std::string_view> sorted_;
  const std::string& file_;
};

/// Throws InputError if two features of the plan have one name, or a feature and a label: columns
/// `age` and `age (missing)`, or a category with missing values and the value `(missing)`.
void check_distinct_names(const EncodingPlan& plan, const TableColumns& table,
                          const std::string& file);

}  // namespace mugrad::formats
