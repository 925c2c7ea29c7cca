// SPDX-License-Identifier: MIT
#include "linalg/scaled_rows.h"

#include <numeric>

namespace mugrad {

ScaledRows::ScaledRows(const Features& x, const FeatureTransform& transform)
    : features_(x.cols()), whole_row_{0, x.cols()} {
  value_.reserve(as_size(x.stored()));
  squared_length_.reserve(as_size(x.rows()));
  RowFactors<double> of_row;
  for (Index row = 0; row < x.rows(); ++row) {
    double sum = 0;
    for_each_transformed(x, row, transform, of_row, [&](FeatureId, double value) {
      value_.push_back(value);
      sum += value * value;
    });
    squared_length_.push_back(sum);
  }
  if (x.is_sparse()) {
    const CsrPattern pattern = x.pattern();
    const Index first = pattern.first();
    column_ = pattern.column + first;
    row_start_.push_back(0);
    for (Index row = 1; row <= x.rows(); ++row) {
      row_start_.push_back(pattern.row_start[row] - first);
    }
    for (std::size_t k = 0; k < transform.shift.size(); ++k) {
      shift_.push_back(transform.shift[k] * (transform.factor.empty() ? 1 : transform.factor[k]));
    }
  } else {
    every_feature_.resize(as_size(features_));
    std::iota(every_feature_.begin(), every_feature_.end(), 0);
  }
}

Matrix<double> transformed_rows(const Features& x, const FeatureTransform& transform) {
  Matrix<double> rows(x.rows(), x.cols());
  RowFactors<double> of_row;
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row = rows.row(i);
    for_each_with_factor(
        transform, x, i, of_row,
        [&](std::size_t k, double value, double row_factor) { row[k] = value * row_factor; });
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double shift = transform.shift.empty() ? 0 : transform.shift[k];
      const double factor = transform.factor.empty() ? 1 : transform.factor[k];
      row[k] = (row[k] - shift) * factor;
    }
  }
  return rows;
}

Matrix<double> dense_rows(const Features& x, const FeatureTransform& transform) {
  Matrix<double> rows = transformed_rows(x, transform);
  for (double& value : rows.values()) value = static_cast<float>(value);
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
