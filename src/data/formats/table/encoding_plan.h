// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/table.h"
#include "data/formats/table/value_codes.h"
#include "data/text/term_counter.h"

#include <mugrad/data/files.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mugrad::formats {

/// How one attribute is encoded as columns.
struct ColumnEncoding {
  static constexpr std::int32_t kNone = -1;
  static constexpr std::int32_t kMissing = -2;
  enum class Kind { number, values, date, terms, nothing };

  Kind kind = Kind::number;
  std::string attribute = {};
  FeatureId first = 0;  ///< its first column
  FeatureId width = 1;  ///< number of columns
  /// Of values: the column, counted from `first`, that is 1 for a code; kNone: all are 0; kMissing:
  /// the value counts as missing.
  std::vector<std::int32_t> column_of = {};
  std::int32_t other = kNone;  ///< the same for codes that are not in column_of
  /// The values are those of a model: `other` is for values that it does not know.
  bool is_of_model = false;
  /// The last column is 1 where the value is missing.
  bool marks_missing = false;
  /// Takes the place of a missing number or date; NaN: it stays missing, in all columns of values.
  double fill = std::numeric_limits<double>::quiet_NaN();
  std::shared_ptr<const TermCounter> terms = {};  ///< of terms

  /// `other` for a code that did not exist when the plan was made.
  std::int32_t column_for(std::size_t code) const noexcept {
    return code < column_of.size() ? column_of[code] : other;
  }
  /// Of values: whether the raw value, if it is a code, counts as missing.
  bool means_missing(double raw) const noexcept {
    return raw >= 0 && column_for(static_cast<std::size_t>(raw)) == kMissing;
  }
  /// Whether the raw value is the value of the column.
  bool is_identity() const noexcept;
  /// Whether a raw value of 0, which sparse rows do not store, sets a column.
  bool expands_zero() const noexcept;
};

struct EncodingPlan {
  std::vector<ColumnEncoding> columns;  ///< one per attribute
  Index width = 0;                      ///< number of columns of all
  /// One per column; empty if the columns are those of a model, which has the names.
  std::vector<std::string> names;
  /// What a model has to know to encode other rows; empty if the names say it all.
  TableEncoding encoding;
};

/// The rows on which a plan depends.
struct SurveyedRows {
  const ValueSurvey& values;
  const TableBlock* block;  ///< all rows; null if they were read in blocks
};

/// Decides how every attribute is encoded (one 0/1 column for a two-valued nominal, one column per
/// value for others, terms for texts, none for identifiers), and reports what the user may not
/// expect. Throws InputError for a text whose rows were read in blocks without a model.
EncodingPlan plan_encoding(const SurveyedRows& rows, const TableColumns& table,
                           const std::string& file, const ReadOptions& options);

/// Whether the plan depends on the values that occur, so that all rows must be read first.
bool depends_on_rows(const std::vector<FeatureColumn>& columns, const ReadOptions& options);

}  // namespace mugrad::formats
