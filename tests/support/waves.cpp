// SPDX-License-Identifier: MIT
#include "support/waves.h"

#include <cmath>

namespace mugrad::testing {

Dataset waves() {
  constexpr Index kRows = 40;
  Matrix<double> x(kRows, 3);
  BinaryMatrix y{.cols = 3, .row_start = {0}, .column = {}};
  for (Index i = 0; i < kRows; ++i) {
    const auto row = static_cast<double>(i);
    for (Index j = 0; j < 3; ++j) {
      x(i, j) = std::sin(0.9 * row * static_cast<double>(j + 1) + static_cast<double>(j));
    }
    const bool first = x(i, 0) + 0.5 * x(i, 1) + 0.6 * std::sin(7 * row) > 0;
    const bool second = x(i, 1) - x(i, 2) + (first ? 0.9 : -0.6) + 0.5 * std::cos(5 * row) > 0;
    const bool third = x(i, 2) + (first != second ? 0.8 : -0.8) + 0.5 * std::sin(3 * row) > 0;
    if (first) y.column.push_back(0);
    if (second) y.column.push_back(1);
    if (third) y.column.push_back(2);
    y.end_row();
  }
  return {.name = "waves", .x = std::move(x), .y = std::move(y)};
}

}  // namespace mugrad::testing
