// SPDX-License-Identifier: MIT
#include "linalg/row_blocks.h"

#include <algorithm>
#include <utility>

namespace mugrad {

template <class Real>
RowBlocks<Real>::RowBlocks(const CsrMatrix<Real>& x, Index rows_per_block)
    : rows_per_block_(rows_per_block), row_(x.column.size()), value_(x.value.size()) {
  std::vector<Index> place(static_cast<std::size_t>(x.cols), 0);
  for (Index begin = 0; begin < x.rows(); begin += rows_per_block) {
    append(x, begin, std::min(begin + rows_per_block, x.rows()), place);
  }
  start_.push_back(x.nonzeros());
}

/// `place` is zero for every column, before and after.
template <class Real>
void RowBlocks<Real>::append(const CsrMatrix<Real>& x, Index begin, Index end,
                             std::vector<Index>& place) {
  const auto first_name = static_cast<std::ptrdiff_t>(name_.size());
  for (Index row = begin; row < end; ++row) {
    for (const auto column : x.row_columns(row)) {
      if (place[static_cast<std::size_t>(column)]++ == 0) name_.push_back(column);
    }
  }
  std::sort(name_.begin() + first_name, name_.end());
  Index next = x.row_start[static_cast<std::size_t>(begin)];
  for (auto name = name_.begin() + first_name; name != name_.end(); ++name) {
    start_.push_back(next);
    next += std::exchange(place[static_cast<std::size_t>(*name)], next);
  }
  for (Index row = begin; row < end; ++row) {
    const auto columns = x.row_columns(row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto to = static_cast<std::size_t>(place[static_cast<std::size_t>(columns[k])]++);
      row_[to] = static_cast<std::int32_t>(row - begin);
      value_[to] = x.row_values(row)[k];
    }
  }
  for (auto name = name_.begin() + first_name; name != name_.end(); ++name) {
    place[static_cast<std::size_t>(*name)] = 0;
  }
  first_.push_back(std::ssize(name_));
}

template <class Real>
SparseRows<Real> RowBlocks<Real>::columns(Index block) const noexcept {
  const Index first = first_[static_cast<std::size_t>(block)];
  return {.count = first_[static_cast<std::size_t>(block) + 1] - first,
          .start = start_.data() + first,
          .column = row_.data(),
          .value = value_.data()};
}

template class RowBlocks<float>;
template class RowBlocks<double>;

}  // namespace mugrad
