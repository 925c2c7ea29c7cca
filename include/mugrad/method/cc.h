// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

#include <cstdint>

namespace mugrad {

/// A classifier chain (Read et al. 2011): a logistic regression per label that sees, besides the
/// features, the labels before it in a chain: those there are in training, those predicted
/// afterwards.
struct CcOptions {
  double rho = 0.01;  ///< L2 strength, per example, of features and earlier labels; >= 0
  /// As that of BrOptions.
  bool weka_ridge = false;
  bool random_order = false;  ///< the chain in a random order; false: in the order of the data
  ScalingKind scaling = ScalingKind::zscore;  ///< of earlier labels too; those stay 0 and 1 in rows
                                              ///< of unit length
  double threshold = 0.5;                     ///< a label is predicted at this score
  double tolerance = 1e-4;                    ///< as that of MgdOptions
  Index max_iterations = 10000;
  Precision precision = Precision::single_precision;
  std::uint64_t seed = 1;  ///< of a random order
  Threads threads = {};    ///< never changes the model
};

/// Labels with one class only predict their base rate, and later labels do not look at them.
/// Throws as the `fit` of MGD does, and InputError for data with unknown labels.
Model fit(const Dataset& data, const CcOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
