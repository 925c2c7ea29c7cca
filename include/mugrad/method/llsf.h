// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// LLSF, label-specific features (Huang et al. 2015): sparse least squares with similar weights for
/// labels that occur together. It minimises
///   1/2 |A W - Y|^2 + alpha/2 tr(R W'W) + beta |W|_1,
/// where A is the scaled features and a column of ones, whose weights are penalised like the
/// others. R is the Laplacian Diag(C 1) - C of the cosines C between labels.
struct LlsfOptions {
  double relation = 0.1;  ///< alpha: how similar the weights of related labels are; >= 0
  double sparsity = 0.1;  ///< beta: L1 strength; >= 0
  double ridge = 1;       ///< rho: L2 strength of the initial regression; > 0
  /// Uses the authors' R = 1 - C, which makes the weights of labels that do not occur together
  /// differ. It has negative eigenvalues, so the objective is unbounded below unless alpha is
  /// small.
  bool indefinite = false;
  /// Uses the authors' program: their R, steps and stopping rule, with at most 100 iterations.
  /// Overrides `indefinite`, `tolerance` and `max_iterations`; a warning names those that were set.
  bool parity = false;
  RepresentationKind representation = RepresentationKind::unit_row;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  /// Stop when ten iterations have reduced the objective by at most this share of it.
  double tolerance = 1e-6;
  Index max_iterations = 2000;
  std::uint64_t seed = 1;  ///< of the centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// Labels with only one class predict their base rate and do not affect the others. If there is no
/// minimum, a warning in the report says so, and whether the weights are those of the iteration
/// before this was detected or those of the initial ridge regression. Throws UsageError for an
/// option out of range, InterruptedError, and InputError for data without examples, features or
/// labels, with unknown labels, with too large values, or with too many features for the memory.
Model fit(const Dataset& data, const LlsfOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
