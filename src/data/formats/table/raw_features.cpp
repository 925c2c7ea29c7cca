// SPDX-License-Identifier: MIT
#include "data/formats/table/raw_features.h"

#include <algorithm>
#include <utility>

namespace mugrad::formats {

void RawFeatures::add_row(std::span<const double> values) {
  if (!is_sparse_) {
    dense_.insert(dense_.end(), values.begin(), values.end());
    ++rows_;
    return;
  }
  for (std::size_t k = 0; k < values.size(); ++k) add_entry(static_cast<FeatureId>(k), values[k]);
  end_sparse_row();
}

void RawFeatures::make_sparse() {
  is_sparse_ = true;
  const auto width = as_size(width_);
  const std::span<const double> all(dense_);
  const auto rows = as_size(std::exchange(rows_, 0));
  for (std::size_t row = 0; row < rows; ++row) add_row(all.subspan(row * width, width));
  dense_ = std::vector<double>();  // {} would keep the memory
}

Features RawFeatures::take() && {
  if (is_sparse_) return std::move(sparse_);
  Matrix<double> matrix(rows_, width_);
  std::ranges::copy(dense_, matrix.values().begin());
  return matrix;
}

}  // namespace mugrad::formats
