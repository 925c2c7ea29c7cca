// SPDX-License-Identifier: MIT
#pragma once

#include "solver/monitor.h"

#include <span>
#include <vector>

namespace mugrad {

/// The tasks that are still being solved, one column each; converged tasks leave when that makes
/// the passes notably shorter.
class OpenTasks {
 public:
  /// All tasks. `together`: none is done before all are. Norms below `near_rounding`, relative to
  /// the reference of the tolerance, may be at the limit of the arithmetic.
  OpenTasks(Index tasks, bool together, double near_rounding, const Monitor& monitor);

  Index count() const noexcept { return std::ssize(task_); }
  Index task(std::size_t t) const noexcept { return task_[t]; }
  /// The tasks of the columns, in the form of TaskSet calls: empty while they are all.
  std::span<const Index> which() const noexcept;

  /// Records |F_i| of column t, and f_i if losses are requested.
  void record(std::size_t t, double norm, double value) noexcept;
  double norm(std::size_t t) const noexcept { return norm_[t]; }
  double value(std::size_t t) const noexcept { return value_[t]; }
  /// The largest norm and the sum of the values of all tasks, including those that have left.
  double residual() const noexcept;
  double total_value() const noexcept;

  /// Marks columns that are done: within the tolerance, or kept from it by rounding. Call it once
  /// per iteration.
  void mark_done();
  std::span<const char> done() const noexcept { return done_; }
  bool all_done() const noexcept;

  /// The columns to keep when the others leave; empty: not worthwhile yet.
  std::vector<Index> worth_keeping() const;
  void keep_columns(std::span<const Index> kept);

 private:
  bool is_idle(std::size_t t) const noexcept;

  Index tasks_;
  bool together_;
  double near_rounding_;
  const Monitor& monitor_;
  Index iteration_ = -1;
  std::vector<Index> task_;
  std::vector<double> norm_, value_;
  std::vector<double> best_;          ///< the least norm that counted as an improvement
  std::vector<Index> gained_;         ///< the iteration of that improvement
  std::vector<char> started_within_;  ///< the tolerance
  std::vector<char> done_;
  double worst_left_ = 0;  ///< the largest norm of the tasks that have left
  double value_left_ = 0;  ///< the sum of their values
};

}  // namespace mugrad
