// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// What the values of a column are.
enum class ColumnRole : std::uint8_t {
  number,
  category,    ///< one of some values, each of which becomes a feature of 0 and 1
  text,        ///< words, which become counts of terms
  date,        ///< or a date with a time: days, month, weekday and hour
  identifier,  ///< names the row; no feature
  tags,        ///< the labels of the row
  ignored,
};

std::string_view to_string(ColumnRole role);
/// Throws UsageError listing the valid names.
ColumnRole column_role_named(std::string_view name);

/// How a text becomes terms: words, and n-grams of words or characters.
struct TextOptions {
  static constexpr Index kMostWords = 10;
  static constexpr Index kMostCharacters = 30;
  static constexpr int kMostHashBits = 28;

  Index min_words = 1;  ///< of an n-gram of words; >= 1
  Index max_words = 2;  ///< 0: no n-grams of words
  /// Of n-grams of characters within words, which have a blank before and after; 0: none.
  Index min_characters = 0;
  Index max_characters = 0;
  Index min_documents = 2;        ///< a term must occur in so many texts; >= 1
  double max_document_share = 1;  ///< and in at most this share of them; in (0, 1]
  /// Keeps the terms that occur in the most texts; ties by their bytes.
  Index max_terms = 200'000;
  /// Instead of a vocabulary, terms are hashed to 2^hash_bits features; 0: a vocabulary.
  int hash_bits = 0;
  bool sublinear = true;  ///< a term that occurs c times counts 1 + ln c

  bool operator==(const TextOptions&) const = default;
};

/// A column of a table, and the features made of it.
struct EncodedColumn {
  std::string name = {};
  ColumnRole role = ColumnRole::number;
  Index first = 0;  ///< of its features, which are adjacent
  Index width = 0;  ///< their number
  /// The last feature is 1 where the value is missing.
  bool marks_missing = false;
  /// The feature before it, of a category, is 1 for values without a feature of their own.
  bool has_other = false;
  /// Takes the place of a missing number or date; empty: the mean does.
  std::optional<double> fill = {};
  /// Of tags: between two of them; empty: JSON arrays.
  std::string separator = {};

  bool operator==(const EncodedColumn&) const = default;
};

/// How the columns of a table became features, so that other rows become the same features. The
/// names of features hold the values of categories (`plan=pro`) and the terms of texts
/// (`body:refund`). Without columns: every column is a number, or a category whose values are in
/// the names, and the mean takes the place of a missing value.
struct TableEncoding {
  std::vector<EncodedColumn> columns = {};
  TextOptions text = {};  ///< of its texts, if it has any

  bool is_empty() const noexcept { return columns.empty(); }
  bool operator==(const TableEncoding&) const = default;
};

/// What was found in a column of a table.
struct ColumnSummary {
  std::string name = {};
  ColumnRole role = ColumnRole::number;
  bool is_label = false;
  Index missing = 0;
  Index odd = 0;       ///< cells of a number or a date that are none, which count as missing
  Index distinct = 0;  ///< texts, up to 65,536, which stands for more
};

/// A table as its reader understands it.
struct TableSummary {
  Index rows = 0;
  std::vector<ColumnSummary> columns = {};
  std::string separator = {};                             ///< of tags
  std::vector<std::vector<std::string>> first_rows = {};  ///< their cells, cut if they are long
};

}  // namespace mugrad
