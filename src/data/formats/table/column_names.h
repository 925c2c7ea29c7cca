// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// Names for the columns of a file that must have them: the features' and then the labels', made
/// up (f0, f1, ... and l0, l1, ...) where the data set has none.
struct ColumnNames {
  std::vector<std::string> features;
  std::vector<std::string> labels;
};

/// Throws InputError where two columns would have the same name, a name is empty or has bytes
/// that no text has, or there are no columns.
ColumnNames column_names(const Dataset& data);

/// Whether a line of these names would be taken for one of numbers: whole ones alone may be names.
bool are_measurements(std::span<const std::string_view> names);

/// Throws InputError where a feature is infinite, or where a feature is missing or a label unknown
/// though `may_be_missing` is false.
void check_values(const Dataset& data, bool may_be_missing, std::string_view format);

}  // namespace mugrad::formats
