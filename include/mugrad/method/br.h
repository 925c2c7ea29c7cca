// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

#include <memory>

namespace mugrad {

/// Binary relevance: a logistic regression per label, each by itself (Boutell et al. 2004). MGD
/// without transfer.
struct BrOptions {
  double rho = 0.01;  ///< L2 strength, per example; >= 0
  /// Weka's `Logistic`, which Mulan uses: its ridge of 1e-8 over the sum of the losses, rho 2e-8 /
  /// n, instead of `rho`.
  bool weka_ridge = false;
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0.5;   ///< a label is predicted at this score
  double tolerance = 1e-4;  ///< as that of MgdOptions
  Index max_iterations = 10000;
  Precision precision = Precision::single_precision;
  std::shared_ptr<const Model> initial = {};  ///< as that of MgdOptions
  Threads threads = {};                       ///< never changes the model
};

/// Labels with one class only predict their base rate. Throws as the `fit` of MGD does.
Model fit(const Dataset& data, const BrOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
