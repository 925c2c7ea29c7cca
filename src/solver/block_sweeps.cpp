// SPDX-License-Identifier: MIT
#include "solver/block_sweeps.h"

#include "solver/answering_tasks.h"
#include "solver/monitor.h"
#include "solver/quasi_newton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace mugrad {
namespace {

/// Watches the run of a block for the run of all.
class BlockObserver final : public Observer {
 public:
  explicit BlockObserver(Monitor& monitor) : monitor_(monitor) {}

  void set_share(double share) noexcept { share_ = share; }
  bool wants_loss() const override { return monitor_.wants_loss(); }
  bool observe(const IterationState& state) override {
    loss_ = state.total_loss;
    return monitor_.go_on(share_);
  }
  double loss() const noexcept { return loss_; }

 private:
  Monitor& monitor_;
  double share_ = 0;
  double loss_ = 0;
};

template <class Real>
class BlockSweeps {
 public:
  BlockSweeps(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, Index block_tasks,
              Matrix<Real>& weights, Monitor& monitor, ThreadPool& pool)
      : tasks_(tasks),
        transfer_(transfer),
        sigma_(sigma),
        block_tasks_(block_tasks),
        weights_(weights),
        monitor_(monitor),
        observer_(monitor),
        pool_(pool),
        blocks_(static_cast<std::size_t>((tasks.tasks() + block_tasks - 1) / block_tasks)) {}

  SolveReport run() {
    // First only measured: the tolerance is relative to the residual of the start.
    sweep(0, 0);
    bool moved = sigma_ > 0;
    while (!interrupted_) {
      auto stop = monitor_.check(residual(), total_loss());
      // Only a sweep that moves nothing has found the residual of the weights as they are.
      if (stop == Stop::converged && moved) stop.reset();
      if (!stop && stalled_) stop = Stop::stalled;
      if (stop) return report(*stop);
      const double target = monitor_.target();
      const bool separate = sigma_ == 0;
      moved = sweep(separate ? target : std::max(0.5 * target, kExactness * residual()),
                    kBlockIterations) &&
              !separate;
    }
    return report(Stop::interrupted);
  }

 private:
  /// Blocks are solved no further than what the others hold can be trusted.
  static constexpr double kExactness = 0.2;
  static constexpr Index kBlockIterations = 1000;

  struct Block {
    double residual = 0;  ///< when it was last looked at
    double loss = 0;
  };

  double residual() const noexcept {
    return std::ranges::max(blocks_, {}, &Block::residual).residual;
  }
  double total_loss() const noexcept {
    if (!monitor_.wants_loss()) return std::numeric_limits<double>::quiet_NaN();
    double total = 0;
    for (const Block& block : blocks_) total += block.loss;
    return total;
  }
  SolveReport report(Stop stop) const {
    const auto served = static_cast<double>(served_) / static_cast<double>(tasks_.tasks());
    return monitor_.report(stop, static_cast<Index>(std::ceil(served)) + shared_passes());
  }
  Index shared_passes() const {
    const auto* shared = tasks_.shared_curvature();
    return shared == nullptr ? 0 : shared->passes;
  }

  /// Lets every block answer, down to this residual; whether any moved.
  bool sweep(double target, Index most_iterations) {
    bool moved = false;
    for (std::size_t block = 0; block < blocks_.size() && !interrupted_; ++block) {
      observer_.set_share(static_cast<double>(block) / static_cast<double>(blocks_.size()));
      moved = solve(block, target, most_iterations) || moved;
    }
    return moved;
  }

  bool solve(std::size_t number, double target, Index most_iterations) {
    const Index begin = static_cast<Index>(number) * block_tasks_;
    const Index end = std::min(begin + block_tasks_, tasks_.tasks());
    AnsweringTasks<Real> tasks(tasks_, sigma_ > 0 ? transfer_.matrix() : nullptr,
                               transfer_.intercepts(), sigma_, weights_, begin, end, pool_);
    Matrix<Real> part(weights_.rows(), end - begin);
    for (Index k = 0; k < part.rows(); ++k) {
      std::copy_n(weights_.row(k).begin() + begin, end - begin, part.row(k).begin());
    }
    // Relative to one, the tolerance is the residual itself.
    const Stopping stopping{
        .tolerance = target, .reference_residual = 1, .max_iterations = most_iterations};
    const auto solved =
        run_quasi_newton<Real>(tasks, transfer_, 0, part, stopping, &observer_, pool_);
    served_ += (solved.passes - shared_passes()) * (end - begin);
    blocks_[number] = {.residual = solved.residual, .loss = observer_.loss()};
    interrupted_ = solved.stop == Stop::interrupted;
    stalled_ = stalled_ || solved.stop == Stop::stalled;
    if (solved.iterations == 0) return false;
    for (Index k = 0; k < part.rows(); ++k) {
      std::ranges::copy(part.row(k), weights_.row(k).begin() + begin);
    }
    return true;
  }

  TaskSet<Real>& tasks_;
  Transfer<Real>& transfer_;
  double sigma_;
  Index block_tasks_;
  Matrix<Real>& weights_;
  Monitor& monitor_;
  BlockObserver observer_;
  ThreadPool& pool_;
  std::vector<Block> blocks_;
  Index served_ = 0;  ///< tasks that passes over the data served
  bool stalled_ = false;
  bool interrupted_ = false;
};

}  // namespace

template <class Real>
SolveReport run_block_sweeps(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                             Index block_tasks, Matrix<Real>& weights, const Stopping& stopping,
                             Observer* observer, ThreadPool& pool) {
  assert(block_tasks > 0 && (sigma == 0 || transfer.matrix() != nullptr));
  Monitor monitor(stopping, observer);
  return BlockSweeps<Real>(tasks, transfer, sigma, block_tasks, weights, monitor, pool).run();
}

template SolveReport run_block_sweeps(TaskSet<float>&, Transfer<float>&, double, Index,
                                      Matrix<float>&, const Stopping&, Observer*, ThreadPool&);
template SolveReport run_block_sweeps(TaskSet<double>&, Transfer<double>&, double, Index,
                                      Matrix<double>&, const Stopping&, Observer*, ThreadPool&);

}  // namespace mugrad
