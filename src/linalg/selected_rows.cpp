// SPDX-License-Identifier: MIT
#include "linalg/selected_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace mugrad {
namespace {

/// Several sums in parallel, so that no addition waits for the previous one.
template <class Term>
double sum_of(std::size_t terms, const Term& term) noexcept {
  constexpr std::size_t kSums = 4;
  std::array<double, kSums> sums{};
  std::size_t k = 0;
  for (; k + kSums <= terms; k += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += term(k + j);
  }
  for (; k < terms; ++k) sums[0] += term(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

SelectedRows::SelectedRows(const Design<double>& design) : design_(design) {
  const auto features = as_size(design.cols() - 1);
  if (design.is_sparse()) {
    position_.assign(features, -1);
  } else {
    features_.resize(features);
    std::iota(features_.begin(), features_.end(), FeatureId{0});
  }
}

void SelectedRows::select(std::span<const std::int32_t> rows,
                          std::span<const std::int32_t> more_rows) {
  if (design_.is_sparse()) {
    for (const FeatureId feature : features_) position_[as_size(feature)] = -1;
    features_.clear();
  }
  rows_ = std::ssize(rows) + std::ssize(more_rows);
  row_start_.assign(1, 0);
  column_.clear();
  value_.clear();
  for (const auto list : {rows, more_rows}) {
    for (const std::int32_t row : list) {
      design_.is_sparse() ? add_sparse_row(row) : add_dense_row(row);
      row_start_.push_back(std::ssize(value_));
    }
  }
}

void SelectedRows::add_dense_row(Index row) {
  const auto values = design_.dense().row(row).subspan(1);
  value_.insert(value_.end(), values.begin(), values.end());
}

void SelectedRows::add_sparse_row(Index row) {
  const auto columns = design_.sparse().row_columns(row);
  const auto values = design_.sparse().row_values(row);
  value_.insert(value_.end(), values.begin(), values.end());
  for (const std::int32_t feature : columns) {
    auto& position = position_[as_size(feature)];
    if (position < 0) {
      position = static_cast<std::int32_t>(features_.size());
      features_.push_back(feature);
    }
    column_.push_back(position);
  }
}

/// Calls fn(row, its values, its columns); the columns are null if all are stored.
template <class Function>
void SelectedRows::for_each_row(const Function& fn) const {
  const bool is_sparse = design_.is_sparse();
  for (std::size_t i = 0; i < as_size(rows_); ++i) {
    const Index begin = row_start_[i];
    const auto size = as_size(row_start_[i + 1] - begin);
    fn(i, std::span<const double>(value_.data() + begin, size),
       is_sparse ? column_.data() + begin : nullptr);
  }
}

void SelectedRows::multiply(std::span<const double> v, std::span<double> out) const noexcept {
  assert(std::ssize(v) == cols() && std::ssize(out) == rows_);
  for_each_row([&](std::size_t i, std::span<const double> values, const std::int32_t* columns) {
    out[i] = columns == nullptr
                 ? sum_of(values.size(), [&](std::size_t k) { return values[k] * v[k]; })
                 : sum_of(values.size(),
                          [&](std::size_t k) { return values[k] * v[as_size(columns[k])]; });
  });
}

/// out = the sums of term(v of the row, entry) over the entries of each column.
template <class Term>
void SelectedRows::sum_columns(std::span<const double> v, std::span<double> out,
                               const Term& term) const noexcept {
  assert(std::ssize(v) == rows_ && std::ssize(out) == cols());
  std::ranges::fill(out, 0.0);
  for_each_row([&](std::size_t i, std::span<const double> values, const std::int32_t* columns) {
    const double times = v[i];
    for (std::size_t k = 0; k < values.size(); ++k) {
      out[columns == nullptr ? k : as_size(columns[k])] += term(times, values[k]);
    }
  });
}

void SelectedRows::multiply_transposed(std::span<const double> v,
                                       std::span<double> out) const noexcept {
  sum_columns(v, out, [](double times, double value) { return times * value; });
}

void SelectedRows::multiply_squares(std::span<const double> v,
                                    std::span<double> out) const noexcept {
  sum_columns(v, out, [](double times, double value) { return times * value * value; });
}

}  // namespace mugrad
