// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/mgd.h>
#include <mugrad/theory/certificate.h>

#include <string>
#include <vector>

namespace mugrad {

/// What theory promises for training MGD on this data with these options (the step is
/// options.alpha, or the automatic one of the plain solver).
struct MgdCertificate {
  theory::Certificate promise = {};
  Index rows = 0;
  Index features = 0;
  Index labels = 0;  ///< that have both classes
  /// The largest |w_i*| over the labels' own minimisers, when strong convexity gives the bound (9)
  /// a meaning.
  std::optional<double> largest_minimiser = {};
  /// (9): no label's weights are farther than this from its own minimiser.
  std::optional<double> distance_bound = {};
};

/// Requires: as for `fit`. Throws as it does, and InputError when no label has both classes.
MgdCertificate certify(const Dataset& data, const MgdOptions& options);

/// A promise, and what a run showed.
struct PromiseCheck {
  std::string what = {};
  double promised = 0;
  double observed = 0;  ///< the largest seen
  bool kept = false;    ///< observed <= promised, up to rounding
};

/// Runs plain MGD in double precision for so many iterations from two random starts and compares
/// how their distance shrinks with the contraction promised, in each norm a promise is made in;
/// then, where (9) promises something, the distance of the equilibrium from the own minimisers.
/// Requires: the step is proven safe; throws UsageError otherwise.
std::vector<PromiseCheck> check_promises(const Dataset& data, const MgdOptions& options,
                                         Index iterations = 100);

}  // namespace mugrad
