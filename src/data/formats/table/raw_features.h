// SPDX-License-Identifier: MIT
#pragma once

#include "core/growing_memory.h"

#include <mugrad/linalg/features.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace mugrad::formats {

/// Feature attributes before encoding: a number, the code of a nominal value, or NaN if the value
/// is missing. Starts dense, and becomes permanently sparse with the first sparse row. Entries that
/// are not stored are 0: the number, or the code of the first value.
class RawFeatures {
 public:
  explicit RawFeatures(Index width = 0) : width_(width) { sparse_.cols = width; }

  Index rows() const noexcept { return rows_; }
  Index width() const noexcept { return width_; }
  bool is_sparse() const noexcept { return is_sparse_; }

  /// Requires: width() values.
  void add_row(std::span<const double> values);

  /// One entry of a sparse row, by ascending position.
  void add_entry(FeatureId position, double value) {
    if (value == 0) return;
    sparse_.column.push_back(position);
    sparse_.value.push_back(value);
  }
  /// Closes the sparse row. Requires: start_sparse_row() was called before its entries.
  void end_sparse_row() {
    sparse_.end_row();
    ++rows_;
  }
  void start_sparse_row() {
    if (!is_sparse_) make_sparse();
  }

  /// Reserves memory for this many rows, if they are dense.
  void expect_rows(Index count) {
    if (!is_sparse_) dense_.reserve(as_size(count * width_));
  }
  /// Reserves memory for this many entries of sparse rows.
  void expect_entries(Index count) {
    sparse_.column.reserve(as_size(count));
    sparse_.value.reserve(as_size(count));
  }

  /// Calls fn(position, value) for the stored entries of a row, ascending.
  template <class Function>
  void for_each_in_row(Index row, Function&& fn) const {
    for_each_in_row(row, 0, static_cast<FeatureId>(width_), std::forward<Function>(fn));
  }
  /// The same for the positions from `begin` to `end` - 1.
  template <class Function>
  void for_each_in_row(Index row, FeatureId begin, FeatureId end, Function&& fn) const {
    if (is_sparse_) {
      const auto positions = sparse_.row_columns(row);
      const auto values = sparse_.row_values(row);
      auto k = begin == 0 ? std::size_t{0}
                          : as_size(std::ranges::lower_bound(positions, begin) - positions.begin());
      for (; k < positions.size() && positions[k] < end; ++k) fn(positions[k], values[k]);
    } else {
      const double* values = dense_.data() + row * width_;
      for (FeatureId k = begin; k < end; ++k) fn(k, values[k]);
    }
  }

  double bytes() const noexcept {
    return bytes_of(dense_) + bytes_of(sparse_.row_start) + bytes_of(sparse_.column) +
           bytes_of(sparse_.value);
  }
  /// As bytes_to_grow() of vectors, for all rows.
  double bytes_to_grow() const noexcept {
    return mugrad::bytes_to_grow(dense_) + mugrad::bytes_to_grow(sparse_.row_start) +
           mugrad::bytes_to_grow(sparse_.column) + mugrad::bytes_to_grow(sparse_.value);
  }

  /// The features without encoding.
  Features take() &&;

 private:
  void make_sparse();

  Index width_;
  Index rows_ = 0;
  bool is_sparse_ = false;
  std::vector<double> dense_;  ///< row by row
  CsrMatrix<double> sparse_;
};

}  // namespace mugrad::formats
