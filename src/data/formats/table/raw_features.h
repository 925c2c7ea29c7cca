// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>

#include <span>
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

  /// Reserves memory for this many entries of sparse rows.
  void expect_entries(Index count) {
    sparse_.column.reserve(as_size(count));
    sparse_.value.reserve(as_size(count));
  }

  /// Calls fn(position, value) for the stored entries of a row, ascending.
  template <class Function>
  void for_each_in_row(Index row, Function&& fn) const {
    if (is_sparse_) {
      const auto positions = sparse_.row_columns(row);
      const auto values = sparse_.row_values(row);
      for (std::size_t k = 0; k < positions.size(); ++k) fn(positions[k], values[k]);
    } else {
      const double* values = dense_.data() + row * width_;
      for (Index k = 0; k < width_; ++k) fn(static_cast<FeatureId>(k), values[k]);
    }
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
