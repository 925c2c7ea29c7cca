// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/kernels.h"
#include "linalg/row_factors.h"

#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>

#include <array>
#include <span>
#include <vector>

namespace mugrad {

/// fn(column, value) for the entries of a row as the transform makes them, but for its shift where
/// they are sparse. `of_row` is scratch memory.
template <class Function>
void for_each_transformed(const Features& x, Index row, const FeatureTransform& transform,
                          RowFactors<double>& of_row, const Function& fn) {
  const bool has_shift = !transform.shift.empty() && !x.is_sparse();
  for_each_with_factor(transform, x, row, of_row,
                       [&](std::size_t k, double value, double row_factor) {
                         const double shift = has_shift ? transform.shift[k] : 0;
                         const double factor = transform.factor.empty() ? 1 : transform.factor[k];
                         fn(static_cast<FeatureId>(k), (value * row_factor - shift) * factor);
                       });
}

/// Transformed rows, where only distances matter. Sparse rows stay sparse: the shift, which is the
/// same for all rows, is not applied but available as shift().
class ScaledRows {
 public:
  /// `x` must outlive this.
  ScaledRows(const Features& x, const FeatureTransform& transform);

  Index count() const noexcept { return std::ssize(squared_length_); }
  Index features() const noexcept { return features_; }
  /// To be subtracted from each feature of a row; empty: nothing.
  std::span<const double> shift() const noexcept { return shift_; }
  double squared_length(Index row) const noexcept { return squared_length_[as_size(row)]; }
  /// One row, in the form that kernels take.
  SparseRows<double> row(Index row) const noexcept {
    if (!row_start_.empty()) {
      return {1, row_start_.data() + row, column_, value_.data()};
    }
    return {1, whole_row_.data(), every_feature_.data(), value_.data() + row * features_};
  }
  /// Calls fn(column, value) for the entries of a row, ascending.
  template <class Function>
  void for_each_in_row(Index of, const Function& fn) const {
    const auto entries = row(of);
    for (Index k = entries.start[0]; k < entries.start[1]; ++k) {
      fn(as_index(entries.column[k]), entries.value[k]);
    }
  }

 private:
  Index features_;
  std::vector<Index> row_start_;          ///< of sparse rows, counted from 0; empty: dense
  const std::int32_t* column_ = nullptr;  ///< of sparse rows
  std::vector<double> value_;             ///< in the order of x
  std::vector<double> shift_;
  std::vector<double> squared_length_;
  std::array<Index, 2> whole_row_;
  std::vector<std::int32_t> every_feature_;  ///< of a dense row
};

/// The transformed features as a dense matrix, one row per example.
Matrix<double> transformed_rows(const Features& x, const FeatureTransform& transform);
/// The same, with entries rounded to single precision, as models store them.
Matrix<double> dense_rows(const Features& x, const FeatureTransform& transform);

/// The squared length of each row.
std::vector<double> squared_lengths(const Matrix<double>& rows);

}  // namespace mugrad
