// SPDX-License-Identifier: MIT
#include "solver/proximal_gradient.h"

#include "solver/monitor.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace mugrad {
namespace {

constexpr std::size_t kWindow = 10;  // iterations over which the decrease is measured

struct Point {
  Matrix<double> weights, gradient;
  double value = 0;  ///< of the objective

  explicit Point(const Matrix<double>& start)
      : weights(start), gradient(start.rows(), start.cols()) {}

  GradientAt place() const noexcept { return {weights, gradient}; }
  void evaluate(QuadraticFunction& q, const Sparsity& sparsity) {
    value = q.evaluate(weights, gradient);
    value += sparsity.cost(weights);
  }
};

class Run {
 public:
  Run(QuadraticFunction& q, const Sparsity& sparsity, const Matrix<double>& curvature,
      const Matrix<double>& start)
      : q_(q),
        sparsity_(sparsity),
        curvature_(curvature),
        before_(start),
        now_(start),
        next_(start),
        looked_ahead_(start.rows(), start.cols()),
        slope_(start.rows(), start.cols()) {
    now_.evaluate(q_, sparsity_);
    before_ = now_;
    fallen_from_.fill(now_.value);
    floor_ = 1e-9 * std::fabs(now_.value);
  }

  Point& now() noexcept { return now_; }
  bool is_unbounded() const noexcept { return is_unbounded_; }
  double violation() const noexcept { return sparsity_.violation(now_.weights, now_.gradient); }

  /// One step; returns a reason to stop, if any.
  std::optional<Stop> step() {
    look_ahead();
    next_.weights = looked_ahead_;
    soften(sparsity_, slope_, curvature_, 0, next_.weights.rows(), next_.weights);
    next_.evaluate(q_, sparsity_);
    if (!std::isfinite(next_.value)) return Stop::diverged;
    is_unbounded_ = has_negative_curvature(now_.place(), next_.place(), curvature_);
    if (is_unbounded_) return Stop::diverged;
    if (next_.value > now_.value) {
      if (momentum_ == 0) return Stop::converged;  // an uphill step without momentum is rounding
      start_anew();
      return {};
    }
    const bool turned = has_turned();
    std::swap(before_, now_);
    std::swap(now_, next_);
    if (turned) {
      start_anew();
    } else {
      const double after = (1 + std::sqrt(1 + 4 * pace_ * pace_)) / 2;
      momentum_ = (pace_ - 1) / after;
      pace_ = after;
    }
    return {};
  }

  /// The relative decrease of the objective over the last iterations.
  double share_fallen() {
    const double since = std::exchange(fallen_from_[turn_++ % kWindow], now_.value);
    const double scale = std::max(std::fabs(now_.value), floor_);
    if (turn_ < kWindow) return 1;
    return scale > 0 ? (since - now_.value) / scale : 0;
  }

 private:
  /// V = W + momentum (W - previous W); the gradient there follows because q is quadratic.
  void look_ahead() {
    const auto ahead = [m = momentum_](const Matrix<double>& now, const Matrix<double>& before,
                                       Matrix<double>& to) {
      for (std::size_t i = 0; i < to.values().size(); ++i) {
        to.values()[i] = now.values()[i] + m * (now.values()[i] - before.values()[i]);
      }
    };
    ahead(now_.weights, before_.weights, looked_ahead_);
    ahead(now_.gradient, before_.gradient, slope_);
  }

  /// Whether the step went against the momentum.
  bool has_turned() const {
    double turn = 0;
    for (std::size_t i = 0; i < curvature_.values().size(); ++i) {
      const double next = next_.weights.values()[i];
      turn += curvature_.values()[i] * (looked_ahead_.values()[i] - next) *
              (next - now_.weights.values()[i]);
    }
    return turn > 0;
  }

  void start_anew() noexcept {
    momentum_ = 0;
    pace_ = 1;
  }

  QuadraticFunction& q_;
  const Sparsity& sparsity_;
  const Matrix<double>& curvature_;
  Point before_, now_, next_;
  Matrix<double> looked_ahead_, slope_;
  double momentum_ = 0, pace_ = 1;
  bool is_unbounded_ = false;
  std::array<double, kWindow> fallen_from_{};
  std::size_t turn_ = 0;
  double floor_ = 0;
};

double softened(double value, double by) noexcept {
  return value > by ? value - by : value < -by ? value + by : 0;
}

}  // namespace

double Sparsity::cost(const Matrix<double>& weights) const noexcept {
  double cost = 0;
  for (Index k = 0; k < weights.rows(); ++k) {
    double sum = 0;
    for (const double weight : weights.row(k)) sum += std::fabs(weight);
    cost += penalty[as_size(k)] * sum;
  }
  return cost;
}

double Sparsity::violation(const Matrix<double>& weights,
                           const Matrix<double>& gradient) const noexcept {
  double most = 0;
  for (Index k = 0; k < weights.rows(); ++k) {
    const double price = penalty[as_size(k)];
    for (Index t = 0; t < weights.cols(); ++t) {
      if (is_held(k, t)) continue;
      const double slope = gradient(k, t);
      const double weight = weights(k, t);
      const double off =
          weight == 0 ? std::fabs(slope) - price : std::fabs(slope + std::copysign(price, weight));
      most = std::max(most, off);
    }
  }
  return most;
}

void soften(const Sparsity& sparsity, const Matrix<double>& gradient,
            const Matrix<double>& curvature, Index begin, Index end, Matrix<double>& weights) {
  for (Index k = begin; k < end; ++k) {
    const double price = sparsity.penalty[as_size(k)];
    const auto to = weights.row(k);
    const auto slope = gradient.row(k);
    const auto bound = curvature.row(k);
    for (std::size_t t = 0; t < to.size(); ++t) {
      to[t] = softened(to[t] - slope[t] / bound[t], price / bound[t]);
    }
    if (!sparsity.zero_diagonal) continue;
    const Index held = k - *sparsity.zero_diagonal;
    if (held >= 0 && held < weights.cols()) to[as_size(held)] = 0;
  }
}

bool has_negative_curvature(const GradientAt& a, const GradientAt& b,
                            const Matrix<double>& curvature) {
  double second = 0;  // <d, H d>, d = b - a
  double bound = 0;   // its upper bound
  double terms = 0;   // magnitude of its terms, to which rounding is proportional
  for (std::size_t i = 0; i < curvature.values().size(); ++i) {
    const double from = a.weights.values()[i];
    const double to = b.weights.values()[i];
    const double slope = a.gradient.values()[i];
    const double next_slope = b.gradient.values()[i];
    const double most = curvature.values()[i];
    const double d = to - from;
    second += d * (next_slope - slope);
    bound += most * d * d;
    terms += std::fabs(d) *
             (std::fabs(slope) + std::fabs(next_slope) + most * (std::fabs(from) + std::fabs(to)));
  }
  return second < -1e-9 * bound - 1e-12 * terms;
}

ProximalReport minimise(QuadraticFunction& q, const Sparsity& sparsity,
                        const Matrix<double>& curvature, Matrix<double>& weights,
                        const ProximalStopping& stopping, Progress* progress) {
  assert(curvature.rows() == weights.rows() && curvature.cols() == weights.cols());
  Run run(q, sparsity, curvature, weights);
  ProximalReport report{.first_residual = run.violation()};
  double told = 0;
  while (report.iterations < stopping.max_iterations) {
    ++report.iterations;
    if (const auto stop = run.step()) {
      report.stop = *stop;
      break;
    }
    report.kept = report.iterations;
    const double fallen = run.share_fallen();
    const Iterate iterate{.iteration = report.iterations, .residual = fallen, .first_residual = 1};
    told = std::max(told, share_done(iterate, {.tolerance = stopping.tolerance,
                                               .max_iterations = stopping.max_iterations}));
    if (progress != nullptr && !progress->update(told)) {
      report.stop = Stop::interrupted;
      break;
    }
    if (fallen <= stopping.tolerance) {
      report.stop = Stop::converged;
      break;
    }
  }
  report.is_unbounded = run.is_unbounded();
  report.residual = run.violation();
  report.objective = run.now().value;
  weights = std::move(run.now().weights);
  return report;
}

}  // namespace mugrad
