// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "method/squares/llsf.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

/// Copies rows [begin, end) to another matrix of the same shape.
void copy_rows(const Matrix<double>& from, Index begin, Index end, Matrix<double>& to) {
  std::copy(from.data() + begin * from.cols(), from.data() + end * from.cols(),
            to.data() + begin * to.cols());
}

double cost_of_support(const Sparsity& sparsity, const Matrix<double>& weights) {
  double cost = 0;
  for (Index k = 0; k < weights.rows(); ++k) {
    const auto row = weights.row(k);
    const auto zeros = std::ranges::count(row, 0.0);
    cost += sparsity.penalty[as_size(k)] * static_cast<double>(std::ssize(row) - zeros);
  }
  return cost;
}

class ReleaseRun {
 public:
  ReleaseRun(QuadraticFunction& q, const Sparsity& sparsity, std::span<const Index> blocks,
             double curvature, Matrix<double>& weights)
      : q_(q),
        sparsity_(sparsity),
        blocks_(blocks),
        bound_(weights.rows(), weights.cols(), curvature > 0 ? curvature : 1),
        weights_(weights),
        before_(weights),
        gradient_(weights.rows(), weights.cols()),
        slope_(gradient_),
        value_(q.evaluate(weights, gradient_)) {}

  double violation() const { return sparsity_.violation(weights_, gradient_); }
  double objective() const { return value_ + sparsity_.cost(weights_); }
  bool is_unbounded() const noexcept { return is_unbounded_; }
  /// The number of steps whose weights are kept.
  Index kept() const noexcept { return kept_; }

  /// One iteration; returns a reason to stop, if any.
  std::optional<Stop> step() {
    Matrix<double> next = next_weights();
    const double next_value = q_.evaluate(next, slope_);
    if (!std::isfinite(next_value)) return no_minimum();
    is_unbounded_ =
        is_unbounded_ || has_negative_curvature({weights_, gradient_}, {next, slope_}, bound_);
    before_ = std::exchange(weights_, std::move(next));
    std::swap(gradient_, slope_);
    value_ = next_value;
    ++kept_;
    pace_before_ = std::exchange(pace_, (1 + std::sqrt(1 + 4 * pace_ * pace_)) / 2);

    const double loss = 2 * value_ + cost_of_support(sparsity_, weights_);
    const double last = std::exchange(loss_, loss);
    if (std::fabs(loss - last) <= kReleaseTolerance * std::fabs(last)) return Stop::converged;
    if (loss <= 0) return no_minimum();
    return {};
  }

 private:
  Matrix<double> next_weights() {
    const double momentum = (pace_before_ - 1) / pace_;
    Matrix<double> ahead = weights_;
    for (std::size_t i = 0; i < ahead.values().size(); ++i) {
      ahead.values()[i] += momentum * (ahead.values()[i] - before_.values()[i]);
    }
    Matrix<double> next = weights_;
    for (std::size_t block = 0; block + 1 < blocks_.size(); ++block) {
      copy_rows(ahead, blocks_[block], blocks_[block + 1], next);
      q_.evaluate(next, slope_);
      soften(sparsity_, slope_, bound_, blocks_[block], blocks_[block + 1], next);
    }
    return next;
  }

  Stop no_minimum() noexcept {
    is_unbounded_ = true;
    return Stop::diverged;
  }

  QuadraticFunction& q_;
  const Sparsity& sparsity_;
  std::span<const Index> blocks_;
  const Matrix<double> bound_;
  Matrix<double>& weights_;
  Matrix<double> before_, gradient_, slope_;
  double value_;
  double pace_before_ = 1, pace_ = 1;
  double loss_ = 0;
  Index kept_ = 0;
  bool is_unbounded_ = false;
};

}  // namespace

double release_curvature(const SquaresParts& parts) {
  const double gram = spectral_norm_bound(parts.gram);
  const double coupling = spectral_norm_bound(parts.coupling);
  return std::sqrt(2 * (gram * gram + coupling * coupling));
}

ProximalReport run_release(QuadraticFunction& q, const Sparsity& sparsity,
                           std::span<const Index> blocks, double curvature, Matrix<double>& weights,
                           Stages& stages) {
  ReleaseRun run(q, sparsity, blocks, curvature, weights);
  ProximalReport report{.first_residual = run.violation()};
  while (report.iterations < kReleaseIterations) {
    ++report.iterations;
    stages.advance(static_cast<double>(report.iterations) / kReleaseIterations);
    if (const auto stop = run.step()) {
      report.stop = *stop;
      break;
    }
  }
  report.is_unbounded = run.is_unbounded();
  report.kept = run.kept();
  report.residual = run.violation();
  report.objective = run.objective();
  return report;
}

}  // namespace mugrad
