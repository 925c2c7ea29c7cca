// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/head.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>
#include <string_view>

namespace mugrad {

/// The training examples of an ensemble member.
enum class Sampling {
  bootstrap,  ///< as many as there are, drawn by weight with replacement, as in Mulan
  subset,     ///< 67 % of them, drawn without replacement, as in MEKA; they keep their weights
  none,       ///< all
};

std::string_view to_string(Sampling sampling);
/// Throws UsageError listing the valid names.
Sampling sampling_named(std::string_view name);

/// An ensemble of classifier chains (Read et al. 2011): each member has its own examples and chain,
/// and scores are the means of the members' votes.
struct EccOptions {
  Index members = 30;  ///< chains; in [1, 100000]
  double rho = 0.01;   ///< L2 strength, per example; >= 0
  /// As in BrOptions.
  bool weka_ridge = false;
  Sampling sampling = Sampling::bootstrap;
  Vote vote = Vote::probability;  ///< a member's vote for a label
  bool random_order = true;       ///< random orders of the chains; false: the order of the data
  RepresentationKind representation = RepresentationKind::zscore;
  GaussianOptions gaussian = {};  ///< if features are Gaussian
  double text_weight = 1;         ///< share of a text relative to other features
  double threshold = 0.5;         ///< predict labels that score at least this
  double tolerance = 1e-4;        ///< as in MgdOptions
  Index max_iterations = 10000;
  Precision precision = Precision::single_precision;
  std::uint64_t seed = 1;  ///< of examples, orders, and centres of Gaussian features
  Threads threads = {};    ///< never changes the model
};

/// If a member sees only one class of a label, it predicts the base rate of its examples, and its
/// later labels ignore that label. Throws as the `fit` of MGD does, and InputError for data with
/// unknown labels.
Model fit(const Dataset& data, const EccOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
