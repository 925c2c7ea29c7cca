// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::formats {

/// Names for the columns of a file that requires them: features, then labels; generated (f0, f1,
/// ... and l0, l1, ...) if the data set has none.
struct ColumnNames {
  std::vector<std::string> features;
  std::vector<std::string> labels;
};

/// Throws InputError if two columns have the same name, if a name is empty or has bytes that do not
/// occur in text, or if there are no columns.
ColumnNames column_names(const Dataset& data);

/// Whether a line of these names would be read as numbers; whole numbers alone may be names.
bool are_measurements(std::span<const std::string_view> names);

/// Throws InputError if a feature is infinite, or, unless `may_be_missing`, if a feature is missing
/// or a label is unknown.
void check_values(const Dataset& data, bool may_be_missing, std::string_view format);

enum class LabelValue { zero, one, unknown };

/// Calls fn(value) for every label of an example, in order.
template <class Function>
void for_each_label(const Dataset& data, Index row, Function&& fn) {
  const auto positives = data.y.row(row);
  const auto unknown = data.unknown_of(row);
  auto next_positive = positives.begin();
  auto next_unknown = unknown.begin();
  for (LabelId label = 0; label < data.labels(); ++label) {
    if (next_positive != positives.end() && *next_positive == label) {
      ++next_positive;
      fn(LabelValue::one);
    } else if (next_unknown != unknown.end() && *next_unknown == label) {
      ++next_unknown;
      fn(LabelValue::unknown);
    } else {
      fn(LabelValue::zero);
    }
  }
}

}  // namespace mugrad::formats
