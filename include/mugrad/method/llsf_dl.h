// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// LLSF-DL, label-specific features and class-dependent labels (Huang et al. 2016): LLSF with
/// labels as additional features. It minimises
///   1/2 |A W + Y V - Y|^2 + alpha/2 tr(R W'W) + beta |W|_1 + gamma |V|_1.
/// Prediction starts from the scores of LLSF. Three times, scores are recomputed with the labels
/// whose last scores were at least 1/2, independently of the threshold.
struct LlsfDlOptions {
  double relation = 0.1;       ///< alpha: how similar the weights of related labels are; >= 0
  double sparsity = 0.1;       ///< beta: L1 strength of feature weights; >= 0
  double label_sparsity = 16;  ///< gamma: L1 strength of label weights; >= 0
  double ridge = 1;            ///< rho: L2 strength of the initial regressions; > 0
  /// No label explains itself. Otherwise V = I is a perfect fit, and predictions repeat LLSF's.
  bool zero_diagonal = true;
  bool indefinite = false;  ///< as in LlsfOptions
  /// Uses the authors' program: their R, order of steps and stopping rule, with at most 100
  /// iterations; labels may explain themselves. Overrides `indefinite`, `zero_diagonal`,
  /// `tolerance` and `max_iterations`; a warning names those that were set.
  bool parity = false;
  RepresentationKind representation = RepresentationKind::unit_row;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  double tolerance = 1e-6;        ///< as in LlsfOptions
  Index max_iterations = 2000;    ///< of each of the two stages
  std::uint64_t seed = 1;         ///< of the centres of Gaussian features
  Threads threads = {};           ///< never changes the model
};

/// As the `fit` of LLSF.
Model fit(const Dataset& data, const LlsfDlOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
