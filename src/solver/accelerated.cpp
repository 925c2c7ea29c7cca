// SPDX-License-Identifier: MIT
#include "solver/equilibrium.h"
#include "solver/monitor.h"

#include <mugrad/solver/accelerated.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace mugrad {
namespace {

/// The weights of a run: where the field was evaluated, and the step taken from there before.
template <class Real>
class MomentumSteps {
 public:
  MomentumSteps(const Matrix<Real>& start, double step)
      : step_(static_cast<Real>(step)),
        ahead_(start),
        current_(start),
        age_(static_cast<std::size_t>(start.cols()), 1),
        slope_(age_.size()),
        momentum_(age_.size()) {}

  /// The point at which the field is wanted next.
  const Matrix<Real>& ahead() const noexcept { return ahead_; }

  /// From V (ahead) and W (current): W' = V - step F(V), V' = W' + momentum (W' - W), for the
  /// tasks in [first, end).
  void advance(const Matrix<Real>& field, Index first, Index end) {
    measure_slopes(field, first, end);
    for (Index i = first; i < end; ++i) choose_momentum(static_cast<std::size_t>(i));
    for (Index k = 0; k < field.rows(); ++k) {
      const auto f = field.row(k);
      const auto v = ahead_.row(k);
      const auto w = current_.row(k);
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i) {
        const Real next = v[i] - step_ * f[i];
        v[i] = next + momentum_[i] * (next - w[i]);
        w[i] = next;
      }
    }
  }

 private:
  /// slope_i = F_i(V) . (W'_i - W_i): positive when the last move went uphill.
  void measure_slopes(const Matrix<Real>& field, Index first, Index end) {
    std::fill(slope_.begin() + first, slope_.begin() + end, 0.0);
    for (Index k = 0; k < field.rows(); ++k) {
      const auto f = field.row(k);
      const auto v = ahead_.row(k);
      const auto w = current_.row(k);
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i) {
        slope_[i] += static_cast<double>(f[i]) * static_cast<double>(v[i] - step_ * f[i] - w[i]);
      }
    }
  }

  void choose_momentum(std::size_t i) {
    if (slope_[i] > 0) age_[i] = 1;
    const double older = (1 + std::sqrt(1 + 4 * age_[i] * age_[i])) / 2;
    momentum_[i] = static_cast<Real>((age_[i] - 1) / older);
    age_[i] = older;
  }

  Real step_;
  Matrix<Real> ahead_, current_;
  std::vector<double> age_;  ///< Nesterov's t, per task
  std::vector<double> slope_;
  std::vector<Real> momentum_;
};

}  // namespace

template <class Real>
SolveReport run_accelerated(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                            double step, Matrix<Real>& weights, const Stopping& stopping,
                            Observer* observer, ThreadPool& pool) {
  assert(step > 0 && sigma >= 0);
  Monitor monitor(stopping, observer);
  Equilibrium<Real> equilibrium(tasks, transfer, sigma, monitor.wants_loss(), pool);
  MomentumSteps<Real> steps(weights, step);
  while (true) {
    equilibrium.evaluate(steps.ahead());
    if (const auto stop = monitor.check(equilibrium.residual(), equilibrium.total_loss())) {
      weights = steps.ahead();
      return monitor.report(*stop, equilibrium.passes());
    }
    equilibrium.for_each_panel(
        [&](Index first, Index end) { steps.advance(equilibrium.field(), first, end); });
  }
}

template SolveReport run_accelerated(TaskSet<float>&, Transfer<float>&, double, double,
                                     Matrix<float>&, const Stopping&, Observer*, ThreadPool&);
template SolveReport run_accelerated(TaskSet<double>&, Transfer<double>&, double, double,
                                     Matrix<double>&, const Stopping&, Observer*, ThreadPool&);

}  // namespace mugrad
