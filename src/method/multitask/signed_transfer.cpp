// SPDX-License-Identifier: MIT
#include "method/multitask/signed_transfer.h"

#include "linalg/dense/blas.h"

#include <algorithm>
#include <cassert>

namespace mugrad {

SignedTransfer::SignedTransfer(Matrix<double> c, Intercepts intercepts, ThreadPool& pool)
    : c_(std::move(c)), intercepts_(intercepts), pool_(pool) {
  assert(c_.rows() == c_.cols());
  bool symmetric = true;
  matrix_.cols = c_.cols();
  for (Index i = 0; i < c_.rows(); ++i) {
    for (Index j = 0; j < c_.cols(); ++j) {
      symmetric = symmetric && c_(i, j) == c_(j, i);
      if (c_(i, j) == 0) continue;
      matrix_.column.push_back(static_cast<LabelId>(j));
      matrix_.value.push_back(c_(i, j));
    }
    matrix_.end_row();
  }
  if (symmetric) reversing_weights_.assign(as_size(c_.rows()), 1.0);
}

void SignedTransfer::apply(const Matrix<double>& weights, Matrix<double>& borrowed) {
  constexpr Index kRowsPerItem = 128;
  const Index first = intercepts_ == Intercepts::own ? 1 : 0;
  if (first == 1) std::ranges::copy(weights.row(0), borrowed.row(0).begin());
  const Index rows = weights.rows() - first;
  const Index t = tasks();
  pool_.run((rows + kRowsPerItem - 1) / kRowsPerItem, [&](Index item) {
    const Index begin = first + item * kRowsPerItem;
    const Index end = std::min(begin + kRowsPerItem, weights.rows());
    blas::multiply<double>(end - begin, t, t, {weights.data() + begin * t, t}, {c_.data(), t, true},
                           0, borrowed.data() + begin * t, t);
  });
}

}  // namespace mugrad
