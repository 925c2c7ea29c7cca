// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>

namespace mugrad {

/// Random k-labelsets: label powersets of small random sets of labels (Tsoumakas et al. 2011).
struct RakelOptions {
  Index labels_per_set = 3;  ///< k; if there are at most k labels, all form the only set
  Index sets = 0;  ///< m, up to a million; 0: 2 T, or all possible sets if these are fewer
  /// Partitions the labels into ceil(T / k) sets instead; a single remaining label joins the last
  /// set.
  bool disjoint = false;
  /// The paper and Mulan count votes. With few sets per label, votes often tie; marginals do not.
  LabelsetScore score = LabelsetScore::marginal;
  /// Draws labels as equally often as possible, so that each is in a set. Otherwise sets are drawn
  /// uniformly, and a label that is in no set scores 0.
  bool cover = false;
  double rho = 0.01;  ///< L2 strength, per example; >= 0
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  std::uint64_t seed = 1;
  double tolerance = 1e-4;  ///< as in MgdOptions
  Index max_iterations = 10000;
  Threads threads = {};  ///< never changes the model
};

/// Labels with only one class score 0 or 1. Throws UsageError for options out of range or in
/// conflict; InputError for unsuitable data, for unknown labels and for sets with too many classes
/// for the memory; DivergenceError; and InterruptedError if `progress` stops the run.
Model fit(const Dataset& data, const RakelOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
