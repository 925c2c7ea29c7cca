// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

namespace mugrad {

/// Label powerset: every combination of labels that occurs is a class of one softmax regression
/// (Boutell et al. 2004).
struct LpOptions {
  double rho = 0.01;  ///< L2 strength, per example; >= 0
  /// Mulan takes the confidence of the likeliest class.
  LabelsetScore score = LabelsetScore::marginal;
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0.5;   ///< a label is predicted at this score
  double tolerance = 1e-4;  ///< as that of MgdOptions
  Index max_iterations = 10000;
  Threads threads = {};  ///< never changes the model
};

/// Labels with one class only, and all labels where every example has the same, score as often as
/// they occur: 0 or 1.
/// Throws UsageError for options out of range; InputError for data that cannot be trained on, with
/// unknown labels, or with more classes than memory suffices for; DivergenceError; and
/// InterruptedError when `progress` stops the run.
Model fit(const Dataset& data, const LpOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
