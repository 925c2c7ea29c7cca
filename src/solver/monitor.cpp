// SPDX-License-Identifier: MIT
#include "solver/monitor.h"

#include "solver/share_done.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mugrad {

std::string_view to_string(Stop stop) {
  switch (stop) {
    case Stop::converged:
      return "converged";
    case Stop::iteration_limit:
      return "iteration-limit";
    case Stop::diverged:
      return "diverged";
    case Stop::stalled:
      return "stalled";
    case Stop::interrupted:
      return "interrupted";
  }
  return "";
}

void Trace::iterate(const Iterate& iterate) {
  if (iterate.iteration == 0) iterates_.clear();
  iterates_.push_back(iterate);
  if (next_ != nullptr) next_->iterate(iterate);
}

Monitor::Monitor(const Stopping& stopping, Progress* progress)
    : stopping_(stopping), progress_(progress) {}

bool Monitor::go_on(double share) {
  told_ = std::max(told_, share);
  return progress_ == nullptr || progress_->update(told_);
}

std::optional<Stop> Monitor::check(double residual, double total_loss, Index iterations) {
  assert(iterations >= 1);
  iteration_ += iteration_ < 0 ? 1 : iterations;
  residual_ = residual;
  if (iteration_ == 0) first_residual_ = least_residual_ = residual;
  if (diverging(residual)) return Stop::diverged;
  remember(residual);

  const Iterate iterate{.iteration = iteration_,
                        .residual = residual,
                        .first_residual = first_residual_,
                        .total_loss = total_loss};
  if (progress_ != nullptr) progress_->iterate(iterate);
  if (!go_on(share_done(iterate, stopping_))) return Stop::interrupted;
  if (is_enough(residual)) return Stop::converged;
  if (is_at_limit()) return stalled() ? Stop::diverged : Stop::iteration_limit;
  return std::nullopt;
}

bool Monitor::is_enough(double residual) const noexcept {
  const bool wanted = stopping_.tolerance > 0 || residual == 0;
  return wanted && residual <= target();
}

double Monitor::target() const noexcept { return stopping_.tolerance * reference(); }

double Monitor::reference() const noexcept {
  return stopping_.reference_residual > 0 ? stopping_.reference_residual : first_residual_;
}

double Monitor::scale() const noexcept { return std::max(first_residual_, reference()); }

bool Monitor::diverging(double residual) const {
  // Quasi-Newton steps and the mixed units of the tasks make the residual of a healthy run bump,
  // by far less than these factors.
  constexpr double kFromTheStart = 10;
  constexpr double kFromTheLeast = 1e4;
  if (!std::isfinite(residual)) return true;
  const bool lost_ground = residual > kFromTheStart * scale();
  return lost_ground && (is_at_limit() || residual > kFromTheLeast * least_residual_);
}

void Monitor::remember(double residual) {
  least_residual_ = std::min(least_residual_, residual);
  if (4 * iteration_ <= stopping_.max_iterations) least_early_ = std::min(least_early_, residual);
  if (4 * iteration_ > 3 * stopping_.max_iterations) {
    least_late_ = std::min(least_late_, residual);
  }
}

bool Monitor::stalled() const {
  constexpr Index kTooFewToTell = 20;
  constexpr double kLarge = 0.1;       // of what residuals are large in comparison with
  constexpr double kNotFalling = 0.9;  // of the least in the first quarter
  return stopping_.step_is_suspect && stopping_.max_iterations >= kTooFewToTell &&
         least_late_ > kLarge * scale() && least_late_ > kNotFalling * least_early_;
}

SolveReport Monitor::report(Stop stop, Index passes) const {
  return {.stop = stop,
          .iterations = std::max<Index>(0, iteration_),
          .passes = passes,
          .first_residual = reference(),
          .residual = residual_};
}

}  // namespace mugrad
