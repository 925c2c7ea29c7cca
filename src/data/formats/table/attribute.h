// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

enum class AttributeType {
  numeric,
  nominal,      ///< one of the declared values
  text,         ///< any text; treated as a nominal with the values that occur
  unsupported,  ///< date or relational; can only be dropped
};

/// A column of an ARFF or CSV file.
struct Attribute {
  std::string name;
  AttributeType type = AttributeType::numeric;
  std::vector<std::string> values = {};  ///< of a nominal, in declared order
  std::string type_name = {};            ///< of an unsupported one, for messages
  const char* at = nullptr;              ///< position of its declaration
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

std::vector<std::string> names_of(const std::vector<Attribute>& attributes);

/// 0 and 1, NO and YES, FALSE and TRUE, ignoring case; empty for any other text.
std::optional<bool> truth_of(std::string_view text) noexcept;

/// Whether all values belong to one pair of truth_of, so that one 0/1 column suffices.
bool is_two_valued(const std::vector<std::string>& values) noexcept;

}  // namespace mugrad::formats
