// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/parallel/thread_pool.h>

namespace mugrad {

/// The Hessian of each task's losses, summed over examples, as equation (23) approximates it: about
/// Q R Q, where the squares of the diagonal matrix Q are `diagonal`, and R are the correlations of
/// the features, with ones on its diagonal and otherwise about factor'factor. Correlations are of
/// products, not centred; row 0 and column 0 belong to the intercept.
struct CurvatureSums {
  Matrix<float> diagonal = {};  ///< parameters x tasks
  Matrix<float> factor = {};    ///< directions x parameters; no rows: R is the identity
};

/// The directions by which the correlations of such features are kept, besides their means: all of
/// few features, and of many sparse ones only some, which take less memory than weights.
Index correlation_directions(const Features& x) noexcept;

/// The sums over these examples at the given weights, (features + 1) x tasks. Of the options, the
/// penalties and divisors are not used. Throws InterruptedError.
template <class Real>
CurvatureSums curvature_sums(const Features& x, const FeatureTransform& transform,
                             const BinaryMatrix& labels, const LinearTaskOptions& options,
                             const Matrix<Real>& weights, bool with_factor, ThreadPool& pool,
                             Progress* progress);

/// The sums over the examples of both; either may lack the factor, and then the result does.
/// Requires: equal shapes of the diagonals.
CurvatureSums added(const CurvatureSums& a, const CurvatureSums& b);

}  // namespace mugrad
