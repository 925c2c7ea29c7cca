// SPDX-License-Identifier: MIT
#include "linalg/scaled_rows.h"

#include <numeric>

namespace mugrad {

ScaledRows::ScaledRows(const Features& x, const FeatureTransform& transform)
    : features_(x.cols()), whole_row_{0, x.cols()} {
  const auto factor = [&](std::size_t k) {
    return transform.factor.empty() ? 1 : transform.factor[k];
  };
  const auto shift = [&](std::size_t k) {
    return transform.shift.empty() || x.is_sparse() ? 0 : transform.shift[k];
  };
  value_.reserve(static_cast<std::size_t>(x.stored()));
  squared_length_.reserve(static_cast<std::size_t>(x.rows()));
  for (Index row = 0; row < x.rows(); ++row) {
    const double row_factor = transform.unit_rows ? unit_row_factor(x, row) : 1;
    double sum = 0;
    x.for_each_in_row(row, [&](FeatureId column, double raw) {
      const auto k = static_cast<std::size_t>(column);
      const double value = (raw * row_factor - shift(k)) * factor(k);
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
      shift_.push_back(transform.shift[k] * factor(k));
    }
  } else {
    every_feature_.resize(static_cast<std::size_t>(features_));
    std::iota(every_feature_.begin(), every_feature_.end(), 0);
  }
}

}  // namespace mugrad
