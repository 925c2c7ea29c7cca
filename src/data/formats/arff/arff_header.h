// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/source_text.h"
#include "data/formats/table/attribute.h"

namespace mugrad::formats {

struct ArffHeader {
  TableHeader table;
  const char* data = nullptr;  ///< where the line after @data starts
};

/// Reads up to and including @data. Throws InputError.
ArffHeader read_arff_header(const SourceText& source);

/// A relation's name and, where it carries MEKA's options, the label count of -C; Weka's filters
/// append their own names.
struct Relation {
  std::string name;
  std::optional<Index> label_count = {};
  bool was_filtered = false;
};
Relation parse_relation(std::string_view text);

}  // namespace mugrad::formats
