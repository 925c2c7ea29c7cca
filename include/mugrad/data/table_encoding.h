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

/// How a text becomes terms, and which of them become features.
///
/// Words are found by the word boundaries of Unicode (UAX #29): a word has at least one letter or
/// digit, and is converted to lower case. "Don't" and "3.5" are one word each, "a:b" and "re-read"
/// are two. In scripts without blanks between words, every character is a word, with its vowel
/// signs; only runs of katakana stay together. Emoji are no words. A word of one ASCII letter or
/// digit is left out. Composed and decomposed characters are not made equal.
///
/// Terms are n-grams of words, joined by blanks, also across sentences and words left out; and
/// n-grams of characters (code points) within words, each word with a blank on both sides. A word
/// shorter than the n-gram gives itself once, with its blanks. The name of an n-gram of characters
/// begins with '~', so that "~cat", a part of a word, is not the word "cat".
///
/// Terms are the features, in ascending order of their bytes, which is that of their code points.
struct TextOptions {
  Index min_words = 1;  ///< of an n-gram of words, in [1, 100]
  Index max_words = 2;  ///< at least min_words, at most 100; 0: no n-grams of words
  /// Of an n-gram of characters, in [1, 100]. Both are 0: none.
  Index min_characters = 0;
  Index max_characters = 0;
  /// A feature occurs in at least so many texts of the training data; >= 1.
  Index min_documents = 2;
  double max_document_share = 1;  ///< and in at most this share of them, in (0, 1]
  /// Keeps the terms that occur in the most texts, and of equals the first; >= 1.
  Index max_terms = 200'000;
  /// In [1, 30]: there is no vocabulary, and feature i counts the terms whose 64-bit XXH3 is i
  /// modulo 2^hash_bits. 0: a vocabulary.
  int hash_bits = 0;
  bool sublinear = true;  ///< a term that occurs c > 0 times counts 1 + ln c; false: c

  bool operator==(const TextOptions&) const = default;
};

/// The terms of a text as often as they occur, in no particular order. Throws UsageError if an
/// option is out of range, and InputError for a text of more than 1 GiB.
std::vector<std::string> terms_of_text(std::string_view text, const TextOptions& options = {});

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
  Index odd = 0;  ///< cells of a number or a date that are none, which count as missing
  /// Different values of a category, otherwise texts; up to 65,536, which stands for more.
  Index distinct = 0;
};

/// A table as its reader understands it.
struct TableSummary {
  Index rows = 0;
  std::vector<ColumnSummary> columns = {};
  std::string separator = {};                             ///< of tags
  std::vector<std::vector<std::string>> first_rows = {};  ///< their cells, cut if they are long
};

}  // namespace mugrad
