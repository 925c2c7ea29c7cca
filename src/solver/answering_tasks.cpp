// SPDX-License-Identifier: MIT
#include "solver/answering_tasks.h"

#include "solver/row_parts.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mugrad {

template <class Real>
AnsweringTasks<Real>::AnsweringTasks(TaskSet<Real>& all, const CsrMatrix<double>* mbar,
                                     Intercepts intercepts, double sigma, ThreadPool& pool)
    : all_(all),
      mbar_(mbar),
      sigma_(sigma),
      pool_(pool),
      first_row_(intercepts == Intercepts::own ? 1 : 0) {}

template <class Real>
void AnsweringTasks<Real>::choose(std::span<const Index> ids, const Matrix<Real>& weights) {
  ids_ = ids;
  if (mbar_ == nullptr) return;
  ridge_.clear();
  for (const Index i : ids_) ridge_.push_back(sigma_ * (1 - mbar_->at(i, i)));
  if (shared_) shared_->ridge_of_task = ridge_;
  borrow(weights);
}

template <class Real>
void AnsweringTasks<Real>::choose(std::span<const Index> ids, std::span<const double> ridge,
                                  Matrix<Real>& borrowed) {
  assert(mbar_ == nullptr);
  ids_ = ids;
  ridge_.assign(ridge.begin(), ridge.end());
  if (shared_) shared_->ridge_of_task = ridge_;
  std::swap(borrowed_, borrowed);
}

template <class Real>
void AnsweringTasks<Real>::borrow(const Matrix<Real>& weights) {
  borrowed_.resize(weights.rows(), tasks());
  RowParts(weights.rows(), tasks()).for_each(pool_, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto w = weights.row(k);
      const auto borrowed = borrowed_.row(k);
      for (std::size_t i = 0; i < borrowed.size(); ++i) {
        const auto columns = mbar_->row_columns(ids_[i]);
        const auto values = mbar_->row_values(ids_[i]);
        double sum = 0;
        for (std::size_t j = 0; j < columns.size(); ++j) {
          if (columns[j] == ids_[i]) continue;
          sum += values[j] * static_cast<double>(w[as_size(columns[j])]);
        }
        borrowed[i] = static_cast<Real>(sigma_ * sum);
      }
    }
  });
}

template <class Real>
std::span<const Index> AnsweringTasks<Real>::in_all(std::span<const Index> which) {
  if (which.empty()) return ids_;
  chosen_.clear();
  for (const Index task : which) chosen_.push_back(ids_[as_size(task)]);
  return chosen_;
}

template <class Real>
void AnsweringTasks<Real>::gradient(std::span<const Index> which, const Matrix<Real>& weights,
                                    Matrix<Real>& gradient, const TaskMeasures& measures) {
  all_.gradient(in_all(which), weights, gradient, measures);
  served_ += weights.cols();
  if (ridge_.empty()) return;
  RowParts(weights.rows(), weights.cols()).for_each(pool_, [&](Index, Index begin, Index end) {
    for (Index k = std::max(begin, first_row_); k < end; ++k) {
      const auto w = weights.row(k);
      const auto to = gradient.row(k);
      const auto borrowed = borrowed_.row(k);
      for (std::size_t t = 0; t < to.size(); ++t) {
        const auto task = as_size(task_of(which, as_index(t)));
        to[t] += static_cast<Real>(ridge_[task]) * w[t] - borrowed[task];
      }
    }
  });
}

template <class Real>
void AnsweringTasks<Real>::hessian_product(std::span<const Index> which,
                                           const Matrix<Real>& weights,
                                           const Matrix<Real>& direction, Matrix<Real>& product) {
  all_.hessian_product(in_all(which), weights, direction, product);
  if (ridge_.empty()) return;
  for (Index k = first_row_; k < product.rows(); ++k) {
    for (Index t = 0; t < product.cols(); ++t) {
      const double ridge = ridge_[as_size(task_of(which, t))];
      product(k, t) += static_cast<Real>(ridge) * direction(k, t);
    }
  }
}

template <class Real>
std::vector<CurvatureRange> AnsweringTasks<Real>::curvatures() {
  if (ranges_.empty()) ranges_ = all_.curvatures();
  std::vector<CurvatureRange> ranges;
  for (const Index task : ids_) ranges.push_back(ranges_[as_size(task)]);
  for (std::size_t i = 0; i < ridge_.size(); ++i) ranges[i].most += ridge_[i];
  return ranges;
}

template <class Real>
const SharedCurvature<Real>* AnsweringTasks<Real>::shared_curvature() {
  const auto* shared = all_.shared_curvature();
  if (shared == nullptr || ridge_.empty()) return shared;
  if (!shared_) {
    shared_ = *shared;
    shared_->ridge_of_task = ridge_;
  }
  return &*shared_;
}

template class AnsweringTasks<float>;
template class AnsweringTasks<double>;

}  // namespace mugrad
