// SPDX-License-Identifier: MIT
#include "solver/answering_tasks.h"
#include "solver/equilibrium_solvers.h"
#include "solver/monitor.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

/// Forwards the progress of a block's run to the whole run.
class SweepProgress final : public Progress {
 public:
  explicit SweepProgress(Monitor& monitor) : monitor_(monitor) {}

  /// Sets the number of finished sweeps, including the share of the current one. A sweep takes
  /// about half the time of the previous one, because fewer tasks need solving.
  void set_sweeps(double sweeps) noexcept { share_ = 1 - std::exp2(-sweeps); }
  bool wants_loss() const override { return monitor_.wants_loss(); }
  bool update(double /*share of a block's run*/) override { return monitor_.go_on(share_); }

 private:
  Monitor& monitor_;
  double share_ = 0;
};

template <class Real>
class BlockSweeps {
 public:
  BlockSweeps(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, Index block_tasks,
              Matrix<Real>& weights, Monitor& monitor, ThreadPool& pool)
      : tasks_(tasks),
        transfer_(transfer),
        mbar_(sigma > 0 ? transfer.matrix() : nullptr),
        sigma_(sigma),
        block_tasks_(block_tasks),
        weights_(weights),
        monitor_(monitor),
        progress_(monitor),
        pool_(pool),
        answering_(tasks, mbar_, transfer.intercepts(), sigma, pool),
        space_(pool),
        states_(as_size(tasks.tasks())) {}

  SolveReport run() {
    measure();  // the tolerance is relative to this residual
    while (!end_) {
      end_ = reason_to_stop();
      if (end_) break;
      // Solutions need not be more accurate than the borrowed weights.
      const double exact = sigma_ > 0 ? kExactness * residual() / monitor_.reference() : 0;
      sweep(std::max(monitor_.tolerance(), exact));
    }
    const Stop stop = *end_;
    if (stop == Stop::diverged) measure();
    return report(stop);
  }

 private:
  static constexpr double kExactness = 0.3;
  static constexpr double kMargin = 0.3;

  struct State {
    /// F_i| when it was last computed
    double residual = std::numeric_limits<double>::infinity();
    double loss = 0;
    Index looked = -1;  ///< time of that computation
    Index moved = 0;    ///< time of the last change of the weights; the clock ticks with each block
  };

  State& state(Index task) noexcept { return states_[as_size(task)]; }
  const State& state(Index task) const noexcept { return states_[as_size(task)]; }

  /// The largest residual; not finite if any is not.
  double residual() const noexcept {
    double largest = 0;
    for (const State& state : states_) {
      if (!std::isfinite(state.residual)) return state.residual;
      largest = std::max(largest, state.residual);
    }
    return largest;
  }
  double total_loss() const noexcept {
    if (!monitor_.wants_loss()) return std::numeric_limits<double>::quiet_NaN();
    double total = 0;
    for (const State& state : states_) total += state.loss;
    return total;
  }
  SolveReport report(Stop stop) {
    const auto served = static_cast<double>(answering_.served());
    const auto passes = std::ceil(served / static_cast<double>(tasks_.tasks()));
    monitor_.correct(residual());
    return monitor_.report(stop, static_cast<Index>(passes) + tasks_.take_shared_passes());
  }

  /// The reason to stop after the last sweep, if any. Moves have changed the residuals of other
  /// tasks, so residuals are measured again before they decide anything but to continue.
  std::optional<Stop> reason_to_stop() {
    auto stop = monitor_.check(residual(), total_loss(), std::max<Index>(1, iterations_));
    if (stop == Stop::interrupted || stop == Stop::diverged) return stop;
    if (stop == Stop::converged && !any_outdated()) return stop;
    const bool has_stalled = std::exchange(stalled_, false);
    if (!monitor_.is_at_limit() && !has_stalled) return std::nullopt;
    const bool is_settled = !any_outdated();
    measure();
    if (end_) return end_;
    if (monitor_.is_enough(residual())) return Stop::converged;
    if (monitor_.is_at_limit()) return Stop::iteration_limit;
    return is_settled || !has_gained() ? std::optional(Stop::stalled) : std::nullopt;
  }

  /// Whether the sweeps between two stalled blocks have reduced the residual.
  bool has_gained() noexcept {
    constexpr double kGain = 0.9;
    const double before = std::exchange(stalled_at_, residual());
    return stalled_at_ <= kGain * before;
  }

  /// Whether the residual is outdated: weights that the task borrows have changed.
  bool is_outdated(Index task) const noexcept {
    if (state(task).looked < 0) return true;
    if (mbar_ == nullptr) return false;
    return std::ranges::any_of(mbar_->row_columns(task), [&](LabelId other) {
      return other != task && state(other).moved > state(task).looked;
    });
  }
  bool any_outdated() const noexcept {
    for (Index task = 0; task < tasks_.tasks(); ++task) {
      if (is_outdated(task)) return true;
    }
    return false;
  }

  /// Computes the residual of every task for which it is outdated.
  void measure() {
    end_.reset();
    sweep(std::numeric_limits<double>::infinity());
  }

  /// Solves every task that needs it, one block at a time, until its residual is within the
  /// tolerance. An infinite tolerance only measures.
  void sweep(double tolerance) {
    const Stopping stopping{.tolerance = tolerance,
                            .reference_residual = monitor_.reference(),
                            .margin = sigma_ > 0 ? kMargin : 1,
                            .max_iterations = monitor_.iterations_left()};
    const double enough = tolerance * monitor_.reference();
    const double weight = std::isinf(tolerance) ? 0 : 1;  // measuring is one pass
    iterations_ = 0;
    block_.clear();
    for (Index task = 0; task < tasks_.tasks() && !end_; ++task) {
      if (is_outdated(task) || state(task).residual > enough) block_.push_back(task);
      const bool is_last = task + 1 == tasks_.tasks();
      if (block_.empty() || (std::ssize(block_) < block_tasks_ && !is_last)) continue;
      progress_.set_sweeps(sweeps_ + weight * static_cast<double>(task) /
                                         static_cast<double>(tasks_.tasks()));
      answer(stopping);
      block_.clear();
    }
    sweeps_ += weight;
  }

  void answer(const Stopping& stopping) {
    answering_.choose(block_, weights_);
    part_.resize(weights_.rows(), std::ssize(block_));
    for (Index k = 0; k < part_.rows(); ++k) {
      for (Index t = 0; t < part_.cols(); ++t) {
        part_(k, t) = weights_(k, block_[as_size(t)]);
      }
    }
    norms_.resize(block_.size());
    losses_.resize(block_.size());
    const auto report =
        run_quasi_newton<Real>(answering_, transfer_, 0, part_, stopping, &progress_, pool_,
                               {.norms = norms_, .values = losses_}, space_);
    const Stop stop = report.stop;
    iterations_ = std::max(iterations_, report.iterations);
    if (stop == Stop::interrupted || stop == Stop::diverged) end_ = stop;
    stalled_ = stalled_ || stop == Stop::stalled;
    take_over();
  }

  void take_over() {
    ++clock_;
    moved_.assign(block_.size(), 0);
    for (Index k = 0; k < part_.rows(); ++k) {
      for (std::size_t t = 0; t < block_.size(); ++t) {
        Real& weight = weights_(k, block_[t]);
        moved_[t] |= static_cast<char>(weight != part_(k, as_index(t)));
        weight = part_(k, as_index(t));
      }
    }
    for (std::size_t t = 0; t < block_.size(); ++t) {
      State& now = state(block_[t]);
      now.residual = norms_[t];
      now.loss = losses_[t];
      now.looked = clock_;
      // Later than all measurements of the block.
      if (moved_[t]) now.moved = clock_ + 1;
    }
    ++clock_;
  }

  TaskSet<Real>& tasks_;
  Transfer<Real>& transfer_;
  const CsrMatrix<double>* mbar_;  ///< null without transfer
  double sigma_;
  Index block_tasks_;
  Matrix<Real>& weights_;
  Monitor& monitor_;
  SweepProgress progress_;
  ThreadPool& pool_;
  AnsweringTasks<Real> answering_;
  QuasiNewtonSpace<Real> space_;
  std::vector<State> states_;
  std::vector<Index> block_;            ///< the tasks of the block
  Matrix<Real> part_;                   ///< their weights
  std::vector<double> norms_, losses_;  ///< and their results
  std::vector<char> moved_;
  Index clock_ = 0;
  double sweeps_ = 0;     ///< finished, for the progress
  Index iterations_ = 0;  ///< of the longest block of the last sweep
  bool stalled_ = false;  ///< a block stalled since this was last checked
  double stalled_at_ = std::numeric_limits<double>::infinity();
  std::optional<Stop> end_;  ///< set if a block ended the run
};

}  // namespace

template <class Real>
SolveReport run_block_sweeps(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Index block_tasks, Matrix<Real>& weights, const Stopping& stopping,
                             Progress* progress, ThreadPool& pool) {
  assert(block_tasks > 0 && (sigma == 0 || transfer.matrix() != nullptr));
  Monitor monitor(stopping, progress);
  return BlockSweeps<Real>(tasks, transfer, sigma, block_tasks, weights, monitor, pool).run();
}

template decltype(run_block_sweeps<float>) run_block_sweeps<float>;
template decltype(run_block_sweeps<double>) run_block_sweeps<double>;

}  // namespace mugrad
