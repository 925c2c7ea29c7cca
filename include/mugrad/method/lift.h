// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// LIFT, label-specific features (Zhang 2011, Zhang and Wu 2015). The features of a label are the
/// distances to cluster centres of its positive and its negative examples: `ratio` times the size
/// of the minority class, of each. The classifier is a linear support vector machine with Platt
/// scaling.
struct LiftOptions {
  double ratio = 0.1;  ///< centres per example of the minority class; in (0, 1]
  double c = 1;        ///< cost of a unit of hinge loss; in (0, 1e8]
  /// The most influential option: features with large values dominate the distances.
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  Index max_iterations = 100;     ///< of k-means
  std::uint64_t seed = 1;
  Threads threads = {};  ///< never changes the model
};

/// Labels with only one class predict their base rate. Throws UsageError for options out of range,
/// InputError for data without examples, features or labels, or with unknown labels,
/// DivergenceError, and InterruptedError if `progress` stops the run.
Model fit(const Dataset& data, const LiftOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
