// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/attribute.h"

#include <mugrad/core/option_text.h>
#include <mugrad/data/files.h>

#include <string>
#include <vector>

namespace mugrad::formats {

struct LabelColumns {
  std::vector<bool> is_label;  ///< one per attribute
  std::string from;            ///< the source, as in Dataset::labels_from
};

/// Which attributes are labels: by the options, else by the XML beside the file (ARFF only), else
/// by the header, unless its attributes were changed since. Throws InputError if none of these
/// decides, unless labels are optional, and for names that no attribute has.
LabelColumns find_labels(const TableHeader& header, const std::filesystem::path& path,
                         Format format, const ReadOptions& options);

/// The column of tags that a model was trained with, or null.
const EncodedColumn* tags_of(const TableEncoding& encoding);

/// Which attributes have these names, or names with these prefixes (`prefix*`), given as `option`.
/// Throws InputError for names that no attribute has.
std::vector<bool> find_named(const TableHeader& header, const std::filesystem::path& path,
                             const std::vector<std::string>& names, Option option);

/// The columns of a table before its rows are read.
struct TableColumns {
  TableHeader header;
  LabelColumns labels = {};
  std::vector<bool> dropped = {};  ///< one per attribute
  std::string separator = {};      ///< of tags; empty: JSON arrays
  /// A table that `mugrad predict` wrote as CSV: tags between semicolons, whatever they look like.
  bool are_predictions = false;
};

/// The columns of these attributes, with their labels, and the types that the options name. Throws
/// InputError as find_labels() does, and for names that no attribute has.
TableColumns find_columns(TableHeader header, const std::filesystem::path& path, Format format,
                          const ReadOptions& options);

}  // namespace mugrad::formats
