// SPDX-License-Identifier: MIT
#include "linalg/fused_pass.h"
#include "linalg/largest_eigenvalue.h"

#include <mugrad/objective/logistic.h>
#include <mugrad/objective/logistic_tasks.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mugrad {
namespace {

/// Calls fn(position) for the labels of a row that lie in [first, first + count).
template <class Function>
void for_each_positive(std::span<const LabelId> positives, Index first, std::size_t count,
                       Function&& fn) {
  const Index end = first + static_cast<Index>(count);
  for (auto it = std::ranges::lower_bound(positives, static_cast<LabelId>(first));
       it != positives.end() && *it < end; ++it) {
    fn(static_cast<std::size_t>(*it - first));
  }
}

template <class Real>
class LogisticTasks final : public TaskSet<Real> {
 public:
  LogisticTasks(const Features& x, const FeatureTransform& transform, const BinaryMatrix& labels,
                double rho, ThreadPool& pool)
      : design_(x, transform), labels_(labels), rho_(rho), pass_(design_, labels.cols, pool) {
    assert(x.rows() == labels.rows() && x.rows() > 0 && rho >= 0);
  }

  Index tasks() const override { return labels_.cols; }
  Index parameters() const override { return design_.cols(); }

  void gradient(const Matrix<Real>& weights, Matrix<Real>& gradient,
                std::span<double> values) override {
    const bool with_values = !values.empty();
    pass_.run(
        weights, nullptr,
        [&](Index row, Index first, std::span<Real> z, const Real*, double* value) {
          const auto positives = labels_.row(row);
          if (with_values) add_values(positives, first, z, value);
          for (Real& score : z) score = LogisticLoss::derivative(score, false);
          for_each_positive(positives, first, z.size(), [&](std::size_t t) { z[t] -= Real{1}; });
        },
        gradient, values);
    finish(weights, gradient);
    if (with_values) add_penalty(weights, values);
  }

  void hessian_product(const Matrix<Real>& weights, const Matrix<Real>& direction,
                       Matrix<Real>& product) override {
    pass_.run(weights, &direction,
              [](Index, Index, std::span<Real> z, const Real* u, double*) {
                for (std::size_t t = 0; t < z.size(); ++t) {
                  z[t] = LogisticLoss::second_derivative(z[t]) * u[t];
                }
              },
              product, {});
    finish(direction, product);
  }

  /// The free intercept leaves no task strongly convex: far out its curvature vanishes.
  std::vector<CurvatureRange> curvatures() override {
    if (gram_bound_ < 0) {
      gram_bound_ = largest_eigenvalue_bound(
          design_.cols(), [this](auto v, auto out) { design_.gram_product(v, out); });
    }
    const double most = LogisticLoss::kCurvature * gram_bound_ + rho_;
    return std::vector<CurvatureRange>(static_cast<std::size_t>(tasks()),
                                       {.least = 0, .most = most});
  }

 private:
  static void add_values(std::span<const LabelId> positives, Index first, std::span<const Real> z,
                         double* value) {
    for (std::size_t t = 0; t < z.size(); ++t) {
      value[t] += static_cast<double>(LogisticLoss::value(z[t], false));
    }
    for_each_positive(positives, first, z.size(),
                      [&](std::size_t t) { value[t] -= static_cast<double>(z[t]); });
  }

  /// sums / n + rho * (0; w): from a sum over examples to the derivative of the mean and the L2
  /// term.
  void finish(const Matrix<Real>& w, Matrix<Real>& sums) const {
    const auto per_example = static_cast<Real>(1 / static_cast<double>(design_.rows()));
    const auto rho = static_cast<Real>(rho_);
    for (Real& sum : sums.row(0)) sum *= per_example;
    for (Index k = 1; k < sums.rows(); ++k) {
      const auto to = sums.row(k);
      const auto from = w.row(k);
      for (std::size_t t = 0; t < to.size(); ++t) to[t] = to[t] * per_example + rho * from[t];
    }
  }

  void add_penalty(const Matrix<Real>& weights, std::span<double> values) const {
    for (double& value : values) value /= static_cast<double>(design_.rows());
    for (Index k = 1; k < weights.rows(); ++k) {
      const auto row = weights.row(k);
      for (std::size_t t = 0; t < row.size(); ++t) {
        values[t] += rho_ / 2 * static_cast<double>(row[t]) * static_cast<double>(row[t]);
      }
    }
  }

  Design<Real> design_;
  const BinaryMatrix& labels_;
  double rho_;
  FusedPass<Real> pass_;
  double gram_bound_ = -1;  ///< of the largest eigenvalue of X'X / n; negative: not known yet
};

}  // namespace

template <class Real>
std::unique_ptr<TaskSet<Real>> logistic_tasks(const Features& x, const FeatureTransform& transform,
                                              const BinaryMatrix& labels, double rho,
                                              ThreadPool& pool) {
  return std::make_unique<LogisticTasks<Real>>(x, transform, labels, rho, pool);
}

template std::unique_ptr<TaskSet<float>> logistic_tasks(const Features&, const FeatureTransform&,
                                                        const BinaryMatrix&, double, ThreadPool&);
template std::unique_ptr<TaskSet<double>> logistic_tasks(const Features&, const FeatureTransform&,
                                                         const BinaryMatrix&, double, ThreadPool&);

}  // namespace mugrad
