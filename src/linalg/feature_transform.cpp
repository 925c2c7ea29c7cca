// SPDX-License-Identifier: MIT
#include <mugrad/linalg/feature_transform.h>

#include <cmath>

namespace mugrad {

double unit_row_factor(const Features& x, Index row) {
  // Scaled by the largest entry, so that squares neither overflow nor vanish.
  double largest = 0;
  x.for_each_in_row(
      row, [&](FeatureId, double value) { largest = std::fmax(largest, std::fabs(value)); });
  if (largest == 0) return 1;
  double squares = 0;
  x.for_each_in_row(row, [&](FeatureId, double value) {
    const double scaled = value / largest;
    squares += scaled * scaled;
  });
  const double length = largest * std::sqrt(squares);
  return std::isfinite(length) ? 1 / length : 1 / largest / std::sqrt(squares);
}

}  // namespace mugrad
