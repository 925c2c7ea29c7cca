// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>
#include <memory>

namespace mugrad {

/// Binary relevance: an independent logistic regression per label (Boutell et al. 2004). It is MGD
/// without transfer.
struct BrOptions {
  double rho = 0.01;  ///< L2 strength, per example; >= 0
  /// Uses the ridge of Weka's `Logistic`, as Mulan does, instead of `rho`: 1e-8 over the sum of the
  /// losses, which is rho = 2e-8 / n.
  bool weka_ridge = false;
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  double tolerance = 1e-4;        ///< as in MgdOptions
  Index max_iterations = 10000;
  Precision precision = Precision::single_precision;
  std::shared_ptr<const Model> initial = {};  ///< as in MgdOptions
  std::uint64_t seed = 1;                     ///< of the centres of Gaussian features
  Threads threads = {};                       ///< never changes the model
};

/// Labels with only one class predict their base rate. Throws as the `fit` of MGD does.
Model fit(const Dataset& data, const BrOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
