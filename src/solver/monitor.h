// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/solver/solve.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace mugrad {

/// A residual of so many roundings of what it is relative to may be all that arithmetic gives.
template <class Real>
constexpr double kNearRounding = 1e3 * static_cast<double>(std::numeric_limits<Real>::epsilon());

/// Decides at each iterate whether a run is over, and tells the progress.
class Monitor {
 public:
  Monitor(const Stopping& stopping, Progress* progress);

  bool wants_loss() const { return progress_ != nullptr && progress_->wants_loss(); }
  /// The reason to stop at this iterate, or none. So many iterations, at least 1, have led to it
  /// from the one checked before.
  std::optional<Stop> check(double residual, double total_loss, Index iterations = 1);
  /// Whether to go on when this share of the run is done; asked within an iteration that takes
  /// long.
  bool go_on(double share = 0);
  /// The residual at which a run is over. Requires: an iterate was checked.
  double target() const noexcept;
  double tolerance() const noexcept { return stopping_.tolerance; }
  double margin() const noexcept { return stopping_.margin; }
  /// Whether a run is over with this residual. Requires: an iterate was checked.
  bool is_enough(double residual) const noexcept;
  /// Whether the iterate checked last is the last one allowed.
  bool is_at_limit() const noexcept { return iteration_ >= stopping_.max_iterations; }
  /// How many iterations are left after the iterate checked last.
  Index iterations_left() const noexcept {
    return std::max<Index>(0, stopping_.max_iterations - std::max<Index>(0, iteration_));
  }
  /// What the residual of the iterate checked last is, where check() was given an older one.
  void correct(double residual) noexcept { residual_ = residual; }
  /// What the tolerance is relative to; infinite before an iterate was checked, unless it is given.
  double reference() const noexcept;
  /// The report of the run that ended for this reason.
  SolveReport report(Stop stop, Index passes) const;

 private:
  /// What residuals are large in comparison with: a run may start near its end.
  double scale() const noexcept;
  bool diverging(double residual) const;
  void remember(double residual);
  bool stalled() const;

  Stopping stopping_;
  Progress* progress_;
  double told_ = 0;  ///< the largest share so far
  Index iteration_ = -1;
  double first_residual_ = std::numeric_limits<double>::infinity();
  double least_residual_ = first_residual_;
  double residual_ = first_residual_;
  double least_early_ = std::numeric_limits<double>::infinity();  ///< in the first quarter
  double least_late_ = std::numeric_limits<double>::infinity();   ///< in the last quarter
};

}  // namespace mugrad
