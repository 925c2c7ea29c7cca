// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

#include <cstdint>

namespace mugrad {

/// LIFT, label-specific features (Zhang 2011, Zhang and Wu 2015): a label's features are the
/// distances to centres of its positive and of its negative examples, as many of each as `ratio`
/// times its seldomer class; a linear support vector machine with Platt's scaling decides.
struct LiftOptions {
  double ratio = 0.1;  ///< centres per example of the seldomer class; in (0, 1]
  double c = 1;        ///< what a unit of hinge loss costs; in (0, 1e8]
  /// Distances depend on it more than anything else: features of large values outweigh the others.
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0.5;      ///< a label is predicted at this score
  Index max_iterations = 100;  ///< of k-means
  std::uint64_t seed = 1;
  Threads threads = {};  ///< never changes the model
};

/// Labels with one class only predict their base rate. Throws UsageError for options out of range,
/// InputError for data without examples, features or labels, or with unknown labels,
/// DivergenceError, and InterruptedError when `progress` stops the run.
Model fit(const Dataset& data, const LiftOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
