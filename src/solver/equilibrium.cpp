// SPDX-License-Identifier: MIT
#include "solver/equilibrium.h"

#include "linalg/pass/kernels.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {

template <class Real>
Equilibrium<Real>::Equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                               bool with_loss, ThreadPool& pool)
    : tasks_(tasks),
      transfer_(transfer),
      sigma_(sigma),
      pool_(pool),
      borrowed_(sigma > 0 ? tasks.parameters() : 0, sigma > 0 ? tasks.tasks() : 0),
      values_(with_loss ? as_size(tasks.tasks()) : 0),
      part_norms_(RowParts(tasks.parameters(), tasks.tasks()).count(), tasks.tasks()),
      squared_norms_(as_size(tasks.tasks())) {
  if (sigma == 0) return;
  for (const double excess : transfer.excess()) excess_.push_back(static_cast<Real>(excess));
}

template <class Real>
void Equilibrium<Real>::evaluate(std::span<const Index> which, const Matrix<Real>& weights,
                                 Matrix<Real>& field, std::span<double> mean_curvatures) {
  assert(which.empty() || sigma_ == 0);
  const auto columns = as_size(weights.cols());
  if (!values_.empty()) values_.resize(columns);
  squared_norms_.resize(columns);
  tasks_.gradient(which, weights, field, {.values = values_, .mean_curvatures = mean_curvatures});
  if (sigma_ > 0) {
    transfer_.begin_iteration(passes_);
    transfer_.apply(weights, borrowed_);
  }
  ++passes_;
  const RowParts parts(weights.rows(), weights.cols());
  parts.for_each(pool_, [&](Index part, Index begin, Index end) {
    if (sigma_ > 0) add_transfer(weights, field, begin, end);
    add_column_dots(field, field, begin, end, part_norms_.cleared(part).first(columns));
  });
  part_norms_.add_up(parts.count(), squared_norms_);
}

template <class Real>
void Equilibrium<Real>::multiply(const Matrix<Real>& weights, const Matrix<Real>& direction,
                                 Matrix<Real>& product) {
  tasks_.hessian_product({}, weights, direction, product);
  if (sigma_ > 0) transfer_.apply(direction, borrowed_);
  ++passes_;
  if (sigma_ == 0) return;
  RowParts(weights.rows(), weights.cols()).for_each(pool_, [&](Index, Index begin, Index end) {
    add_transfer(direction, product, begin, end);
  });
}

template <class Real>
void Equilibrium<Real>::add_transfer(const Matrix<Real>& weights, Matrix<Real>& field, Index begin,
                                     Index end) const {
  const auto sigma = static_cast<Real>(sigma_);
  for (Index k = begin; k < end; ++k) {
    const auto f = field.row(k);
    const auto w = weights.row(k);
    const auto borrowed = borrowed_.row(k);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] += sigma * (w[i] - borrowed[i]);
    const bool own = k == 0 && transfer_.intercepts() == Intercepts::own;
    if (own || excess_.empty()) continue;
    for (std::size_t i = 0; i < f.size(); ++i) f[i] += sigma * excess_[i] * w[i];
  }
}

template <class Real>
double Equilibrium<Real>::residual() const noexcept {
  double largest = 0;
  for (const double squared : squared_norms_) {
    if (!std::isfinite(squared)) return squared;
    largest = std::max(largest, squared);
  }
  return std::sqrt(largest);
}

template <class Real>
double Equilibrium<Real>::total_loss() const noexcept {
  if (values_.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(values_.begin(), values_.end(), 0.0);
}

template class Equilibrium<float>;
template class Equilibrium<double>;

}  // namespace mugrad
