// SPDX-License-Identifier: MIT
#pragma once

#include "objective/quadratic_function.h"

#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// q(W) = 1/2 |A W - Y|^2 + 1/2 sum_k w_k' K w_k + 1/2 sum_kt s_kt w_kt^2, computed from A'A and
/// A'Y; w_k are the rows of W.
struct SquaresParts {
  Matrix<double> gram;           ///< A'A
  Matrix<double> products = {};  ///< A'Y
  double constant = 0;           ///< 1/2 |Y|^2
  Matrix<double> coupling = {};  ///< K, symmetric; empty: none
  Index coupled_rows = 0;        ///< the number of coupled rows of W, from the first
  Matrix<double> diagonal = {};  ///< s; empty: none
};

class CoupledSquares final : public QuadraticFunction {
 public:
  /// `pool` must outlive it.
  CoupledSquares(SquaresParts parts, ThreadPool& pool);

  const SquaresParts& parts() const noexcept { return parts_; }
  double evaluate(const Matrix<double>& weights, Matrix<double>& gradient) override;
  /// A diagonal upper bound on the Hessian, all entries > 0.
  Matrix<double> curvature() const;

 private:
  /// Rows [begin, end) of the gradient; returns their share of <W, gradient - A'Y>.
  double evaluate_rows(Index begin, Index end, const Matrix<double>& weights,
                       Matrix<double>& gradient) const;

  SquaresParts parts_;
  ThreadPool& pool_;
};

/// (A'A + ridge I)^-1 A'Y. Throws Error if there is no solution.
Matrix<double> ridge_regression(const Matrix<double>& gram, const Matrix<double>& products,
                                double ridge, ThreadPool& pool);

}  // namespace mugrad
