// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/design.h"

#include <mugrad/objective/shared_curvature.h>
#include <mugrad/parallel/thread_pool.h>

#include <functional>
#include <span>

namespace mugrad {

/// The second moments [1 X]' [1 X] / n of features, as far as they are needed to find the leading
/// directions of their covariance.
template <class Real>
struct SecondMoments {
  std::span<const double> means;  ///< of the ones, 1, and the features
  double mean_square = 0;         ///< of all features together: the trace without the ones
  /// product = [1 X]' [1 X] / n times the columns of a matrix.
  std::function<void(const Matrix<Real>&, Matrix<Real>&)> multiply;
};

/// The curvature shared by tasks on these features with this ridge.
template <class Real>
SharedCurvature<Real> shared_curvature_of(const SecondMoments<Real>& moments, double ridge);

/// The same, from passes over the design.
template <class Real>
SharedCurvature<Real> shared_curvature_of(const Design<Real>& design, double ridge,
                                          ThreadPool& pool);

}  // namespace mugrad
