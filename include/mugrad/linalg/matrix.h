// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <cassert>
#include <initializer_list>
#include <iterator>
#include <span>
#include <stdexcept>
#include <vector>

namespace mugrad {

/// A dense matrix, row by row.
template <class Real>
class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols, Real fill = Real{0})
      : rows_(rows), cols_(cols), values_(as_size(rows * cols), fill) {
    assert(rows >= 0 && cols >= 0);
  }
  /// From its rows: Matrix<double>{{0.9, 0.1}, {0.2, 0.8}}. Throws std::invalid_argument for rows
  /// of different lengths.
  Matrix(std::initializer_list<std::initializer_list<Real>> rows)
      : rows_(std::ssize(rows)), cols_(rows.size() == 0 ? 0 : std::ssize(*rows.begin())) {
    for (const auto& row : rows) {
      if (std::ssize(row) != cols_) throw std::invalid_argument("rows differ in length");
      values_.insert(values_.end(), row.begin(), row.end());
    }
  }

  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return cols_; }
  Index size() const noexcept { return rows_ * cols_; }

  Real& operator()(Index row, Index col) noexcept { return values_[offset(row, col)]; }
  Real operator()(Index row, Index col) const noexcept { return values_[offset(row, col)]; }

  std::span<Real> row(Index row) noexcept { return {values_.data() + row * cols_, as_size(cols_)}; }
  std::span<const Real> row(Index row) const noexcept {
    return {values_.data() + row * cols_, as_size(cols_)};
  }
  std::span<Real> values() noexcept { return values_; }
  std::span<const Real> values() const noexcept { return values_; }
  Real* data() noexcept { return values_.data(); }
  const Real* data() const noexcept { return values_.data(); }

  /// Keeps the columns listed, in ascending order; allocates nothing.
  void keep_columns(std::span<const Index> kept) noexcept {
    auto to = values_.begin();
    for (Index i = 0; i < rows_; ++i) {
      for (const Index j : kept) *to++ = values_[offset(i, j)];
    }
    cols_ = std::ssize(kept);
    values_.resize(as_size(rows_ * cols_));
  }

  /// Changes the shape; the values are then unspecified. Allocates only if the capacity is too
  /// small.
  void resize(Index rows, Index cols) {
    assert(rows >= 0 && cols >= 0);
    rows_ = rows;
    cols_ = cols;
    values_.resize(as_size(rows * cols));
  }

  bool operator==(const Matrix&) const = default;

 private:
  std::size_t offset(Index row, Index col) const noexcept {
    assert(row >= 0 && row < rows_ && col >= 0 && col < cols_);
    return as_size(row * cols_ + col);
  }

  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<Real> values_;
};

}  // namespace mugrad
