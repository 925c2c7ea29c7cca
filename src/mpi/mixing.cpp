// SPDX-License-Identifier: MIT
#include "mpi/mixing.h"

#include <algorithm>
#include <cmath>

namespace mugrad::mpi {
namespace {

/// The solution x of (A + small I) x = b for a positive semidefinite A, scaled to a unit diagonal;
/// empty if there is none.
std::vector<double> solve(Matrix<double> a, std::vector<double> b) {
  constexpr double kSmall = 1e-10;
  const Index size = a.rows();
  std::vector<double> scale(b.size());
  for (Index i = 0; i < size; ++i) {
    const double diagonal = a(i, i);
    if (!(diagonal > 0) || !std::isfinite(diagonal)) return {};
    scale[as_size(i)] = 1 / std::sqrt(diagonal);
  }
  for (Index i = 0; i < size; ++i) {
    const double own = scale[as_size(i)];
    for (Index j = 0; j < size; ++j) a(i, j) *= own * scale[as_size(j)];
    a(i, i) += kSmall;
    b[as_size(i)] *= own;
  }
  // The Cholesky factor below the diagonal, then both triangular solves.
  for (Index j = 0; j < size; ++j) {
    for (Index k = 0; k < j; ++k) {
      for (Index i = j; i < size; ++i) a(i, j) -= a(i, k) * a(j, k);
    }
    if (!(a(j, j) > 0)) return {};
    const double root = std::sqrt(a(j, j));
    for (Index i = j; i < size; ++i) a(i, j) /= root;
  }
  for (Index i = 0; i < size; ++i) {
    double& x = b[as_size(i)];
    for (Index k = 0; k < i; ++k) x -= a(i, k) * b[as_size(k)];
    x /= a(i, i);
  }
  for (Index i = size - 1; i >= 0; --i) {
    double& x = b[as_size(i)];
    for (Index k = i + 1; k < size; ++k) x -= a(k, i) * b[as_size(k)];
    x /= a(i, i);
  }
  for (Index i = 0; i < size; ++i) {
    b[as_size(i)] *= scale[as_size(i)];
    if (!std::isfinite(b[as_size(i)])) return {};
  }
  return b;
}

}  // namespace

template <class Real>
Mixing<Real>::Mixing(std::vector<Index> groups, Index parameters, const GroupSums& sums,
                     ThreadPool& pool)
    : groups_(std::move(groups)), sums_(sums), pool_(pool), parameters_(parameters) {}

template <class Real>
void Mixing<Real>::step(const Matrix<Real>& answers, Matrix<Real>& weights) {
  remember(answers, weights);
  const auto share = shares();
  pool_.run(labels(), [&](Index label) {
    const auto to = weights.row(label);
    std::ranges::copy(answers.row(label), to.begin());
    for (std::size_t m = 0; m < share.size(); ++m) {
      const auto step = answer_steps_[m].row(label);
      const auto times = static_cast<Real>(share[m]);
      for (std::size_t k = 0; k < to.size(); ++k) to[k] -= times * step[k];
    }
  });
}

/// Stores the difference between this round and the last.
template <class Real>
void Mixing<Real>::remember(const Matrix<Real>& answers, const Matrix<Real>& weights) {
  if (last_answers_.rows() != labels()) {
    last_answers_ = Matrix<Real>(labels(), parameters_);
    last_change_ = Matrix<Real>(labels(), parameters_);
  }
  const auto place = as_size(next_);
  if (has_last_ && answer_steps_.size() <= place) {
    answer_steps_.emplace_back(labels(), parameters_);
    change_steps_.emplace_back(labels(), parameters_);
  }
  pool_.run(labels(), [&](Index label) {
    const auto answer = answers.row(label);
    const auto w = weights.row(label);
    const auto last_answer = last_answers_.row(label);
    const auto last_change = last_change_.row(label);
    for (std::size_t k = 0; k < answer.size(); ++k) {
      const Real change = answer[k] - w[k];
      if (has_last_) {
        answer_steps_[place](label, as_index(k)) = answer[k] - last_answer[k];
        change_steps_[place](label, as_index(k)) = change - last_change[k];
      }
      last_answer[k] = answer[k];
      last_change[k] = change;
    }
  });
  if (has_last_) {
    next_ = (next_ + 1) % kWindow;
    known_ = std::min(known_ + 1, kWindow);
  }
  has_last_ = true;
}

/// The coefficients of the stored steps that correct the answers: least squares, with sums that do
/// not depend on the distribution of labels.
template <class Real>
std::vector<double> Mixing<Real>::shares() const {
  if (known_ == 0) return {};
  const Index m = known_;
  Matrix<double> dots(std::ssize(groups_) - 1, m * (m + 1));
  pool_.run(dots.rows(), [&](Index group) {
    const auto to = dots.row(group);
    const auto begin = as_size(groups_[as_size(group)]);
    const auto end = as_size(groups_[as_size(group) + 1]);
    const auto rows = [&](const Matrix<Real>& matrix) {
      const auto width = as_size(parameters_);
      return matrix.values().subspan(begin * width, (end - begin) * width);
    };
    for (Index i = 0; i < m; ++i) {
      const auto a = rows(change_steps_[as_size(i)]);
      for (Index j = i; j <= m; ++j) {
        const auto b = rows(j == m ? last_change_ : change_steps_[as_size(j)]);
        double sum = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
          sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
        }
        to[as_size(i * (m + 1) + j)] = sum;
      }
    }
  });
  const auto sums = sums_.add_up(dots);
  Matrix<double> a(m, m);
  std::vector<double> b(as_size(m));
  for (Index i = 0; i < m; ++i) {
    for (Index j = i; j < m; ++j) {
      a(i, j) = a(j, i) = sums[as_size(i * (m + 1) + j)];
    }
    b[as_size(i)] = sums[as_size(i * (m + 1) + m)];
  }
  return solve(std::move(a), std::move(b));
}

template class Mixing<float>;
template class Mixing<double>;

}  // namespace mugrad::mpi
