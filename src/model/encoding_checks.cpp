// SPDX-License-Identifier: MIT
#include "model/encoding_checks.h"

#include "core/printable.h"
#include "core/utf8.h"
#include "data/date_features.h"
#include "data/text/term_reader.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace mugrad {
namespace {

template <class... Parts>
[[noreturn]] void refuse(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw InputError(fmt::format(text, std::forward<Parts>(parts)...));
}

/// Whether a column of this role can have so many features.
bool fits_role(const EncodedColumn& column) {
  const Index marks = column.marks_missing ? 1 : 0;
  switch (column.role) {
    case ColumnRole::number:
      return column.width == 1 + marks;
    case ColumnRole::date:
      return column.width == kDateFeatures + marks;
    case ColumnRole::category:
      return column.width >= marks + (column.has_other ? 1 : 0);
    case ColumnRole::text:
      return !column.marks_missing;
    default:
      return column.width == 0;
  }
}

void check_column(const EncodedColumn& column, Index features) {
  if (!is_utf8(column.name)) refuse("the name of a column is not UTF-8");
  if (column.first > features || column.width > features - column.first || !fits_role(column)) {
    refuse(
        "the column '{}' has {} of the model's {} features from number {} on, which does not fit "
        "the role '{}'",
        printable(column.name), column.width, features, column.first, to_string(column.role));
  }
  if (column.fill && !std::isfinite(*column.fill)) {
    refuse("the value that fills in '{}' is not finite", printable(column.name));
  }
  const bool is_date = column.role == ColumnRole::date;
  if (is_date && column.fill && (*column.fill < kFirstDay || *column.fill > kLastDay)) {
    refuse("the value that fills in '{}' is no date: {} days from 1970", printable(column.name),
           *column.fill);
  }
  if (column.separator.size() > 1) {
    refuse("the separator of the tags '{}' must be one character", printable(column.name));
  }
}

void check_hashed(const EncodedColumn& column, const TextOptions& text) {
  if (column.role != ColumnRole::text || text.hash_bits == 0) return;
  const Index hashes = Index{1} << text.hash_bits;
  if (column.width == hashes) return;
  refuse("the text '{}' has {} features, but its terms have {} hashes", printable(column.name),
         column.width, hashes);
}

void check_text(const TextOptions& text) {
  try {
    check_text_options(text);
  } catch (const UsageError& error) {
    refuse("the terms of its texts are impossible: {}", error.what());
  }
}

}  // namespace

void check_encoding(const TableEncoding& encoding, Index features,
                    const std::vector<std::string>& names) {
  if (encoding.is_empty()) return;
  if (std::ssize(names) != features) {
    refuse("the model has columns of a table, but {} names of {} features", names.size(), features);
  }
  check_text(encoding.text);
  std::vector<std::pair<Index, Index>> ranges;
  std::unordered_set<std::string_view> seen;
  for (const auto& column : encoding.columns) {
    check_column(column, features);
    check_hashed(column, encoding.text);
    if (!seen.insert(column.name).second) {
      refuse("two columns are called '{}'", printable(column.name));
    }
    if (column.width > 0) ranges.emplace_back(column.first, column.width);
  }
  std::ranges::sort(ranges);
  Index next = 0;
  for (const auto& [first, width] : ranges) {
    if (first != next)
      refuse("feature {} of the model is of no column, or of two", std::min(first, next));
    next = first + width;
  }
  if (next != features) refuse("feature {} of the model is of no column", next);
}

}  // namespace mugrad
