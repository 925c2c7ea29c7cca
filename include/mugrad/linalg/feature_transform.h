// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

#include <vector>

namespace mugrad {

/// How raw features become those a linear task sees: (x - shift) * factor, after dividing the row
/// by its length where unit_rows says so.
struct FeatureTransform {
  bool unit_rows = false;
  std::vector<double> shift = {};   ///< one per feature, or empty: 0
  std::vector<double> factor = {};  ///< one per feature, or empty: 1
};

/// What a row is multiplied by to have length one; 1 for a zero row.
double unit_row_factor(const Features& x, Index row);

}  // namespace mugrad
