// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/head.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>

#include <cstdint>
#include <string_view>

namespace mugrad {

/// Which examples a member of an ensemble is trained on.
enum class Sampling {
  bootstrap,  ///< as many as there are, drawn with replacement, as in Mulan; by their weights
  subset,     ///< 67 % of them, drawn without replacement, as in MEKA; they keep their weights
  none,       ///< all
};

std::string_view to_string(Sampling sampling);
/// Throws UsageError listing the names there are.
Sampling sampling_named(std::string_view name);

/// An ensemble of classifier chains (Read et al. 2011): each member has examples and a chain of
/// its own, and the scores are the means of what the members say.
struct EccOptions {
  Index members = 30;  ///< chains; in [1, 100000]
  double rho = 0.01;   ///< L2 strength, per example; >= 0
  /// As that of BrOptions.
  bool weka_ridge = false;
  Sampling sampling = Sampling::bootstrap;
  Vote vote = Vote::probability;  ///< what a member says of a label
  bool random_order = true;       ///< chains in random orders; false: all in the order of the data
  ScalingKind scaling = ScalingKind::zscore;
  double threshold = 0.5;   ///< a label is predicted at this score
  double tolerance = 1e-4;  ///< as that of MgdOptions
  Index max_iterations = 10000;
  Precision precision = Precision::single_precision;
  std::uint64_t seed = 1;  ///< of examples and orders
  Threads threads = {};    ///< never changes the model
};

/// A label of which a member sees one class only is predicted by that member at its base rate
/// there, and later labels do not look at it. Throws as the `fit` of MGD does, and InputError for
/// data with unknown labels.
Model fit(const Dataset& data, const EccOptions& options, Progress* progress = nullptr);

}  // namespace mugrad
