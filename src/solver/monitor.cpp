// SPDX-License-Identifier: MIT
#include "solver/monitor.h"

#include "core/names.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mugrad {
namespace {

constexpr Name<Stop> kStops[] = {{Stop::converged, "converged"},
                                 {Stop::iteration_limit, "iteration-limit"},
                                 {Stop::diverged, "diverged"},
                                 {Stop::stalled, "stalled"},
                                 {Stop::interrupted, "interrupted"}};

}  // namespace

std::string_view to_string(Stop stop) { return name_of<Stop>(kStops, stop); }

void Trace::iterate(const Iterate& iterate) {
  if (iterate.iteration == 0) iterates_.clear();
  iterates_.push_back(iterate);
  if (next_ != nullptr) next_->iterate(iterate);
}

Monitor::Monitor(const Stopping& stopping, Progress* progress)
    : stopping_(stopping), progress_(progress) {}

bool Monitor::go_on(double share) {
  reported_ = std::max(reported_, share);
  return progress_ == nullptr || progress_->update(reported_);
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
  // In a healthy run, quasi-Newton steps and the different units of the tasks make the residual
  // increase temporarily, but by far less than these factors.
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
  constexpr double kLarge = 0.1;       // relative to scale()
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

namespace {

double share_fallen(const Iterate& iterate, const Stopping& stopping) noexcept {
  if (iterate.residual <= 0) return 1;
  const double relative_to =
      stopping.reference_residual > 0 ? stopping.reference_residual : iterate.first_residual;
  const double goal = stopping.tolerance * relative_to;
  if (!(goal > 0)) return 0;
  if (iterate.residual <= goal) return 1;
  const double digits = std::log(iterate.first_residual / goal);
  return digits > 0 ? std::log(iterate.first_residual / iterate.residual) / digits : 0;
}

}  // namespace

double share_done(const Iterate& iterate, const Stopping& stopping) noexcept {
  const double by_count =
      static_cast<double>(iterate.iteration) / static_cast<double>(stopping.max_iterations);
  const double by_residual = share_fallen(iterate, stopping);
  // A residual that is no number counts for nothing.
  return std::clamp(by_residual > by_count ? by_residual : by_count, 0.0, 1.0);
}

}  // namespace mugrad
