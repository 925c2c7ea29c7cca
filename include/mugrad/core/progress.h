// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <functional>
#include <limits>
#include <utility>

namespace mugrad {

/// An iterate of a solver's run.
struct Iterate {
  Index iteration = 0;  ///< 0 is the start of a run
  double residual = 0;
  double first_residual = 0;
  /// sum_i f_i(w_i); NaN unless Progress::wants_loss().
  double total_loss = std::numeric_limits<double>::quiet_NaN();
};

/// Observes long work: receives the share that is done and decides whether the work continues.
///
///     struct Bar : mugrad::Progress {
///       bool update(double share) override {
///         std::fprintf(stderr, "\r%3.0f %%", 100 * share);
///         return !stop_button_was_pressed;
///       }
///     };
///     Bar bar;
///     const mugrad::Model model = fit(data, mugrad::MgdOptions{}, &bar);
///
/// The library calls it from one thread at a time, many times a second. Wherever the library takes
/// a pointer to a Progress, the pointer may be null.
class Progress {
 public:
  virtual ~Progress() = default;
  /// Receives the share of the work that is done, in [0, 1]; it never decreases during one piece of
  /// work. Return false to stop: the work then throws InterruptedError or reports
  /// Stop::interrupted.
  virtual bool update(double share) = 0;
  /// If the work is one run of a solver: called for each iterate, before the update for it.
  virtual void iterate(const Iterate& /*iterate*/) {}
  /// Whether to compute Iterate::total_loss, which costs about a quarter more time.
  virtual bool wants_loss() const { return false; }
};

/// Calls a function for every update.
class ProgressFunction final : public Progress {
 public:
  explicit ProgressFunction(std::function<bool(double share)> update)
      : update_(std::move(update)) {}
  bool update(double share) override { return update_(share); }

 private:
  std::function<bool(double)> update_;
};

/// Reports the share of the work that is done to `progress`, which may be null. Throws
/// InterruptedError if it asks to stop.
void advance(Progress* progress, double share);

}  // namespace mugrad
