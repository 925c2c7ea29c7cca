// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/head.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

namespace mugrad {

/// Calibrated label ranking (Fuernkranz et al. 2008): a logistic regression per label, and one per
/// pair of labels on the examples that have exactly one of the two. All of them vote; a label is
/// predicted when it has no fewer votes than a virtual one, which gets those against labels alone.
struct ClrOptions {
  double rho = 0.01;  ///< L2 strength, per example of a label or a pair; >= 0
  /// Weka's `Logistic`, which Mulan uses: its ridge of 1e-8 over the sum of the losses instead of
  /// `rho`.
  bool weka_ridge = false;
  Vote vote = Vote::label;  ///< what a regression gives the label that it prefers
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0.5;   ///< a label is predicted at this score; 0.5 is the virtual label's
  double tolerance = 1e-4;  ///< of each regression, as that of MgdOptions
  Index max_iterations = 10000;
  Threads threads = {};  ///< never changes the model
};

/// Pairs that no example tells apart have no vote; those of which all examples have the same label
/// always vote for it. Not knowing a label of an example leaves it out where that label matters.
/// Throws as the `fit` of MGD does, and InputError when the weights of all pairs would take more
/// than half of the machine's memory.
Model fit(const Dataset& data, const ClrOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
