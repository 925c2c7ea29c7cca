// SPDX-License-Identifier: MIT
#include "solver/equilibrium.h"

#include <algorithm>
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
      field_(tasks.parameters(), tasks.tasks()),
      pulled_(sigma > 0 ? tasks.parameters() : 0, sigma > 0 ? tasks.tasks() : 0),
      values_(with_loss ? static_cast<std::size_t>(tasks.tasks()) : 0),
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
  for_each_panel([&](Index first, Index end) { add_transfer_and_measure(weights, first, end); });

  double largest = 0;
  for (const double squared : squared_norms_) {
    if (!std::isfinite(squared)) largest = squared;
    largest = std::isfinite(largest) ? std::max(largest, squared) : largest;
  }
  residual_ = std::sqrt(largest);
  if (!values_.empty()) total_loss_ = std::accumulate(values_.begin(), values_.end(), 0.0);
}

template <class Real>
void Equilibrium<Real>::add_transfer_and_measure(const Matrix<Real>& weights, Index first,
                                                 Index end) {
  const auto sigma = static_cast<Real>(sigma_);
  for (Index i = first; i < end; ++i) squared_norms_[static_cast<std::size_t>(i)] = 0;
  for (Index k = 0; k < field_.rows(); ++k) {
    const auto f = field_.row(k);
    if (sigma_ > 0) {
      const auto w = weights.row(k);
      const auto borrowed = pulled_.row(k);
      for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i) {
        f[i] += sigma * (w[i] - borrowed[i]);
      }
    }
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i) {
      squared_norms_[i] += static_cast<double>(f[i]) * static_cast<double>(f[i]);
    }
  }
}

template <class Real>
void Equilibrium<Real>::for_each_panel(const std::function<void(Index, Index)>& work) {
  constexpr Index kPanel = 64;
  const Index tasks = field_.cols();
  pool_.run((tasks + kPanel - 1) / kPanel,
            [&](Index item) { work(item * kPanel, std::min((item + 1) * kPanel, tasks)); });
}

template class Equilibrium<float>;
template class Equilibrium<double>;

}  // namespace mugrad
