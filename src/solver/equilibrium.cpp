// SPDX-License-Identifier: MIT
#include "solver/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

/// Parameters that a thread takes at a time: parts that are worth waking it, and not so many that
/// their norms take long to add up. They depend on the shape alone.
Index rows_per_part(Index rows, Index cols) noexcept {
  constexpr Index kParts = 32;
  constexpr Index kEntries = 1 << 14;
  return std::max<Index>({1, (rows + kParts - 1) / kParts, kEntries / std::max<Index>(1, cols)});
}

}  // namespace

template <class Real>
Equilibrium<Real>::Equilibrium(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                               bool with_loss, ThreadPool& pool)
    : tasks_(tasks),
      transfer_(transfer),
      sigma_(sigma),
      pool_(pool),
      field_(tasks.parameters(), tasks.tasks()),
      pulled_(sigma > 0 ? tasks.parameters() : 0, sigma > 0 ? tasks.tasks() : 0),
      values_(with_loss ? static_cast<std::size_t>(tasks.tasks()) : 0),
      part_rows_(rows_per_part(field_.rows(), field_.cols())),
      part_norms_((field_.rows() + part_rows_ - 1) / part_rows_, field_.cols()),
      squared_norms_(static_cast<std::size_t>(tasks.tasks())),
      total_loss_(std::numeric_limits<double>::quiet_NaN()) {}

template <class Real>
void Equilibrium<Real>::evaluate(const Matrix<Real>& weights) {
  tasks_.gradient({}, weights, field_, {.values = values_});
  if (sigma_ > 0) {
    transfer_.begin_iteration(passes_);
    transfer_.pull(weights, pulled_);
  }
  ++passes_;
  for_each_part([&](Index part, Index begin, Index end) {
    add_transfer_and_measure(weights, part, begin, end);
  });
  add_up_norms();

  double largest = 0;
  for (const double squared : squared_norms_) {
    if (!std::isfinite(squared)) largest = squared;
    largest = std::isfinite(largest) ? std::max(largest, squared) : largest;
  }
  residual_ = std::sqrt(largest);
  if (!values_.empty()) total_loss_ = std::accumulate(values_.begin(), values_.end(), 0.0);
}

template <class Real>
void Equilibrium<Real>::add_transfer_and_measure(const Matrix<Real>& weights, Index part,
                                                 Index begin, Index end) {
  const auto sigma = static_cast<Real>(sigma_);
  const auto norms = part_norms_.row(part);
  std::ranges::fill(norms, 0.0);
  for (Index k = begin; k < end; ++k) {
    const auto f = field_.row(k);
    if (sigma_ > 0) {
      const auto w = weights.row(k);
      const auto borrowed = pulled_.row(k);
      for (std::size_t i = 0; i < f.size(); ++i) f[i] += sigma * (w[i] - borrowed[i]);
    }
    for (std::size_t i = 0; i < f.size(); ++i) {
      norms[i] += static_cast<double>(f[i]) * static_cast<double>(f[i]);
    }
  }
}

template <class Real>
void Equilibrium<Real>::add_up_norms() {
  std::ranges::fill(squared_norms_, 0.0);
  for (Index part = 0; part < part_norms_.rows(); ++part) {
    const auto norms = part_norms_.row(part);
    for (std::size_t i = 0; i < norms.size(); ++i) squared_norms_[i] += norms[i];
  }
}

template class Equilibrium<float>;
template class Equilibrium<double>;

}  // namespace mugrad
