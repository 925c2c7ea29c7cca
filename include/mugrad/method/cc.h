// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// A classifier chain (Read et al. 2011): a logistic regression per label on the features and the
/// earlier labels of the chain. Training uses their true values, prediction the predicted ones.
struct CcOptions {
  double rho = 0.01;  ///< L2 strength, per example, of features and earlier labels; >= 0
  /// As in BrOptions.
  bool weka_ridge = false;
  bool random_order = false;  ///< a random order of the chain; false: the order of the data
  /// Also of earlier labels; unless it is zscore, these stay 0 and 1.
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  double tolerance = 1e-4;        ///< as in MgdOptions
  Index max_iterations = 10000;
  Precision precision = Precision::single_precision;
  std::uint64_t seed = 1;  ///< of a random order, and of centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// Labels with only one class predict their base rate, and later labels ignore them.
/// Throws as the `fit` of MGD does, and InputError for data with unknown labels.
Model fit(const Dataset& data, const CcOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
