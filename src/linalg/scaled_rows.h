// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/sparse_kernels.h"

#include <mugrad/linalg/feature_transform.h>
#include <mugrad/linalg/features.h>

#include <array>
#include <span>
#include <vector>

namespace mugrad {

/// Rows as a transform makes them, where only distances matter. Sparse rows stay sparse: they keep
/// what the shift would take from every row alike, and `shift` says what that is.
class ScaledRows {
 public:
  /// `x` must outlive this.
  ScaledRows(const Features& x, const FeatureTransform& transform);

  Index count() const noexcept { return std::ssize(squared_length_); }
  Index features() const noexcept { return features_; }
  /// What is left to be subtracted from each feature of a row; empty: nothing.
  std::span<const double> shift() const noexcept { return shift_; }
  double squared_length(Index row) const noexcept {
    return squared_length_[static_cast<std::size_t>(row)];
  }
  /// One row, as kernels take it.
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
      fn(static_cast<Index>(entries.column[k]), entries.value[k]);
    }
  }

 private:
  Index features_;
  std::vector<Index> row_start_;          ///< of sparse rows, counted from 0; empty: dense
  const std::int32_t* column_ = nullptr;  ///< of sparse rows
  std::vector<double> value_;             ///< as x stores them
  std::vector<double> shift_;
  std::vector<double> squared_length_;
  std::array<Index, 2> whole_row_;
  std::vector<std::int32_t> every_feature_;  ///< of a dense row
};

}  // namespace mugrad
