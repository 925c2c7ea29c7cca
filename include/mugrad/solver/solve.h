// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/core/types.h>

#include <string_view>
#include <vector>

namespace mugrad {

/// Why a run ended.
enum class Stop {
  converged,        ///< the residual fell below the tolerance
  iteration_limit,  ///< it did not within the iterations allowed
  diverged,         ///< a value left the finite numbers, or the residual kept growing
  stalled,          ///< no step lessened it any further: as a rule, rounding keeps it above
  interrupted,      ///< the progress asked to stop
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

/// Keeps the iterates of the last run: total loss and residual of each.
class Trace final : public Progress {
 public:
  /// `next`, which may be null, is told too.
  explicit Trace(Progress* next = nullptr) : next_(next) {}
  bool wants_loss() const override { return true; }
  bool update(double share) override { return next_ == nullptr || next_->update(share); }
  void iterate(const Iterate& iterate) override;
  const std::vector<Iterate>& iterates() const noexcept { return iterates_; }

 private:
  Progress* next_;
  std::vector<Iterate> iterates_;
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
