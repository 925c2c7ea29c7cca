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
  iteration_limit,  ///< the iteration limit was reached first
  diverged,         ///< a value overflowed, or the residual kept growing
  stalled,          ///< no step reduced the residual further, usually because of rounding
  interrupted,      ///< the progress asked to stop
};

std::string_view to_string(Stop stop);

/// When to stop. The residual is max_i |F_i(W)| of equation (11).
struct Stopping {
  /// Stop when the residual is at most this times its initial value; 0: run all iterations, as long
  /// as they reduce it.
  double tolerance = 1e-4;
  /// Reference for the tolerance, for a start near the solution; 0: the initial residual.
  double reference_residual = 0;
  /// Tasks that are solved one by one and start above the tolerance continue to this share of it,
  /// so that the weights they borrow may still change slightly.
  double margin = 1;
  /// Iteration limit per task, over all blocks, sweeps or rounds in which it is solved.
  Index max_iterations = 10000;
  /// The step is not proven safe: a run that ends with a large residual that no longer decreases
  /// counts as diverged. With bounded gradients such a run can oscillate forever.
  bool step_is_suspect = false;
};

/// Stores the iterates of the last run: total loss and residual of each.
class Trace final : public Progress {
 public:
  /// `next`, which may be null, receives the same calls.
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
  double first_residual = 0;  ///< or the reference of the tolerance, if set
  /// Of the returned weights; infinite if a run was interrupted before the first measurement.
  double residual = 0;
};

}  // namespace mugrad
