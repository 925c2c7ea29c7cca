// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/attribute.h"

namespace mugrad::formats {

struct ArffHeader {
  TableHeader table;
  const char* data = nullptr;  ///< start of the line after @data
};

/// Reads up to and including @data. Throws InputError.
ArffHeader read_arff_header(const SourceText& source);

/// A relation's name and, if it contains MEKA's options, the label count of -C. Filters of Weka
/// append their own names.
struct RelationName {
  std::string name;
  std::optional<Index> label_count = {};
  bool was_filtered = false;
};
RelationName parse_relation(std::string_view text);

}  // namespace mugrad::formats
