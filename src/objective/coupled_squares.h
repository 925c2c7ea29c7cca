// SPDX-License-Identifier: MIT
#pragma once

#include "objective/quadratic_function.h"

#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// q(W) = 1/2 |A W - Y|^2 + 1/2 sum_k w_k' K w_k + 1/2 sum_kt s_kt w_kt^2, w_k the rows of W, from
/// A'A and A'Y.
struct SquaresParts {
  Matrix<double> gram;           ///< A'A
  Matrix<double> products = {};  ///< A'Y
  double constant = 0;           ///< 1/2 |Y|^2
  Matrix<double> coupling = {};  ///< K, symmetric; without rows and columns: none
  Index coupled_rows = 0;        ///< the first so many rows of W are coupled
  Matrix<double> diagonal = {};  ///< s; without rows and columns: none
};

class CoupledSquares final : public QuadraticFunction {
 public:
  /// `pool` must outlive it.
  CoupledSquares(SquaresParts parts, ThreadPool& pool);

  const SquaresParts& parts() const noexcept { return parts_; }
  double evaluate(const Matrix<double>& weights, Matrix<double>& gradient) override;
  /// An upper bound of the Hessian that is diagonal, all entries > 0.
  Matrix<double> curvature() const;

 private:
  /// Rows [begin, end) of the gradient; returns their share of <W, gradient - A'Y>.
  double evaluate_rows(Index begin, Index end, const Matrix<double>& weights,
                       Matrix<double>& gradient) const;

  SquaresParts parts_;
  ThreadPool& pool_;
};

/// (A'A + ridge I)^-1 A'Y. Throws Error when that has no solution.
Matrix<double> ridge_regression(const Matrix<double>& gram, const Matrix<double>& products,
                                double ridge, ThreadPool& pool);

}  // namespace mugrad
