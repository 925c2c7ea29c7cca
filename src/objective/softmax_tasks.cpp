// SPDX-License-Identifier: MIT
#include "objective/softmax_tasks.h"

#include "objective/covariance.h"
#include "objective/softmax_kernels.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace mugrad {

template <class Real>
SharedCurvature<Real> softmax_curvature(const Design<Real>& design, double rho, ThreadPool& pool) {
  auto shared = shared_curvature_of(design, RowWeights({}, design.rows()), rho, {}, pool);
  shared.columns_sum_to_zero = true;
  return shared;
}

/// The common part of both passes: from scores to probabilities, and from sums to means.
template <class Real>
class SoftmaxTasks<Real>::Body : public JointPassBody<Real> {
 public:
  Body(const SoftmaxTasks& tasks, const Matrix<Real>& weights)
      : tasks_(tasks),
        weights_(weights),
        per_example_(Real{1} / static_cast<Real>(tasks.design_.rows())) {}

  void add_curvatures(const ScoreBlock<Real>& block) const override {
    add_softmax_curvatures(block.rows, block.width, block.z, block.curvatures);
  }

 protected:
  ~Body() = default;
  using Blocks = std::span<const ScoreBlock<Real>>;

  /// Rows processed at a time.
  static constexpr Index kStrip = 64;

  /// For each row of a strip: its largest score, and the sum of all exponentials relative to it.
  struct Strip {
    std::array<Real, kStrip> largest;
    std::array<double, kStrip> totals;
  };

  /// Calls work(first, rows) for strips of rows [begin, end).
  template <class Work>
  static void for_each_strip(Index begin, Index end, const Work& work) {
    for (Index first = begin; first < end; first += kStrip) {
      work(first, std::min(kStrip, end - first));
    }
  }

  static void find_largest(Blocks panels, Index first, Index rows, Strip& strip) {
    std::fill_n(strip.largest.begin(), rows, -std::numeric_limits<Real>::infinity());
    for (const auto& panel : panels) {
      raise_to_largest(rows, panel.width, panel.columns, panel.z + first * panel.width,
                       strip.largest.data());
    }
  }
  /// From scores to probabilities.
  static void normalise(Blocks panels, Index first, Index rows, Strip& strip) {
    std::fill_n(strip.totals.begin(), rows, 0.0);
    for (const auto& panel : panels) {
      exponentials(rows, panel.width, panel.columns, strip.largest.data(),
                   panel.z + first * panel.width, strip.totals.data());
    }
    std::array<Real, kStrip> factors;
    for (std::size_t row = 0; row < as_size(rows); ++row) {
      factors[row] = static_cast<Real>(1 / strip.totals[row]);
    }
    for (const auto& panel : panels) {
      scale_rows(rows, panel.width, factors.data(), panel.z + first * panel.width);
    }
  }

  /// The entry of a row for its own class.
  Real& own_entry(Blocks panels, Index row) const {
    const auto example = as_size(panels.front().first_row + row);
    const Index own = tasks_.class_of_row_[example];
    const auto after =
        std::ranges::upper_bound(panels, own, std::less<>{}, &ScoreBlock<Real>::first_column);
    const auto& panel = *std::prev(after);
    return panel.z[row * panel.width + own - panel.first_column];
  }

  void take_means(std::span<Real> sums) const noexcept {
    for (Real& sum : sums) sum *= per_example_;
  }

  const SoftmaxTasks& tasks_;
  const Matrix<Real>& weights_;

 private:
  Real per_example_;
};

template <class Real>
class SoftmaxTasks<Real>::GradientBody final : public Body {
 public:
  /// `losses`, of each example, may be null.
  GradientBody(const SoftmaxTasks& tasks, const Matrix<Real>& weights, double* losses)
      : Body(tasks, weights), losses_(losses) {}

  void residuals(typename Body::Blocks panels, Index begin, Index end) const override {
    this->for_each_strip(begin, end, [&](Index first, Index rows) {
      typename Body::Strip strip;
      this->find_largest(panels, first, rows, strip);
      double* const losses =
          losses_ == nullptr ? nullptr : losses_ + panels.front().first_row + first;
      for (Index row = 0; row < rows && losses != nullptr; ++row) {
        losses[row] = static_cast<double>(strip.largest[as_size(row)]) -
                      static_cast<double>(this->own_entry(panels, first + row));
      }
      this->normalise(panels, first, rows, strip);
      for (Index row = 0; row < rows; ++row) {
        this->own_entry(panels, first + row) -= Real{1};
        if (losses == nullptr) continue;
        losses[row] += std::log(strip.totals[as_size(row)]);
      }
    });
  }
  void finish(Index row, std::span<Real> sums) const override {
    this->take_means(sums);
    this->tasks_.penalty_.add_gradient(row, this->weights_.row(row), sums);
  }

 private:
  double* losses_;
};

template <class Real>
class SoftmaxTasks<Real>::HessianBody final : public Body {
 public:
  HessianBody(const SoftmaxTasks& tasks, const Matrix<Real>& weights, const Matrix<Real>& direction)
      : Body(tasks, weights), direction_(direction) {}

  /// p (u - p.u).
  void residuals(typename Body::Blocks panels, Index begin, Index end) const override {
    this->for_each_strip(begin, end, [&](Index first, Index rows) {
      typename Body::Strip strip;
      this->find_largest(panels, first, rows, strip);
      this->normalise(panels, first, rows, strip);
      for (Index row = first; row < first + rows; ++row) {
        double mean = 0;
        for_each_entry(panels, row, [&](Real& p, Real u) {
          mean += static_cast<double>(p) * static_cast<double>(u);
        });
        for_each_entry(panels, row, [&](Real& p, Real u) { p *= u - static_cast<Real>(mean); });
      }
    });
  }
  void finish(Index row, std::span<Real> sums) const override {
    this->take_means(sums);
    this->tasks_.penalty_.add_hessian_product(row, this->weights_.row(row), direction_.row(row),
                                              sums);
  }

 private:
  template <class Function>
  static void for_each_entry(typename Body::Blocks panels, Index row, const Function& fn) {
    for (const auto& panel : panels) {
      Real* const z = panel.z + row * panel.width;
      const Real* const u = panel.u + row * panel.width;
      for (Index t = 0; t < panel.columns; ++t) fn(z[t], u[t]);
    }
  }

  const Matrix<Real>& direction_;
};

template <class Real>
SoftmaxTasks<Real>::SoftmaxTasks(const Design<Real>& design, const SharedCurvature<Real>& shared,
                                 Index most_classes, ThreadPool& pool)
    : design_(design),
      shared_(shared),
      penalty_({.rho = shared.ridge}),
      pass_(design, most_classes, pool) {
  assert(shared.columns_sum_to_zero);
}

template <class Real>
SoftmaxTasks<Real>::SoftmaxTasks(const SoftmaxTasks& other, ThreadPool& pool)
    : design_(other.design_),
      shared_(other.shared_),
      penalty_(other.penalty_),
      pass_(other.pass_, pool) {}

template <class Real>
void SoftmaxTasks<Real>::set_classes(std::span<const std::int32_t> of_row, Index classes) {
  assert(std::ssize(of_row) == design_.rows());
  class_of_row_ = of_row;
  share_.assign(as_size(classes), 0);
  for (const std::int32_t own : of_row) share_[as_size(own)] += 1;
  for (double& share : share_) {
    assert(share > 0);
    share /= static_cast<double>(of_row.size());
  }
}

template <class Real>
Matrix<Real> SoftmaxTasks<Real>::start() const {
  double mean = 0;
  for (const double share : share_) mean += std::log(share);
  mean /= static_cast<double>(share_.size());
  Matrix<Real> weights(parameters(), tasks());
  for (std::size_t c = 0; c < share_.size(); ++c) {
    weights(0, as_index(c)) = static_cast<Real>(std::log(share_[c]) - mean);
  }
  return weights;
}

template <class Real>
void SoftmaxTasks<Real>::gradient([[maybe_unused]] std::span<const Index> which,
                                  const Matrix<Real>& weights, Matrix<Real>& gradient,
                                  const TaskMeasures& measures) {
  assert(which.empty() && weights.cols() == tasks());
  const bool with_values = !measures.values.empty();
  if (with_values) losses_.resize(as_size(design_.rows()));
  pass_.run(weights, nullptr, GradientBody(*this, weights, with_values ? losses_.data() : nullptr),
            gradient, measures.mean_curvatures);
  if (with_values) sum_values(weights, measures.values);
  for (std::size_t c = 0; c < measures.mean_curvatures.size(); ++c) {
    // The gradient of the intercept is the mean of p minus the share.
    const double others = 1 - share_[c] - static_cast<double>(gradient(0, as_index(c)));
    const double curvature = measures.mean_curvatures[c] / static_cast<double>(design_.rows());
    measures.mean_curvatures[c] = curvature < others ? curvature / others : 1;
  }
}

template <class Real>
void SoftmaxTasks<Real>::sum_values(const Matrix<Real>& weights, std::span<double> values) const {
  std::ranges::fill(values, 0.0);
  for (std::size_t row = 0; row < losses_.size(); ++row) {
    values[as_size(class_of_row_[row])] += losses_[row];
  }
  for (double& value : values) value /= static_cast<double>(losses_.size());
  penalty_.add_values(weights, values);
}

template <class Real>
void SoftmaxTasks<Real>::hessian_product([[maybe_unused]] std::span<const Index> which,
                                         const Matrix<Real>& weights, const Matrix<Real>& direction,
                                         Matrix<Real>& product) {
  assert(which.empty() && weights.cols() == tasks());
  pass_.run(weights, &direction, HessianBody(*this, weights, direction), product,
            std::span<double>{});
}

template <class Real>
std::vector<CurvatureRange> SoftmaxTasks<Real>::curvatures() {
  if (gram_bound_ < 0) gram_bound_ = moments_bound(design_);
  return std::vector<CurvatureRange>(share_.size(),
                                     {.least = 0, .most = gram_bound_ / 2 + penalty_.curvature()});
}

template SharedCurvature<float> softmax_curvature(const Design<float>&, double, ThreadPool&);
template SharedCurvature<double> softmax_curvature(const Design<double>&, double, ThreadPool&);
template class SoftmaxTasks<float>;
template class SoftmaxTasks<double>;

}  // namespace mugrad
