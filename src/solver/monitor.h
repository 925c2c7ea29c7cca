// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/solver/solve.h>

#include <limits>
#include <optional>

namespace mugrad {

/// A residual of so many roundings of what it is relative to may be all that arithmetic gives.
template <class Real>
constexpr double kNearRounding = 1e3 * static_cast<double>(std::numeric_limits<Real>::epsilon());

/// Decides at each iterate whether a run is over, and tells the observer.
class Monitor {
 public:
  Monitor(const Stopping& stopping, Observer* observer);

  bool wants_loss() const { return observer_ != nullptr && observer_->wants_loss(); }
  /// The reason to stop at this iterate, or none.
  std::optional<Stop> check(double residual, double total_loss);
  /// Whether to go on, asked within an iteration of which this share is done.
  bool go_on(double share) { return observer_ == nullptr || observer_->observe_within(share); }
  /// The residual at which a run is over. Requires: an iterate was checked.
  double target() const noexcept;
  double margin() const noexcept { return stopping_.margin; }
  /// What the tolerance is relative to. Requires: an iterate was checked.
  double reference() const noexcept;
  /// The report of the run that ended for this reason.
  SolveReport report(Stop stop, Index passes) const;

 private:
  bool diverging(double residual, bool at_the_limit) const;
  void remember(double residual);
  bool stalled() const;

  Stopping stopping_;
  Observer* observer_;
  Index iteration_ = -1;
  double first_residual_ = 0;
  double least_residual_ = 0;
  double residual_ = 0;
  double least_early_ = std::numeric_limits<double>::infinity();  ///< in the first quarter
  double least_late_ = std::numeric_limits<double>::infinity();   ///< in the last quarter
};

}  // namespace mugrad
