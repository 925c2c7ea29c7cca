// SPDX-License-Identifier: MIT
#include "linalg/pass/row_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mugrad {

template <class Real>
RowBlocks<Real>::RowBlocks(const CsrMatrix<Real>& x, Index rows_per_block) {
  const auto entries = as_size(x.nonzeros() + x.rows());
  row_.resize(entries);
  value_.resize(entries);
  std::vector<Index> place(as_size(x.cols), 0);
  for (Index begin = 0; begin < x.rows(); begin += rows_per_block) {
    append(x, begin, std::min(begin + rows_per_block, x.rows()), place);
  }
  start_.push_back(std::ssize(row_));
}

template <class Real>
double RowBlocks<Real>::bytes(const DesignShape& shape, Index rows_per_block) noexcept {
  constexpr double kGrown = 1.5;  // spare capacity of appended vectors
  const auto features = static_cast<double>(shape.cols - 1);
  const auto blocks =
      std::ceil(static_cast<double>(shape.rows) / static_cast<double>(rows_per_block));
  // The number of columns in a block, if all were equally frequent.
  const double per_block = static_cast<double>(shape.stored) / std::max(1.0, blocks);
  const double there = features * -std::expm1(-per_block / std::max(1.0, features));
  return static_cast<double>(shape.stored + shape.rows) * (sizeof(std::int32_t) + sizeof(Real)) +
         kGrown * blocks * (there + 1) * (sizeof(std::int32_t) + sizeof(Index)) +
         features * sizeof(Index);
}

/// `place` is zero for every column, before and after.
template <class Real>
void RowBlocks<Real>::append(const CsrMatrix<Real>& x, Index begin, Index end,
                             std::vector<Index>& place) {
  // The entries of row i follow those of earlier rows and their ones.
  Index next = x.row_start[as_size(begin)] + begin;
  append_ones(next, end - begin);
  next += end - begin;
  const auto first_name = static_cast<std::ptrdiff_t>(name_.size());
  for (Index row = begin; row < end; ++row) {
    for (const auto column : x.row_columns(row)) {
      if (place[as_size(column)]++ == 0) name_.push_back(column + 1);
    }
  }
  std::sort(name_.begin() + first_name, name_.end());
  for (auto name = name_.begin() + first_name; name != name_.end(); ++name) {
    start_.push_back(next);
    next += std::exchange(place[as_size(*name - 1)], next);
  }
  for (Index row = begin; row < end; ++row) {
    const auto columns = x.row_columns(row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto to = as_size(place[as_size(columns[k])]++);
      row_[to] = static_cast<std::int32_t>(row - begin);
      value_[to] = x.row_values(row)[k];
    }
  }
  for (auto name = name_.begin() + first_name; name != name_.end(); ++name) {
    place[as_size(*name - 1)] = 0;
  }
  first_.push_back(std::ssize(name_));
}

template <class Real>
void RowBlocks<Real>::append_ones(Index at, Index rows) {
  name_.push_back(0);
  start_.push_back(at);
  std::iota(row_.begin() + at, row_.begin() + at + rows, 0);
  std::fill_n(value_.begin() + at, rows, Real{1});
}

template <class Real>
SparseRows<Real> RowBlocks<Real>::columns(Index block) const noexcept {
  const Index first = first_[as_size(block)];
  return {.count = first_[as_size(block) + 1] - first,
          .start = start_.data() + first,
          .column = row_.data(),
          .value = value_.data()};
}

template class RowBlocks<float>;
template class RowBlocks<double>;

}  // namespace mugrad
