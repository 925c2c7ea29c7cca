// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>

namespace mugrad {

/// W M' for a T x T matrix M, stored in the form that multiplies fastest.
template <class Real>
class LabelProduct {
 public:
  explicit LabelProduct(const CsrMatrix<double>& matrix);

  /// The memory for a matrix with this many entries, in bytes.
  static double bytes(Index tasks, Index entries) noexcept;

  /// The number of scratch entries that multiply needs.
  Index scratch_size() const noexcept;
  /// Rows [begin, end) of product = W M'. Requires: scratch starts on a cache line.
  void multiply(const Matrix<Real>& weights, Index begin, Index end, Real* scratch,
                Matrix<Real>& product) const;

 private:
  void multiply_dense(const Matrix<Real>& weights, Index begin, Index end,
                      Matrix<Real>& product) const;
  void multiply_sparse(const Matrix<Real>& weights, Index begin, Index end, Real* scratch,
                       Matrix<Real>& product) const;

  Index tasks_;
  Matrix<Real> dense_;  ///< used if not empty
  CsrMatrix<Real> sparse_;
};

}  // namespace mugrad
