// SPDX-License-Identifier: MIT
#include "method/signed_transfer.h"

#include "linalg/blas.h"

#include <algorithm>
#include <cassert>

namespace mugrad {

SignedTransfer::SignedTransfer(Matrix<double> c, Intercepts intercepts, ThreadPool& pool)
    : c_(std::move(c)), intercepts_(intercepts), pool_(pool) {
  assert(c_.rows() == c_.cols());
}

void SignedTransfer::pull(const Matrix<double>& weights, Matrix<double>& pulled) {
  constexpr Index kRowsPerItem = 128;
  const Index first = intercepts_ == Intercepts::own ? 1 : 0;
  if (first == 1) std::ranges::copy(weights.row(0), pulled.row(0).begin());
  const Index rows = weights.rows() - first;
  const Index t = tasks();
  pool_.run((rows + kRowsPerItem - 1) / kRowsPerItem, [&](Index item) {
    const Index begin = first + item * kRowsPerItem;
    const Index end = std::min(begin + kRowsPerItem, weights.rows());
    blas::multiply<double>(end - begin, t, t, {weights.data() + begin * t, t}, {c_.data(), t, true},
                           0, pulled.data() + begin * t, t);
  });
}

}  // namespace mugrad
