// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/attribute.h"

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

/// Which attributes the options drop. Throws InputError for names that no attribute has.
std::vector<bool> find_dropped(const TableHeader& header, const std::filesystem::path& path,
                               const ReadOptions& options);

}  // namespace mugrad::formats
