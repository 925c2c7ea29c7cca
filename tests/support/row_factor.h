// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/row_factors.h"

namespace mugrad::testing {

/// What an entry of a row is multiplied by besides the factor of its feature.
inline double row_factor(const FeatureTransform& transform, const Features& x, Index row,
                         Index column) {
  RowFactors<double> of_row;
  of_row.begin(transform, x, row);
  return of_row.of_part(PartOfColumn(transform.parts)(column));
}

}  // namespace mugrad::testing
