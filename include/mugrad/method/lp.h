// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// Label powerset: every combination of labels that occurs is a class of one softmax regression
/// (Boutell et al. 2004).
struct LpOptions {
  double rho = 0.01;  ///< L2 strength, per example; >= 0
  /// Mulan uses the confidence of the most likely class.
  LabelsetScore score = LabelsetScore::marginal;
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  double tolerance = 1e-4;        ///< as in MgdOptions
  Index max_iterations = 10000;
  std::uint64_t seed = 1;  ///< of the centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// Labels with only one class score 0 or 1; so do all labels if all examples have the same ones.
/// Throws UsageError for options out of range; InputError for unsuitable data, for unknown labels
/// and for too many classes for the memory; DivergenceError; and InterruptedError if `progress`
/// stops the run.
Model fit(const Dataset& data, const LpOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
