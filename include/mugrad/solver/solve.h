// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <limits>
#include <string_view>
#include <vector>

namespace mugrad {

/// Why a run ended.
enum class Stop {
  converged,        ///< the residual fell below the tolerance
  iteration_limit,  ///< it did not within the iterations allowed
  diverged,         ///< a value left the finite numbers, or the residual kept growing
  stalled,          ///< no step lessened it any further: as a rule, rounding keeps it above
  interrupted,      ///< the observer asked to stop
};

std::string_view to_string(Stop stop);

/// When to stop. The residual is max_i |F_i(W)| of equation (11).
struct Stopping {
  /// Stop when the residual is at most this times its first value; 0: run all iterations, as long
  /// as they still lessen it.
  double tolerance = 1e-4;
  /// What the tolerance is relative to instead; 0: the first residual. For a start near the end.
  double reference_residual = 0;
  /// Tasks that are solved one by one and start above the tolerance go on to this share of it, so
  /// that what they borrow may change a little afterwards.
  double margin = 1;
  /// No task is iterated on more often, in however many blocks, sweeps or rounds it is solved.
  Index max_iterations = 10000;
  /// The step is not proven safe: a run that ends with a residual that is large and has stopped
  /// falling counts as diverged. Bounded gradients let such a run swing for ever.
  bool step_is_suspect = false;
};

/// What a run reports at each iterate.
struct IterationState {
  Index iteration = 0;  ///< 0 is the start
  double residual = 0;
  double first_residual = 0;
  /// sum_i f_i(w_i); NaN unless the observer wants it.
  double total_loss = std::numeric_limits<double>::quiet_NaN();
};

/// Watches a run: progress, traces and interruption live here, not in the iteration.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Whether total_loss is to be computed at every iterate (it costs about a quarter more).
  virtual bool wants_loss() const { return false; }
  /// Called once before the first iterate.
  virtual void begin(const Stopping&) {}
  /// Returns false to stop.
  virtual bool observe(const IterationState& state) = 0;
  /// Told now and then what share of an iteration is done, when that takes long, and 0 between the
  /// steps that come before the first. Returns false to stop.
  virtual bool observe_within(double /*share*/) { return true; }
  /// Told by methods that consist of many runs what share of all is done, instead of the iterates
  /// of each. Returns false to stop.
  virtual bool observe_share(double /*share*/) { return true; }
};

/// Keeps what it saw: total loss and residual per iteration.
class Trace final : public Observer {
 public:
  /// `next`, which may be null, is asked too.
  explicit Trace(Observer* next = nullptr) : next_(next) {}
  bool wants_loss() const override { return true; }
  void begin(const Stopping& stopping) override;
  bool observe(const IterationState& state) override;
  bool observe_within(double share) override {
    return next_ == nullptr || next_->observe_within(share);
  }
  bool observe_share(double share) override {
    return next_ == nullptr || next_->observe_share(share);
  }
  const std::vector<IterationState>& states() const noexcept { return states_; }

 private:
  Observer* next_;
  std::vector<IterationState> states_;
};

struct SolveReport {
  Stop stop = Stop::iteration_limit;
  Index iterations = 0;
  Index passes = 0;           ///< over the data: gradients and products with Hessians
  double first_residual = 0;  ///< or what the tolerance was relative to instead
  /// Of the weights returned; infinite when a run was interrupted before it had measured any.
  double residual = 0;
};

}  // namespace mugrad
