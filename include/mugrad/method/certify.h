// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/mgd.h>
#include <mugrad/theory/certificate.h>

#include <string>
#include <vector>

namespace mugrad {

/// Guarantees of theory for MGD on this data with these options. The step is options.alpha, or the
/// automatic step of the plain solver.
struct MgdCertificate {
  theory::Certificate promise = {};
  Index rows = 0;
  Index features = 0;
  Index labels = 0;  ///< labels with both classes
  /// The largest |w_i*| over the labels' own minimisers, if strong convexity makes bound (9)
  /// meaningful.
  std::optional<double> largest_minimiser = {};
  /// (9): no label's weights are farther than this from its own minimiser.
  std::optional<double> distance_bound = {};
};

/// Requires: as for `fit`. Throws as `fit`, and InputError if no label has both classes.
MgdCertificate certify(const Dataset& data, const MgdOptions& options);

/// A guarantee, and the outcome of a run.
struct PromiseCheck {
  std::string what = {};
  double promised = 0;
  double observed = 0;  ///< the largest value
  bool kept = false;    ///< observed <= promised, up to rounding
};

/// Runs plain MGD in double precision for `iterations` iterations from two random starts. Compares
/// the decrease of their distance with the guaranteed contraction, in every norm with a guarantee.
/// If (9) gives a bound, also compares the distance of the equilibrium from the labels' own
/// minimisers.
/// Requires: the step is proven safe; throws UsageError otherwise.
std::vector<PromiseCheck> check_promises(const Dataset& data, const MgdOptions& options,
                                         Index iterations = 100);

}  // namespace mugrad
