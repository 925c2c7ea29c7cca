// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// Computes W C' for any T x T matrix C: entries may be negative, and rows need not sum to one. The
/// proven properties of the iteration hold if no row has absolute values that sum to more than one;
/// otherwise the caller must ensure a safe step.
class SignedTransfer final : public Transfer<double> {
 public:
  SignedTransfer(Matrix<double> c, Intercepts intercepts, ThreadPool& pool);

  Index tasks() const override { return c_.rows(); }
  void apply(const Matrix<double>& weights, Matrix<double>& borrowed) override;
  const CsrMatrix<double>* matrix() const override { return &matrix_; }
  std::span<const double> reversing_weights() const override { return reversing_weights_; }
  Intercepts intercepts() const override { return intercepts_; }

 private:
  Matrix<double> c_;
  CsrMatrix<double> matrix_;               ///< c_ as a sparse matrix
  std::vector<double> reversing_weights_;  ///< ones if it is symmetric
  Intercepts intercepts_;
  ThreadPool& pool_;
};

}  // namespace mugrad
