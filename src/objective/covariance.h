// SPDX-License-Identifier: MIT
#pragma once

#include "linalg/dense/eigenvalues.h"
#include "linalg/pass/fused_pass.h"
#include "objective/row_weights.h"

#include <mugrad/objective/task_set.h>
#include <mugrad/parallel/thread_pool.h>

#include <functional>
#include <span>

namespace mugrad {

/// The second moments [1 X]' [1 X] / n of features, in the form needed for the leading directions
/// of their covariance.
template <class Real>
struct SecondMoments {
  std::span<const double> means;         ///< of the ones, 1, and the features
  std::span<const double> mean_squares;  ///< of the features: the diagonal without the ones
  /// product = [1 X]' [1 X] / n times the columns of a matrix.
  std::function<void(const Matrix<Real>&, Matrix<Real>&)> multiply;
};

/// The number of directions by which the covariance of features is known.
Index curvature_directions(Index features) noexcept;

/// The curvature shared by tasks on these features with this ridge. Features for which `set_apart`,
/// unless it is empty, is not 0 are treated as centred and uncorrelated with all others.
template <class Real>
SharedCurvature<Real> curvature_of_moments(const SecondMoments<Real>& moments, double ridge,
                                           std::span<const char> set_apart = {});

/// The same, from passes over the design with weighted rows. May share the stored design of an
/// existing pass, `beside`.
template <class Real>
SharedCurvature<Real> shared_curvature_of(const Design<Real>& design, const RowWeights& rows,
                                          double ridge, std::span<const char> set_apart,
                                          ThreadPool& pool,
                                          const FusedPass<Real>* beside = nullptr);

/// The memory for computing it, besides the design, and that of the result, in bytes.
template <class Real>
double bytes_to_find_curvature(const DesignShape& design) noexcept;
template <class Real>
double bytes_of_curvature(const DesignShape& design) noexcept;

/// The mean over weighted rows of each column of [1 X].
template <class Real>
std::vector<double> column_means(const Design<Real>& design, std::span<const double> weights = {}) {
  std::vector<double> ones(as_size(design.cols()), 0);
  std::vector<double> means(ones.size());
  ones[0] = 1;
  design.gram_product(ones, means, weights);
  return means;
}

/// A bound on the largest eigenvalue of the second moments of weighted rows.
template <class Real>
double moments_bound(const Design<Real>& design, std::span<const double> weights = {}) {
  return largest_eigenvalue_bound(design.cols(),
                                  [&](auto v, auto out) { design.gram_product(v, out, weights); });
}

}  // namespace mugrad
