// SPDX-License-Identifier: MIT
#include "solver/krylov_space.h"

#include "linalg/pass/kernels.h"

#include <cassert>
#include <cmath>
#include <numeric>

namespace mugrad {

template <class Real>
KrylovSpace<Real>::KrylovSpace(Index rows, Index cols, Index most, ThreadPool& pool)
    : pool_(pool),
      parts_(rows, cols),
      part_sums_(parts_.count(), cols),
      column_sums_(as_size(cols)),
      triangle_(most, most + 1) {
  const auto room = as_size(most) + 1;
  for (auto* numbers : {&cosine_, &sine_, &right_, &factors_}) numbers->reserve(room);
  basis_.reserve(room);
  basis_.emplace_back(rows, cols);
}

template <class Real>
double KrylovSpace<Real>::dot(const Matrix<Real>& a, const Matrix<Real>& b) {
  parts_.for_each(pool_, [&](Index part, Index begin, Index end) {
    add_column_dots(a, b, begin, end, part_sums_.cleared(part));
  });
  part_sums_.add_up(parts_.count(), column_sums_);
  return std::accumulate(column_sums_.begin(), column_sums_.end(), 0.0);
}

/// Calls change(entry of from, entry of to) for all of them.
template <class Real>
template <class Change>
void KrylovSpace<Real>::change_entries(const Matrix<Real>& from, Matrix<Real>& to,
                                       const Change& change) const {
  parts_.for_each(pool_, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto a = from.row(k);
      const auto b = to.row(k);
      for (std::size_t t = 0; t < b.size(); ++t) change(a[t], b[t]);
    }
  });
}

template <class Real>
void KrylovSpace<Real>::add(Real factor, const Matrix<Real>& from, Matrix<Real>& to) const {
  change_entries(from, to, [factor](Real a, Real& b) { b += factor * a; });
}

template <class Real>
void KrylovSpace<Real>::scale_into(Real factor, const Matrix<Real>& from, Matrix<Real>& to) const {
  change_entries(from, to, [factor](Real a, Real& b) { b = factor * a; });
}

template <class Real>
void KrylovSpace<Real>::begin(const Matrix<Real>& b) {
  count_ = 0;
  cosine_.clear();
  sine_.clear();
  length_ = std::sqrt(dot(b, b));
  right_.assign(1, length_);
  exhausted_ = !(length_ > 0);
  if (!exhausted_) scale_into(static_cast<Real>(1 / length_), b, basis_[0]);
}

template <class Real>
void KrylovSpace<Real>::extend(Matrix<Real>& product) {
  assert(size() < triangle_.rows());
  const auto column = triangle_.row(size()).first(count_ + 2);
  for (std::size_t i = 0; i <= count_; ++i) {  // modified Gram-Schmidt
    column[i] = dot(basis_[i], product);
    add(static_cast<Real>(-column[i]), basis_[i], product);
  }
  const double left = std::sqrt(dot(product, product));
  column.back() = left;
  const double length =
      std::sqrt(std::inner_product(column.begin(), column.end(), column.begin(), 0.0));
  ++count_;
  rotate(column);
  if (basis_.size() <= count_) basis_.emplace_back(product.rows(), product.cols());
  exhausted_ = !(left > 1e-7 * length);
  if (!exhausted_) scale_into(static_cast<Real>(1 / left), product, basis_[count_]);
}

/// Transforms the newest column into one of an upper triangle by Givens rotations.
template <class Real>
void KrylovSpace<Real>::rotate(std::span<double> column) {
  for (std::size_t i = 0; i < cosine_.size(); ++i) {
    const double upper = cosine_[i] * column[i] + sine_[i] * column[i + 1];
    column[i + 1] = cosine_[i] * column[i + 1] - sine_[i] * column[i];
    column[i] = upper;
  }
  const std::size_t last = count_ - 1;
  const double radius = std::hypot(column[last], column[last + 1]);
  // A zero product adds nothing: the residual stays.
  cosine_.push_back(radius > 0 ? column[last] / radius : 0);
  sine_.push_back(radius > 0 ? column[last + 1] / radius : 1);
  column[last] = radius;
  right_.push_back(-sine_.back() * right_[last]);
  right_[last] *= cosine_.back();
}

template <class Real>
double KrylovSpace<Real>::relative_residual() const noexcept {
  return length_ > 0 ? std::fabs(right_[count_]) / length_ : 0;
}

template <class Real>
void KrylovSpace<Real>::solution(Matrix<Real>& x) {
  auto& y = factors_;
  y.assign(right_.begin(), right_.begin() + size());
  for (Index i = size(); i-- > 0;) {
    const auto at = as_size(i);
    for (Index j = i + 1; j < size(); ++j) {
      y[at] -= triangle_(j, i) * y[as_size(j)];
    }
    y[at] = triangle_(i, i) != 0 ? y[at] / triangle_(i, i) : 0;
  }
  scale_into(Real{0}, basis_[0], x);
  for (std::size_t i = 0; i < count_; ++i) add(static_cast<Real>(y[i]), basis_[i], x);
}

template class KrylovSpace<float>;
template class KrylovSpace<double>;

}  // namespace mugrad
