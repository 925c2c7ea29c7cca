// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// ML-kNN (Zhang and Zhou 2007): the score of a label is its probability given how many of the k
/// nearest training examples have it, by Bayes' rule from counts in the training part.
struct MlknnOptions {
  /// Number of neighbours, >= 1. If there are fewer other examples, all of them are used, with a
  /// warning.
  Index k = 10;
  double laplace = 1;  ///< s, which is added to every count; in [1e-6, 1e6]
  /// The most influential option: features with large values dominate the distances.
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  std::uint64_t seed = 1;         ///< of the centres of Gaussian features
  Threads threads = {};           ///< never changes the model
};

/// The model stores all examples, sparse if the data is sparse. Training time grows with the square
/// of their number, prediction time in proportion to it. Throws UsageError for options out of range
/// and for weights of examples, InputError for data without examples, features or labels, or with
/// unknown labels, and InterruptedError when `progress` stops the run.
Model fit(const Dataset& data, const MlknnOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
