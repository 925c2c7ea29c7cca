// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/head.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// Calibrated label ranking (Fuernkranz et al. 2008): a logistic regression per label, and one per
/// pair of labels on the examples with exactly one of the two. All regressions vote. A virtual
/// label gets the votes of the single-label regressions against their labels; labels with at least
/// as many votes are predicted.
struct ClrOptions {
  double rho = 0.01;  ///< L2 strength, per example of a label or a pair; >= 0
  /// Uses the ridge of Weka's `Logistic`, as Mulan does, instead of `rho`: 1e-8 over the sum of the
  /// losses.
  bool weka_ridge = false;
  Vote vote = Vote::label;  ///< what a regression gives to the label that it prefers
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;   ///< predict labels that score at least this; 0.5 is the virtual label's
  double tolerance = 1e-4;  ///< of each regression, as in MgdOptions
  Index max_iterations = 10000;
  std::uint64_t seed = 1;  ///< of the centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// Pairs without distinguishing examples do not vote; pairs whose examples all have the same label
/// always vote for it. An example with an unknown label is excluded where that label matters.
/// Throws as the `fit` of MGD does, and InputError if the weights of all pairs would take more than
/// half of the machine's memory.
Model fit(const Dataset& data, const ClrOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
