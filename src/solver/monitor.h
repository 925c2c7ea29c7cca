// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/solver/solve.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace mugrad {

/// The share of a run that is done, in [0, 1]: the larger of the share of the allowed iterations
/// and the share of the digits by which the residual must fall. 1 if the residual is 0; with a
/// tolerance of 0 only iterations count. It may decrease between iterates, because residuals may
/// increase.
double share_done(const Iterate& iterate, const Stopping& stopping) noexcept;

/// Residuals below this, relative to the reference, may be at the limit of the arithmetic.
template <class Real>
constexpr double kNearRounding = 1e3 * static_cast<double>(std::numeric_limits<Real>::epsilon());

/// Decides at each iterate whether a run is over, and updates the progress.
class Monitor {
 public:
  Monitor(const Stopping& stopping, Progress* progress);

  bool wants_loss() const { return progress_ != nullptr && progress_->wants_loss(); }
  /// The reason to stop at this iterate, or none. `iterations`, at least 1, is their number since
  /// the last check.
  std::optional<Stop> check(double residual, double total_loss, Index iterations = 1);
  /// Whether to continue when this share of the run is done; called within long iterations.
  bool go_on(double share = 0);
  /// The residual at which a run is over. Requires: an iterate was checked.
  double target() const noexcept;
  double tolerance() const noexcept { return stopping_.tolerance; }
  double margin() const noexcept { return stopping_.margin; }
  /// Whether a run is over at this residual. Requires: an iterate was checked.
  bool is_enough(double residual) const noexcept;
  /// Whether the last checked iterate is the last one allowed.
  bool is_at_limit() const noexcept { return iteration_ >= stopping_.max_iterations; }
  /// The number of iterations left after the last checked iterate.
  Index iterations_left() const noexcept {
    return std::max<Index>(0, stopping_.max_iterations - std::max<Index>(0, iteration_));
  }
  /// Corrects the residual of the last checked iterate, if check() received an older one.
  void correct(double residual) noexcept { residual_ = residual; }
  /// The reference of the tolerance; infinite before the first check, unless it was given.
  double reference() const noexcept;
  /// The report of a run that ended for this reason.
  SolveReport report(Stop stop, Index passes) const;

 private:
  /// The reference for large residuals: a run may start near its end.
  double scale() const noexcept;
  bool diverging(double residual) const;
  void remember(double residual);
  bool stalled() const;

  Stopping stopping_;
  Progress* progress_;
  double reported_ = 0;  ///< the largest share so far
  Index iteration_ = -1;
  double first_residual_ = std::numeric_limits<double>::infinity();
  double least_residual_ = first_residual_;
  double residual_ = first_residual_;
  double least_early_ = std::numeric_limits<double>::infinity();  ///< in the first quarter
  double least_late_ = std::numeric_limits<double>::infinity();   ///< in the last quarter
};

}  // namespace mugrad
