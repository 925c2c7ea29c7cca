// SPDX-License-Identifier: MIT
#include "linalg/nearest_rows.h"

#include "linalg/pass/kernels.h"
#include "linalg/scaled_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

namespace mugrad {
namespace {

constexpr Index kMostQueries = 8 * kLine<double>;
/// Rows that are multiplied before their products are looked at.
constexpr Index kRowsAtOnce = 64;

Index padded(Index queries) noexcept {
  return (queries + kLine<double> - 1) / kLine<double> * kLine<double>;
}

/// Of two rows at the same distance the one with the lower number is nearer.
bool is_nearer(const NearRow& a, const NearRow& b) noexcept {
  return a.closeness != b.closeness ? a.closeness > b.closeness : a.row < b.row;
}

/// Zeros.
void make_room(Index size, AlignedBuffer<double>& buffer) {
  if (buffer.size() < size) {
    buffer = AlignedBuffer<double>(size);
  } else {
    std::fill_n(buffer.data(), size, 0.0);
  }
}

/// If all rows have one length, or are zero, their lengths differ only by rounding. Without it, a
/// query of zeros is equally far from all of them.
void equalise_lengths(std::vector<double>& half_squared_length) {
  constexpr double kRounding = 0x1p-40;
  if (half_squared_length.empty()) return;
  const double common = std::ranges::max(half_squared_length);
  const auto is_common = [&](double half) {
    return half == 0 || common - half <= kRounding * common;
  };
  if (!std::ranges::all_of(half_squared_length, is_common)) return;
  for (double& half : half_squared_length) half = half == 0 ? 0 : common;
}

}  // namespace

void NearestQueries::begin(Index features, Index count, Index wanted) {
  count_ = count;
  wanted_ = wanted;
  width_ = padded(count);
  make_room(features * width_, panel_);
  make_room(width_, offset_);
  make_room(kRowsAtOnce * width_, products_);
  const auto queries = as_size(count);
  factor_.assign(queries, 1);
  found_.resize(queries * as_size(wanted));
  size_.assign(queries, 0);
  least_.assign(queries, -std::numeric_limits<double>::infinity());
}

/// Rows are offered in ascending order, so that one as close as the farthest is not worth a place.
void NearestQueries::offer(Index query, const NearRow& row) {
  const auto at = as_size(query);
  const auto begin = found_.begin() + query * wanted_;
  Index& size = size_[at];
  if (size == wanted_) {
    std::ranges::pop_heap(begin, begin + size, is_nearer);
    --size;
  }
  begin[size++] = row;
  std::ranges::push_heap(begin, begin + size, is_nearer);
  if (size == wanted_) least_[at] = begin->closeness;
}

NearestRows::NearestRows(const Features& rows) : rows_(rows) {
  half_squared_length_.reserve(as_size(rows.rows()));
  for (Index row = 0; row < rows.rows(); ++row) {
    double sum = 0;
    rows.for_each_in_row(row, [&](FeatureId, double value) { sum += value * value; });
    half_squared_length_.push_back(sum / 2);
  }
  equalise_lengths(half_squared_length_);
  if (rows.is_sparse()) return;
  every_feature_.resize(as_size(rows.cols()));
  std::iota(every_feature_.begin(), every_feature_.end(), 0);
}

Index NearestRows::queries_at_once(Index features) noexcept {
  constexpr Index kNumbers = 1 << 17;
  const Index lines = kNumbers / kLine<double> / std::max<Index>(1, features);
  return std::clamp(lines * kLine<double>, kLine<double>, kMostQueries);
}

double NearestRows::bytes(Index features, Index queries, Index wanted) noexcept {
  const auto width = static_cast<double>(padded(queries));
  const double numbers = width * static_cast<double>(features + kRowsAtOnce + 1);
  return numbers * sizeof(double) +
         static_cast<double>(queries) * static_cast<double>(wanted) * sizeof(NearRow);
}

void NearestRows::multiply(Index first, Index count, NearestQueries& queries) const noexcept {
  const Index width = queries.width_;
  const double* const panel = queries.panel_.data();
  const double* const offset = queries.offset_.data();
  double* const out = queries.products_.data();
  rows_.visit([&](const auto& x) {
    using View = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_same_v<View, CsrView<double>>) {
      multiply_rows({count, x.row_start + first, x.column, x.value}, panel, offset, width, out);
    } else if constexpr (std::is_same_v<View, DenseView<double>>) {
      const std::array<Index, 2> whole_row = {0, x.cols};
      for (Index i = 0; i < count; ++i) {
        const double* const values = x.row(first + i).data();
        multiply_rows({1, whole_row.data(), every_feature_.data(), values}, panel, offset, width,
                      out + i * width);
      }
    } else {
      assert(false);
    }
  });
}

void NearestRows::find(NearestQueries& queries, Progress* progress,
                       std::optional<Index> first_own) const {
  if (queries.wanted_ == 0) return;
  constexpr double kBetweenChecks = 1 << 22;
  const double per_row = static_cast<double>(rows_.stored() * queries.width_) /
                         static_cast<double>(std::max<Index>(1, count()));
  double work = 0;
  for (Index first = 0; first < count(); first += kRowsAtOnce) {
    const Index end = std::min(first + kRowsAtOnce, count());
    multiply(first, end - first, queries);
    const double* product = queries.products_.data();
    for (Index row = first; row < end; ++row, product += queries.width_) {
      const double half = half_squared_length_[as_size(row)];
      for (Index query = 0; query < queries.count_; ++query) {
        const auto at = as_size(query);
        const double closeness = product[query] - half * queries.factor_[at];
        if (closeness <= queries.least_[at] || (first_own && *first_own + query == row)) continue;
        queries.offer(query, {closeness, row});
      }
    }
    work += per_row * static_cast<double>(end - first);
    if (work < kBetweenChecks) continue;
    work = 0;
    advance(progress, 0);
  }
}

Features rows_for_distances(const Features& x, const FeatureTransform& transform) {
  RowFactors<double> of_row;
  if (!x.is_sparse()) {
    Matrix<double> rows(x.rows(), x.cols());
    for (Index row = 0; row < x.rows(); ++row) {
      for_each_transformed(x, row, transform, of_row,
                           [&](FeatureId column, double value) { rows(row, column) = value; });
    }
    return shared_features(std::move(rows));
  }
  CsrMatrix<double> rows{.cols = x.cols()};
  rows.row_start.reserve(as_size(x.rows()) + 1);
  rows.column.reserve(as_size(x.stored()));
  rows.value.reserve(as_size(x.stored()));
  for (Index row = 0; row < x.rows(); ++row) {
    for_each_transformed(x, row, transform, of_row, [&](FeatureId column, double value) {
      if (value == 0) return;
      rows.column.push_back(column);
      rows.value.push_back(value);
    });
    rows.end_row();
  }
  return shared_features(std::move(rows));
}

Features shared_features(Matrix<double> dense) {
  const auto held = std::make_shared<const Matrix<double>>(std::move(dense));
  return {DenseView<double>{held->rows(), held->cols(), held->data()}, held};
}

Features shared_features(CsrMatrix<double> sparse) {
  const auto held = std::make_shared<const CsrMatrix<double>>(std::move(sparse));
  return {CsrView<double>{held->rows(), held->cols, held->row_start.data(), held->column.data(),
                          held->value.data()},
          held};
}

}  // namespace mugrad
