// SPDX-License-Identifier: MIT
#pragma once

#include "core/stages.h"
#include "linalg/pass/design.h"
#include "method/pairs/label_pairs.h"

#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>

#include <vector>

namespace mugrad {

struct PairRegressionOptions {
  double rho = 0;           ///< per example
  double summed_ridge = 0;  ///< added to the sum of the losses
  Stopping stopping;
};

/// The outcome of the regressions of all pairs together.
struct PairReport {
  Index passes = 0;                           ///< the maximum over the pairs
  double first_residual = 0, residual = 0;    ///< the maximum over the pairs
  double total_loss = 0;                      ///< the sum over all pairs
  Index at_iteration_limit = 0, stalled = 0;  ///< numbers of pairs that ended this way
};

/// Fits a logistic regression per pair on its distinguishing examples; a score above 0 prefers the
/// first label. Column `first_column` + k of the weights and that entry of the intercepts become
/// those of pair k; the weights must be zero there. A pair whose examples all have the same label
/// gets only an intercept. Throws InterruptedError if the progress of the stages asks to stop.
PairReport fit_pairs(const Design<double>& design, const LabelPairs& pairs,
                     const PairRegressionOptions& options, Index first_column,
                     Matrix<float>& weights, std::vector<double>& intercepts, Stages& stages,
                     ThreadPool& pool);

/// The memory of fit_pairs besides the design and the weights, in bytes, if no pair has more than
/// `most_examples` examples.
double bytes_to_fit_pairs(const DesignShape& design, Index pairs, double most_examples) noexcept;

}  // namespace mugrad
