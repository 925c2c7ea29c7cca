// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/matrix.h>

#include <vector>

namespace mugrad {

/// What the Hessians of linear tasks on the same features have in common. With the features
/// centred, that of task i is about bend_i for the intercept, parameter 0, and
///
///     bend_i C + ridge I
///
/// for the rest: C the covariance of the features, bend_i the mean bend of TaskMeasures. C is known
/// by its leading eigenvectors, which is where its eigenvalues differ. A feature that some tasks
/// may not use is taken for centred and uncorrelated with all others, so that nothing moves its
/// weights but its own gradient.
template <class Real>
struct SharedCurvature {
  std::vector<double> mean = {};         ///< of the features; empty: they are centred
  Matrix<Real> eigenvectors = {};        ///< one per row, orthonormal
  std::vector<double> eigenvalues = {};  ///< of those, descending
  double rest = 0;                       ///< the mean of the other eigenvalues
  double ridge = 0;
  std::vector<double> ridge_of_task = {};  ///< and more for some tasks; empty: for none
  /// The tasks are the columns of one function that does not change when all scores of an example
  /// move together. Its gradients sum to zero over the columns, and so do the ways to its minimum:
  /// what is taken for the Hessian, B for each direction, then is B - B 1 1' B / 1' B 1.
  bool columns_sum_to_zero = false;
  Index passes = 0;  ///< over the data that finding this took, until a run has counted them
};

}  // namespace mugrad
