// SPDX-License-Identifier: MIT
#include "linalg/dense_rows.h"

#include <numeric>

namespace mugrad {

Matrix<double> dense_rows(const Features& x, const FeatureTransform& transform) {
  Matrix<double> rows(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row = rows.row(i);
    const double row_factor = transform.unit_rows ? unit_row_factor(x, i) : 1;
    x.for_each_in_row(i, [&](FeatureId k, double value) {
      row[static_cast<std::size_t>(k)] = value * row_factor;
    });
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double shift = transform.shift.empty() ? 0 : transform.shift[k];
      const double factor = transform.factor.empty() ? 1 : transform.factor[k];
      row[k] = static_cast<float>((row[k] - shift) * factor);
    }
  }
  return rows;
}

std::vector<double> squared_lengths(const Matrix<double>& rows) {
  std::vector<double> lengths;
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto row = rows.row(i);
    lengths.push_back(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
  }
  return lengths;
}

}  // namespace mugrad
