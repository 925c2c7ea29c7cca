// SPDX-License-Identifier: MIT
#include "method/camel/label_lasso.h"

#include "linalg/dense/lapack.h"
#include "method/common/shared_work.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mugrad {
namespace {

double shrunk(double value, double by) noexcept {
  return std::copysign(std::max(0.0, std::fabs(value) - by), value);
}

/// The lasso of one label.
class Lasso {
 public:
  Lasso(const Matrix<double>& agreement, Index label, double strength)
      : agreement_(agreement),
        label_(as_size(label)),
        strength_(strength),
        weights_(agreement.row(0).size(), 0),
        rest_(agreement.row(label).begin(), agreement.row(label).end()) {
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      if (k != label_) largest_ = std::max(largest_, std::fabs(rest_[k]));
    }
  }

  std::vector<double> solve(Progress* progress) {
    constexpr double kTolerance = 1e-8;
    constexpr int kRounds = 10'000, kSweeps = 10;
    const double enough = kTolerance * largest_;
    for (int round = 0; round < kRounds && sweep_over_all() > enough; ++round) {
      advance(progress, 0);
      for (int sweep = 0; sweep < kSweeps && sweep_over_used() > enough; ++sweep) {
      }
      settle();
    }
    return std::move(weights_);
  }

 private:
  /// Returns the largest violation of the optimality of a weight.
  double sweep_over_all() {
    double worst = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) worst = std::max(worst, improve(k));
    return worst;
  }
  double sweep_over_used() {
    double worst = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      if (weights_[k] != 0) worst = std::max(worst, improve(k));
    }
    return worst;
  }
  /// Sets one weight to its best value; returns its curvature times the change.
  double improve(std::size_t k) {
    if (k == label_) return 0;
    const auto column = agreement_.row(as_index(k));
    const double curvature = column[k];
    const double best = shrunk(rest_[k] + curvature * weights_[k], strength_) / curvature;
    const double move = best - weights_[k];
    if (move == 0) return 0;
    weights_[k] = best;
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] -= move * column[i];
    return curvature * std::fabs(move);
  }

  /// Moves the non-zero weights to their joint optimum, or until one changes its sign: sweeps alone
  /// take very long to shift weight between similar labels.
  void settle() {
    std::vector<Index> used;
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      if (weights_[k] != 0) used.push_back(as_index(k));
    }
    const auto count = std::ssize(used);
    Matrix<double> system(count, count);
    std::vector<double> best(used.size());
    for (Index i = 0; i < count; ++i) {
      const Index k = used[as_size(i)];
      const double weight = weights_[as_size(k)];
      best[as_size(i)] = agreement_(as_index(label_), k) - std::copysign(strength_, weight);
      for (Index j = 0; j < count; ++j) {
        system(i, j) = agreement_(k, used[as_size(j)]);
      }
    }
    constexpr double kSingular = 1e-10;
    if (!factor_positive_definite(system, kSingular)) return;
    solve_factored(system, best);
    move_towards(best, used);
  }
  void move_towards(std::span<const double> best, std::span<const Index> used) {
    double share = 1;
    std::size_t first_zero = used.size();
    for (std::size_t i = 0; i < used.size(); ++i) {
      const double weight = weights_[as_size(used[i])];
      if (weight * best[i] > 0 || weight / (weight - best[i]) >= share) continue;
      share = weight / (weight - best[i]);
      first_zero = i;
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      double& weight = weights_[as_size(used[i])];
      weight = i == first_zero ? 0 : weight + share * (best[i] - weight);
    }
    std::ranges::copy(agreement_.row(as_index(label_)), rest_.begin());
    for (const Index k : used) {
      const auto column = agreement_.row(k);
      const double weight = weights_[as_size(k)];
      for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] -= weight * column[i];
    }
  }

  const Matrix<double>& agreement_;
  std::size_t label_;
  double strength_;
  std::vector<double> weights_;
  std::vector<double> rest_;  ///< Y' (y_j - Y s)
  double largest_ = 0;
};

}  // namespace

Matrix<double> signed_agreement(const BinaryMatrix& labels) {
  Matrix<double> result(labels.cols, labels.cols);
  for (Index row = 0; row < labels.rows(); ++row) {
    const auto there = labels.row(row);
    for (const LabelId a : there) {
      for (const LabelId b : there) result(a, b) += 4;
    }
  }
  const auto counts = column_counts(labels);
  for (Index a = 0; a < labels.cols; ++a) {
    for (Index b = 0; b < labels.cols; ++b) {
      const Index sum = counts[as_size(a)] + counts[as_size(b)];
      result(a, b) += static_cast<double>(labels.rows() - 2 * sum);
    }
  }
  return result;
}

double lasso_strength(const Matrix<double>& agreement, Index label) {
  double largest = 0;
  for (Index k = 0; k < agreement.rows(); ++k) {
    if (k != label) largest = std::max(largest, std::fabs(agreement(k, label)));
  }
  return largest / 100;
}

std::vector<double> label_lasso(const Matrix<double>& agreement, Index label, double strength,
                                Progress* progress) {
  return Lasso(agreement, label, strength).solve(progress);
}

Matrix<double> label_correlations(const BinaryMatrix& labels, Stages& stages, ThreadPool& pool) {
  const auto agreement = signed_agreement(labels);
  Matrix<double> correlations(labels.cols, labels.cols);
  SharedWork work(stages, std::vector<double>(as_size(labels.cols), 1));
  work.run(pool, [&] {
    while (const auto piece = work.next()) {
      const auto label = as_index(*piece);
      const auto weights = label_lasso(agreement, label, lasso_strength(agreement, label), &work);
      for (std::size_t k = 0; k < weights.size(); ++k) {
        correlations(as_index(k), label) = weights[k];
      }
      work.finish(*piece);
    }
  });
  return correlations;
}

}  // namespace mugrad
