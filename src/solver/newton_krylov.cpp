// SPDX-License-Identifier: MIT
#include "solver/equilibrium.h"
#include "solver/equilibrium_solvers.h"
#include "solver/krylov_space.h"
#include "solver/monitor.h"
#include "solver/preconditioner.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mugrad {
namespace {

template <class Real>
class NewtonKrylov {
 public:
  NewtonKrylov(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma, Matrix<Real>& weights,
               Monitor& monitor, ThreadPool& pool)
      : tasks_(tasks),
        sigma_(sigma),
        weights_(weights),
        monitor_(monitor),
        shared_(tasks.shared_curvature()),
        equilibrium_(tasks, transfer, sigma, monitor.wants_loss(), pool),
        preconditioner_(shared_, tasks.parameters(), transfer, sigma, pool),
        space_(weights.rows(), weights.cols(), kMostProducts, pool),
        field_(weights.rows(), weights.cols()),
        step_(field_),
        product_(field_),
        trial_(field_),
        curvatures_(as_size(weights.cols())) {
    if (shared_ != nullptr) return;
    const auto curvatures = tasks.curvatures();
    std::ranges::transform(curvatures, curvatures_.begin(), &CurvatureRange::most);
  }

  SolveReport run() {
    evaluate(weights_);
    first_length_ = length_;
    while (true) {
      auto stop = monitor_.check(equilibrium_.residual(), equilibrium_.total_loss());
      if (!stop && !advance()) stop = Stop::stalled;
      if (!stop) continue;
      return monitor_.report(*stop, equilibrium_.passes() + tasks_.take_shared_passes());
    }
  }

 private:
  static constexpr Index kMostProducts = 40;  ///< per step

  void evaluate(const Matrix<Real>& weights) {
    equilibrium_.evaluate({}, weights, field_,
                          shared_ == nullptr ? std::span<double>{} : std::span(curvatures_));
    length_ = std::sqrt(space_.dot(field_, field_));
  }

  /// Computes the next iterate; returns false if only rounding errors are left.
  bool advance() {
    if (plain_steps_left_ == 0) {
      find_step();
      if (take_step()) return true;
      if (equilibrium_.residual() <= kNearRounding<Real> * monitor_.reference()) return false;
      plain_steps_left_ = next_plain_steps_;
      next_plain_steps_ *= 2;
    }
    --plain_steps_left_;
    take_plain_step();
    return true;
  }

  /// Far out, where logistic losses are linear, F' does not indicate the zero of F. By Theorem 1
  /// equation (6) converges from any start, although slowly.
  void take_plain_step() {
    if (plain_step_ == 0) plain_step_ = 1.9 / (tasks_.curvature() + 2 * sigma_);
    const auto w = weights_.values();
    const auto f = field_.values();
    for (std::size_t k = 0; k < w.size(); ++k) w[k] -= static_cast<Real>(plain_step_) * f[k];
    evaluate(weights_);
  }

  /// Solves F'(W) step = -F approximately: with u = P step, F'(W) P^-1 u = -F.
  void find_step() {
    constexpr double kLeastExact = 0.25;
    const double wanted = std::min(kLeastExact, std::sqrt(length_ / first_length_));
    preconditioner_.set_curvatures(curvatures_);
    for (Real& entry : field_.values()) entry = -entry;
    space_.begin(field_);
    while (!space_.is_exhausted() && space_.size() < kMostProducts) {
      preconditioner_.apply(space_.last(), step_);
      equilibrium_.multiply(weights_, step_, product_);
      space_.extend(product_);
      if (space_.relative_residual() <= wanted) break;
    }
    space_.solution(product_);
    preconditioner_.apply(product_, step_);
  }

  /// Whether a part of the step reduces |F|; if so, the weights have moved.
  bool take_step() {
    constexpr double kEnough = 0.3;  // of the predicted decrease, to avoid running far out
    constexpr int kTrials = 20;
    // Where logistic losses are linear, a step may change the sign of F and little else.
    constexpr double kTooFar = 0.3;
    const double before = length_;
    const double slope = space_.dot(step_, field_);  // field_ is -F; its sign does not matter
    double part = 1;
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto w = weights_.values();
      const auto s = step_.values();
      const auto to = trial_.values();
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = w[k] + static_cast<Real>(part) * s[k];
      evaluate(trial_);
      const bool too_far = space_.dot(step_, field_) > kTooFar * std::fabs(slope);
      if (length_ <= (1 - kEnough * part) * before && !too_far) {
        std::swap(weights_, trial_);
        return true;
      }
      part /= 2;
    }
    evaluate(weights_);
    return false;
  }

  TaskSet<Real>& tasks_;
  double sigma_;
  Matrix<Real>& weights_;
  Monitor& monitor_;
  const SharedCurvature<Real>* shared_;
  Equilibrium<Real> equilibrium_;
  Preconditioner<Real> preconditioner_;
  KrylovSpace<Real> space_;
  Matrix<Real> field_, step_, product_, trial_;
  std::vector<double> curvatures_;
  double length_ = 0;  ///< |F|
  double first_length_ = 0;
  Index plain_steps_left_ = 0;
  Index next_plain_steps_ = 8;
  double plain_step_ = 0;  ///< 0: not computed yet
};

}  // namespace

template <class Real>
SolveReport run_newton_krylov(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                              Matrix<Real>& weights, const Stopping& stopping, Progress* progress,
                              ThreadPool& pool) {
  Monitor monitor(stopping, progress);
  return NewtonKrylov<Real>(tasks, transfer, sigma, weights, monitor, pool).run();
}

template decltype(run_newton_krylov<float>) run_newton_krylov<float>;
template decltype(run_newton_krylov<double>) run_newton_krylov<double>;

}  // namespace mugrad
