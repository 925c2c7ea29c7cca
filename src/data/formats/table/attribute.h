// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

class SourceText;

enum class AttributeType {
  open,  ///< not known before its cells are surveyed
  numeric,
  nominal,   ///< one of the declared values
  category,  ///< a nominal with the values that occur
  text,      ///< words
  date,
  identifier,   ///< names the row
  tags,         ///< the labels of the row
  unsupported,  ///< in ARFF: relational, or a date in a form that is not read
};

/// A column of a table.
struct Attribute {
  std::string name;
  AttributeType type = AttributeType::numeric;
  std::vector<std::string> values = {};  ///< of a nominal, in declared order
  std::string type_name = {};            ///< of an unsupported one, for messages
  const char* at = nullptr;              ///< position of its declaration
  /// Words such as NA mean that a value is missing, and so does any text in a column of numbers.
  /// False: the file declares the type.
  bool is_lenient = false;
};

/// The columns of a table before its rows are read.
struct TableHeader {
  std::string name;  ///< of the data set
  std::vector<Attribute> attributes;
  /// Labels declared by the file itself (MEKA's -C): the first n, or the last -n.
  std::optional<Index> label_count = {};
  /// Whether a Weka filter has changed the attributes: the count may be wrong.
  bool was_filtered = false;
  bool has_latin1 = false;  ///< whether some text was not UTF-8

  /// A text of the file as UTF-8; converted from Latin-1 if it is not valid UTF-8.
  std::string as_utf8(std::string_view text);
};

/// Names are repeated in those of features, of which a column may become a million.
inline constexpr std::size_t kLongestName = 4096;

/// Throws InputError for a column's name of more than kLongestName bytes. `at` is where it is, or
/// null in a table that is no text.
void check_name_length(const SourceText& source, const char* at, std::string_view name);

std::vector<std::string> names_of(const std::vector<Attribute>& attributes);

/// 0 and 1, NO and YES, FALSE and TRUE, ignoring case; empty for any other text.
std::optional<bool> truth_of(std::string_view text) noexcept;

/// The same for a label, which may also be another number that is 0 or 1, such as 1.0.
std::optional<bool> label_of(std::string_view text) noexcept;

/// Whether the text means that a value is missing: empty, ?, -, NA, N/A, NaN, NULL or None,
/// ignoring case.
bool means_missing(std::string_view text) noexcept;

/// The days from 1970-01-01 to a date, with the share of the day if it has a time of ISO 8601:
/// 2026-11-18, 2026/11/18 22:45, 18.11.2026 or 2026-11-18T22:45:00+01:00. Empty for any other text.
std::optional<double> date_in(std::string_view text) noexcept;

/// Whether all values belong to one pair of truth_of, so that one 0/1 column suffices.
bool is_two_valued(const std::vector<std::string>& values) noexcept;

}  // namespace mugrad::formats
