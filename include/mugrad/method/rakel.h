// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

#include <cstdint>

namespace mugrad {

/// Random k-labelsets: label powersets of small random sets of labels (Tsoumakas et al. 2011).
struct RakelOptions {
  Index labels_per_set = 3;  ///< k; where there are no more labels, all are the only set
  Index sets = 0;            ///< m, up to a million; 0: 2 T, or all there are when that is less
  /// A partition of the labels instead, of ceil(T / k) sets; a single label left over joins the
  /// last set.
  bool disjoint = false;
  /// The paper and Mulan count votes. With few sets per label those tie often, which marginals do
  /// not.
  LabelsetScore score = LabelsetScore::marginal;
  /// Labels are drawn as equally often as can be, so that each is in a set. Otherwise sets are
  /// drawn uniformly, and a label in none scores 0.
  bool cover = false;
  double rho = 0.01;  ///< L2 strength, per example; >= 0
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0.5;  ///< a label is predicted at this score
  std::uint64_t seed = 1;
  double tolerance = 1e-4;  ///< as that of MgdOptions
  Index max_iterations = 10000;
  Threads threads = {};  ///< never changes the model
};

/// Labels with one class only score as often as they occur: 0 or 1.
/// Throws UsageError for options out of range or against each other; InputError for data that
/// cannot be trained on, with unknown labels, or with more classes to a set than memory suffices
/// for; DivergenceError; and InterruptedError when `progress` stops the run.
Model fit(const Dataset& data, const RakelOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
