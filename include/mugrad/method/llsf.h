// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

namespace mugrad {

/// LLSF, label-specific features (Huang et al. 2015): least squares with few weights, which are
/// alike for labels that occur together,
///   1/2 |A W - Y|^2 + alpha/2 tr(R W'W) + beta |W|_1,
/// A the scaled features and a column of ones, whose weights cost as much as the others. R is the
/// Laplacian Diag(C 1) - C of the cosines C between labels.
struct LlsfOptions {
  double relation = 0.1;  ///< alpha: how much related labels are held alike; >= 0
  double sparsity = 0.1;  ///< beta: what weights cost; >= 0
  double ridge = 1;       ///< rho: L2 strength of the regression it starts from; > 0
  /// The authors' R = 1 - C instead: weights of labels that do not occur together are to differ. It
  /// has negative eigenvalues, so that the objective falls without bound unless alpha is small.
  bool indefinite = false;
  /// The authors' program: their R, steps, and stop, after 100 iterations at the most. Overrules
  /// `indefinite`, `tolerance` and `max_iterations`; a warning says where those were chosen.
  bool parity = false;
  ScalingKind scaling = ScalingKind::unit_row;
  double threshold = 0.5;  ///< a label is predicted at this score
  /// Stop when ten iterations have lessened the objective by no more than this share of it.
  double tolerance = 1e-6;
  Index max_iterations = 2000;
  Threads threads = {};  ///< never changes the model
};

/// Labels with one class only predict their base rate, and neither give nor take. A warning in the
/// report says when there is no minimum, and whether the weights are then those of the iteration
/// before that was seen or of the ridge regression it starts from. Throws UsageError for an option
/// out of range, InputError for data without examples, features or labels, with unknown labels or
/// values too large, or with more features than memory suffices for, and InterruptedError.
Model fit(const Dataset& data, const LlsfOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
