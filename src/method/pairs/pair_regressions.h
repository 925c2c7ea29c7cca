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
  double summed_ridge = 0;  ///< and over the sum of the losses
  Stopping stopping;
};

/// What became of the regressions of all pairs together.
struct PairReport {
  Index passes = 0;                           ///< the most that a pair took
  double first_residual = 0, residual = 0;    ///< the largest of any pair
  double total_loss = 0;                      ///< the sum over all pairs
  Index at_iteration_limit = 0, stalled = 0;  ///< how many pairs ended so
};

/// A logistic regression per pair, each on the examples that tell it apart: a score above 0 prefers
/// the first label. Column `first_column` + k of the weights and that entry of the intercepts
/// become those of pair k; the weights must be zero there. A pair whose examples all have the same
/// label has an intercept alone.
/// Throws InterruptedError when the progress of the stages asks to stop.
PairReport fit_pairs(const Design<double>& design, const LabelPairs& pairs,
                     const PairRegressionOptions& options, Index first_column,
                     Matrix<float>& weights, std::vector<double>& intercepts, Stages& stages,
                     ThreadPool& pool);

/// The memory that takes besides the design and the weights, in bytes, where no pair has more
/// examples than these.
double bytes_to_fit_pairs(const DesignShape& design, Index pairs, double most_examples) noexcept;

}  // namespace mugrad
