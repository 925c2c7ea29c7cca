// SPDX-License-Identifier: MIT
#include "solver/newton_krylov.h"

#include "solver/equilibrium.h"
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
      : weights_(weights),
        monitor_(monitor),
        pool_(pool),
        shared_(tasks.shared_curvature()),
        equilibrium_(tasks, transfer, sigma, monitor.wants_loss(), pool),
        preconditioner_(shared_, tasks.parameters(), transfer, sigma, pool),
        space_(weights.rows(), weights.cols(), pool),
        field_(weights.rows(), weights.cols()),
        step_(field_),
        product_(field_),
        trial_(field_),
        bends_(static_cast<std::size_t>(weights.cols())) {
    if (shared_ != nullptr) return;
    const auto curvatures = tasks.curvatures();
    std::ranges::transform(curvatures, bends_.begin(), &CurvatureRange::most);
  }

  SolveReport run() {
    evaluate(weights_);
    while (true) {
      auto stop = monitor_.check(equilibrium_.residual(), equilibrium_.total_loss());
      if (!stop) {
        find_step();
        if (!take_step()) stop = Stop::stalled;
      }
      if (!stop) continue;
      return monitor_.report(*stop,
                             equilibrium_.passes() + (shared_ == nullptr ? 0 : shared_->passes));
    }
  }

 private:
  void evaluate(const Matrix<Real>& weights) {
    equilibrium_.evaluate({}, weights, field_,
                          shared_ == nullptr ? std::span<double>{} : std::span(bends_));
    length_ = std::sqrt(space_.dot(field_, field_));
    first_length_ = std::max(first_length_, length_);
  }

  /// F'(W) step = -F, about: with u = P step, F'(W) P^-1 u = -F.
  void find_step() {
    constexpr double kLeastExact = 0.25;
    constexpr Index kMostProducts = 40;
    const double wanted = std::min(kLeastExact, std::sqrt(length_ / first_length_));
    preconditioner_.set_bends(bends_);
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

  /// Whether a part of the step lessens |F|; then the weights have moved.
  bool take_step() {
    constexpr double kEnough = 1e-4;
    constexpr int kTrials = 20;
    const double before = length_;
    double part = 1;
    for (int trial = 0; trial < kTrials; ++trial) {
      const auto w = weights_.values();
      const auto s = step_.values();
      const auto to = trial_.values();
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = w[k] + static_cast<Real>(part) * s[k];
      evaluate(trial_);
      if (length_ <= (1 - kEnough * part) * before) {
        std::swap(weights_, trial_);
        return true;
      }
      part /= 2;
    }
    evaluate(weights_);
    return false;
  }

  Matrix<Real>& weights_;
  Monitor& monitor_;
  ThreadPool& pool_;
  const SharedCurvature<Real>* shared_;
  Equilibrium<Real> equilibrium_;
  Preconditioner<Real> preconditioner_;
  KrylovSpace<Real> space_;
  Matrix<Real> field_, step_, product_, trial_;
  std::vector<double> bends_;
  double length_ = 0;  ///< |F|
  double first_length_ = 0;
};

}  // namespace

template <class Real>
SolveReport run_newton_krylov(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                              Matrix<Real>& weights, const Stopping& stopping, Observer* observer,
                              ThreadPool& pool) {
  Monitor monitor(stopping, observer);
  return NewtonKrylov<Real>(tasks, transfer, sigma, weights, monitor, pool).run();
}

template SolveReport run_newton_krylov(TaskSet<float>&, Transfer<float>&, double, Matrix<float>&,
                                       const Stopping&, Observer*, ThreadPool&);
template SolveReport run_newton_krylov(TaskSet<double>&, Transfer<double>&, double, Matrix<double>&,
                                       const Stopping&, Observer*, ThreadPool&);

}  // namespace mugrad
