// SPDX-License-Identifier: MIT
#include "linalg/fused_pass.h"
#include "linalg/largest_eigenvalue.h"
#include "objective/gram_tasks.h"
#include "objective/penalty.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/objective/logistic.h>
#include <mugrad/objective/squared.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mugrad {
namespace {

/// Calls fn(position) for the labels of a row that lie in [first, first + count).
template <class Function>
void for_each_within(std::span<const LabelId> labels, Index first, std::size_t count,
                     Function&& fn) {
  const Index end = first + static_cast<Index>(count);
  for (auto it = std::ranges::lower_bound(labels, static_cast<LabelId>(first));
       it != labels.end() && *it < end; ++it) {
    fn(static_cast<std::size_t>(*it - first));
  }
}

/// Tasks of a pointwise loss whose derivative for a positive example is that for a negative one
/// less 1: labels then cost their ones alone.
template <class Real, class Loss>
class LinearTasks final : public TaskSet<Real> {
 public:
  LinearTasks(Design<Real> design, const BinaryMatrix& labels, const LinearTaskOptions& options,
              ThreadPool& pool)
      : design_(std::move(design)),
        labels_(labels),
        unknown_(options.unknown),
        penalty_(options),
        weight_(options.positive_weights),
        known_(static_cast<std::size_t>(labels.cols), static_cast<double>(labels.rows())),
        pass_(design_, labels.cols, pool) {
    if (weight_.empty()) weight_.assign(known_.size(), 1);
    if (unknown_ != nullptr) {
      const auto unknown = column_counts(*unknown_);
      for (std::size_t t = 0; t < known_.size(); ++t) known_[t] -= static_cast<double>(unknown[t]);
    }
    for (const double examples : known_) {
      assert(examples > 0);
      per_example_.push_back(static_cast<Real>(1 / examples));
    }
  }

  Index tasks() const override { return labels_.cols; }
  Index parameters() const override { return design_.cols(); }

  void gradient(std::span<const Index> which, const Matrix<Real>& weights, Matrix<Real>& gradient,
                const TaskMeasures& measures) override {
    if (!which.empty()) return gradient_of_some(which, weights, gradient, measures);
    if (!measures.mean_bends.empty()) compute_mean_bends(weights, measures.mean_bends);
    const auto values = measures.values;
    const bool with_values = !values.empty();
    pass_.run(
        weights, nullptr,
        [&](Index row, Index first, std::span<Real> z, const Real*, double* value) {
          if (with_values) add_values(row, first, z, value);
          for (Real& score : z) score = Loss::derivative(score, false);
          for_each_within(labels_.row(row), first, z.size(), [&](std::size_t t) {
            z[t] = positive_weight(first, t) * (z[t] - Real{1});
          });
          clear_unknown(row, first, z);
        },
        gradient, values);
    take_means(gradient);
    penalty_.add_gradient(weights, gradient);
    for (std::size_t t = 0; t < values.size(); ++t) values[t] /= known_[t];
    if (with_values) penalty_.add_values(weights, values);
  }

  void hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                       const Matrix<Real>& direction, Matrix<Real>& product) override {
    if (!which.empty()) {
      Matrix<Real> all(parameters(), tasks());
      hessian_product({}, spread(which, weights), spread(which, direction), all);
      return collect(which, all, product);
    }
    pass_.run(weights, &direction,
              [&](Index row, Index first, std::span<Real> z, const Real* u, double*) {
                for (std::size_t t = 0; t < z.size(); ++t)
                  z[t] = Loss::second_derivative(z[t]) * u[t];
                for_each_within(labels_.row(row), first, z.size(),
                                [&](std::size_t t) { z[t] *= positive_weight(first, t); });
                clear_unknown(row, first, z);
              },
              product, {});
    take_means(product);
    penalty_.add_hessian_product(weights, direction, product);
  }

  /// From below, the curvature of the logistic loss vanishes far out along the free intercept.
  /// That of the squared loss does not: by Jensen's inequality a direction (b, v) has at least
  /// (b + m'v)^2 + rho |v|^2, m the mean of the features.
  std::vector<CurvatureRange> curvatures() override {
    if (gram_bound_ < 0) {
      gram_bound_ = largest_eigenvalue_bound(
          design_.cols(), [this](auto v, auto out) { design_.gram_product(v, out); });
    }
    const auto rows = static_cast<double>(design_.rows());
    const bool bounded_below = std::is_same_v<Loss, SquaredLoss> && unknown_ == nullptr;
    std::vector<CurvatureRange> ranges;
    for (std::size_t t = 0; t < known_.size(); ++t) {
      const double share = std::max(1.0, weight_[t]) * rows / known_[t];
      ranges.push_back({.least = bounded_below ? least_curvature(std::min(1.0, weight_[t])) : 0,
                        .most = Loss::kCurvature * gram_bound_ * share + penalty_.curvature()});
    }
    return ranges;
  }

 private:
  /// The least eigenvalue of delta (1, m)(1, m)' + rho diag(0, I).
  double least_curvature(double delta) const {
    std::vector<double> ones(static_cast<std::size_t>(design_.cols()), 0);
    std::vector<double> mean(ones.size());
    ones[0] = 1;
    design_.gram_product(ones, mean);  // (1, m)
    double squares = 0;
    for (const double entry : mean) squares += entry * entry;
    const double a = delta * squares;
    const double rho = penalty_.rho();
    const double root = std::sqrt(std::max(0.0, (a + rho) * (a + rho) - 4 * delta * rho));
    return std::max(0.0, (a + rho - root) / 2);
  }

  Real positive_weight(Index first, std::size_t t) const noexcept {
    return static_cast<Real>(weight_[static_cast<std::size_t>(first) + t]);
  }

  void clear_unknown(Index row, Index first, std::span<Real> z) const noexcept {
    if (unknown_ == nullptr) return;
    for_each_within(unknown_->row(row), first, z.size(), [&](std::size_t t) { z[t] = 0; });
  }

  void add_values(Index row, Index first, std::span<const Real> z, double* value) const {
    const auto positives = labels_.row(row);
    const auto unknown = unknown_ == nullptr ? std::span<const LabelId>{} : unknown_->row(row);
    auto next_positive = std::ranges::lower_bound(positives, static_cast<LabelId>(first));
    auto next_unknown = std::ranges::lower_bound(unknown, static_cast<LabelId>(first));
    for (std::size_t t = 0; t < z.size(); ++t) {
      const Index label = first + static_cast<Index>(t);
      if (next_unknown != unknown.end() && *next_unknown == label) {
        ++next_unknown;
      } else if (next_positive != positives.end() && *next_positive == label) {
        value[t] += static_cast<double>(positive_weight(first, t) * Loss::value(z[t], true));
        ++next_positive;
      } else {
        value[t] += static_cast<double>(Loss::value(z[t], false));
      }
    }
  }

  /// The columns of a call for some tasks, where they are in a call for all.
  Matrix<Real> spread(std::span<const Index> which, const Matrix<Real>& some) const {
    Matrix<Real> all(some.rows(), tasks());
    for (Index k = 0; k < some.rows(); ++k) {
      for (Index t = 0; t < some.cols(); ++t) all(k, task_of(which, t)) = some(k, t);
    }
    return all;
  }
  static void collect(std::span<const Index> which, const Matrix<Real>& all, Matrix<Real>& some) {
    for (Index k = 0; k < some.rows(); ++k) {
      for (Index t = 0; t < some.cols(); ++t) some(k, t) = all(k, task_of(which, t));
    }
  }

  void gradient_of_some(std::span<const Index> which, const Matrix<Real>& weights,
                        Matrix<Real>& result, const TaskMeasures& measures) {
    Matrix<Real> all(parameters(), tasks());
    std::vector<double> values(measures.values.empty() ? 0 : known_.size());
    std::vector<double> bends(measures.mean_bends.empty() ? 0 : known_.size());
    gradient({}, spread(which, weights), all, {.values = values, .mean_bends = bends});
    collect(which, all, result);
    for (std::size_t t = 0; t < which.size(); ++t) {
      const auto task = static_cast<std::size_t>(which[t]);
      if (!values.empty()) measures.values[t] = values[task];
      if (!bends.empty()) measures.mean_bends[t] = bends[task];
    }
  }

  void compute_mean_bends(const Matrix<Real>& weights, std::span<double> bends) {
    Matrix<Real> unused(parameters(), tasks());
    pass_.run(
        weights, nullptr,
        [&](Index row, Index first, std::span<Real> z, const Real*, double* sums) {
          for (Real& score : z) score = Loss::second_derivative(score);
          for_each_within(labels_.row(row), first, z.size(),
                          [&](std::size_t t) { z[t] *= positive_weight(first, t); });
          clear_unknown(row, first, z);
          for (std::size_t t = 0; t < z.size(); ++t) sums[t] += static_cast<double>(z[t]);
        },
        unused, bends);
    for (std::size_t t = 0; t < bends.size(); ++t) bends[t] /= known_[t];
  }

  /// From sums over examples to means over those a task knows.
  void take_means(Matrix<Real>& sums) const {
    for (Index k = 0; k < sums.rows(); ++k) {
      const auto row = sums.row(k);
      for (std::size_t t = 0; t < row.size(); ++t) row[t] *= per_example_[t];
    }
  }

  Design<Real> design_;
  const BinaryMatrix& labels_;
  const BinaryMatrix* unknown_;
  Penalty penalty_;
  std::vector<double> weight_;     ///< of each task's positives
  std::vector<double> known_;      ///< examples whose label each task knows
  std::vector<Real> per_example_;  ///< 1 / known_
  FusedPass<Real> pass_;
  double gram_bound_ = -1;  ///< of the largest eigenvalue of X'X / n; negative: not known yet
};

}  // namespace

template <class Real>
std::unique_ptr<TaskSet<Real>> linear_tasks(const Features& x, const FeatureTransform& transform,
                                            const BinaryMatrix& labels,
                                            const LinearTaskOptions& options, ThreadPool& pool) {
  assert(x.rows() == labels.rows() && x.rows() > 0);
  assert(options.rho >= 0 && options.l1 >= 0 && options.l1_sharpness > 0);
  Design<Real> design(x, transform);
  if (options.loss == LossKind::logistic) {
    return std::make_unique<LinearTasks<Real, LogisticLoss>>(std::move(design), labels, options,
                                                             pool);
  }
  const bool same_examples = options.positive_weights.empty() && options.unknown == nullptr;
  if (same_examples && gram_pays(design, labels.cols)) {
    return gram_tasks(design, labels, options, pool);
  }
  return std::make_unique<LinearTasks<Real, SquaredLoss>>(std::move(design), labels, options, pool);
}

template std::unique_ptr<TaskSet<float>> linear_tasks(const Features&, const FeatureTransform&,
                                                      const BinaryMatrix&, const LinearTaskOptions&,
                                                      ThreadPool&);
template std::unique_ptr<TaskSet<double>> linear_tasks(const Features&, const FeatureTransform&,
                                                       const BinaryMatrix&,
                                                       const LinearTaskOptions&, ThreadPool&);

}  // namespace mugrad
