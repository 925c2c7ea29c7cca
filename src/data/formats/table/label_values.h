// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

namespace mugrad::formats {

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
