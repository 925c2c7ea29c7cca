// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/parallel/thread_pool.h>
#include <mugrad/transfer/transfer.h>

namespace mugrad {

/// pull = W C' for any T x T matrix C: entries may be negative, rows need not sum to one. As long
/// as no row's magnitudes sum to more than one, all that is proven of the iteration holds; beyond,
/// the caller answers for the step.
class SignedTransfer final : public Transfer<double> {
 public:
  SignedTransfer(Matrix<double> c, Intercepts intercepts, ThreadPool& pool);

  Index tasks() const override { return c_.rows(); }
  void pull(const Matrix<double>& weights, Matrix<double>& pulled) override;
  const CsrMatrix<double>* matrix() const override { return &matrix_; }
  std::span<const double> reversing_weights() const override { return reversing_weights_; }
  Intercepts intercepts() const override { return intercepts_; }

 private:
  Matrix<double> c_;
  CsrMatrix<double> matrix_;               ///< the same
  std::vector<double> reversing_weights_;  ///< ones when it is symmetric
  Intercepts intercepts_;
  ThreadPool& pool_;
};

}  // namespace mugrad
