// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/pass/fused_pass.h"
#include "objective/row_weights.h"

#include <mugrad/objective/shared_curvature.h>
#include <mugrad/parallel/thread_pool.h>

#include <functional>
#include <span>

namespace mugrad {

/// The second moments [1 X]' [1 X] / n of features, as far as they are needed to find the leading
/// directions of their covariance.
template <class Real>
struct SecondMoments {
  std::span<const double> means;         ///< of the ones, 1, and the features
  std::span<const double> mean_squares;  ///< of the features: the diagonal without the ones
  /// product = [1 X]' [1 X] / n times the columns of a matrix.
  std::function<void(const Matrix<Real>&, Matrix<Real>&)> multiply;
};

/// The curvature shared by tasks on these features with this ridge. Features for which
/// `set_apart`, unless it is empty, is not 0 are taken for centred and uncorrelated with all
/// others.
template <class Real>
SharedCurvature<Real> shared_curvature_of(const SecondMoments<Real>& moments, double ridge,
                                          std::span<const char> set_apart = {});

/// The same, from passes over the design, whose rows count as their weights say. A pass over it
/// that there is already, `beside`, may lend what it stores.
template <class Real>
SharedCurvature<Real> shared_curvature_of(const Design<Real>& design, const RowWeights& rows,
                                          double ridge, std::span<const char> set_apart,
                                          ThreadPool& pool,
                                          const FusedPass<Real>* beside = nullptr);

/// The memory that finding it takes besides the design, in bytes, and that of what is found.
template <class Real>
double bytes_to_find_curvature(const DesignShape& design) noexcept;
template <class Real>
double bytes_of_curvature(const DesignShape& design) noexcept;

}  // namespace mugrad
