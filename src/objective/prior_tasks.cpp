// SPDX-License-Identifier: MIT
#include "objective/prior_tasks.h"

#include "linalg/dense/blas.h"
#include "linalg/dense/eigenvalues.h"
#include "objective/covariance.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace mugrad {
namespace {

/// 1 - the diagonal of factor'factor; 1 without a factor.
template <class Real>
std::vector<Real> rest_of_diagonal(const Matrix<Real>& factor, Index parameters) {
  std::vector<double> rest(as_size(parameters), 1);
  for (Index j = 0; j < factor.rows(); ++j) {
    for (Index k = 0; k < parameters; ++k) {
      const auto entry = static_cast<double>(factor(j, k));
      rest[as_size(k)] -= entry * entry;
    }
  }
  std::vector<Real> result;
  for (const double number : rest) result.push_back(static_cast<Real>(std::max(0.0, number)));
  return result;
}

/// The columns of the task sets' calls in panels that do not depend on the number of threads.
constexpr Index kPanel = 32;

/// out = [1 m'; m C + m m'] v, the second moments of features with this curvature.
template <class Real>
void multiply_moments(const SharedCurvature<Real>& of, const Matrix<Real>& v, Matrix<Real>& out) {
  const Index columns = v.cols();
  const Index directions = of.eigenvectors.rows();
  const Index features = v.rows() - 1;
  std::vector<double> score(v.row(0).begin(), v.row(0).end());
  for (std::size_t k = 0; k < of.mean.size(); ++k) {
    const auto from = v.row(as_index(k) + 1);
    for (std::size_t t = 0; t < score.size(); ++t)
      score[t] += of.mean[k] * static_cast<double>(from[t]);
  }
  for (std::size_t t = 0; t < score.size(); ++t) out(0, as_index(t)) = static_cast<Real>(score[t]);
  for (Index k = 0; k < features; ++k) {
    const double mean = of.mean.empty() ? 0 : of.mean[as_size(k)];
    const auto from = v.row(k + 1);
    const auto to = out.row(k + 1);
    for (std::size_t t = 0; t < to.size(); ++t) {
      to[t] = static_cast<Real>(of.rest * static_cast<double>(from[t]) + mean * score[t]);
    }
  }
  if (directions == 0) return;
  Matrix<Real> along(directions, columns);
  const Real* const vectors = of.eigenvectors.data();
  blas::multiply<Real>(directions, columns, features, {vectors, features},
                       {v.data() + columns, columns}, 0, along.data(), columns);
  for (Index j = 0; j < directions; ++j) {
    const auto more = static_cast<Real>(of.eigenvalues[as_size(j)] - of.rest);
    for (Real& entry : along.row(j)) entry *= more;
  }
  blas::multiply<Real>(features, columns, directions, {vectors, features, true},
                       {along.data(), columns}, 1, out.data() + columns, columns);
}

/// The mean square of each feature by these moments.
template <class Real>
std::vector<double> mean_squares_of(const SharedCurvature<Real>& of, Index features) {
  std::vector<double> squares(as_size(features), of.rest);
  for (std::size_t k = 0; k < of.mean.size(); ++k) squares[k] += of.mean[k] * of.mean[k];
  for (Index j = 0; j < of.eigenvectors.rows(); ++j) {
    const double more = of.eigenvalues[as_size(j)] - of.rest;
    for (Index k = 0; k < features; ++k) {
      const auto entry = static_cast<double>(of.eigenvectors(j, k));
      squares[as_size(k)] += more * entry * entry;
    }
  }
  return squares;
}

/// The mean of the tasks' Q, divided by that of the intercept; empty if no task has a prior.
template <class Real>
std::vector<Real> typical_root(const Matrix<Real>& root) {
  std::vector<Real> result;
  double of_intercept = 0;
  for (Index k = 0; k < root.rows(); ++k) {
    double sum = 0;
    for (const Real entry : root.row(k)) {
      sum += static_cast<double>(entry) * static_cast<double>(entry);
    }
    if (k == 0) of_intercept = sum;
    if (of_intercept <= 0) return {};
    result.push_back(static_cast<Real>(std::sqrt(sum / of_intercept)));
  }
  return result;
}

}  // namespace

template <class Real>
PriorTasks<Real>::PriorTasks(std::unique_ptr<LinearTaskSet<Real>> tasks, QuadraticPrior<Real> prior,
                             ThreadPool& pool)
    : tasks_(std::move(tasks)),
      prior_(std::move(prior)),
      alone_(rest_of_diagonal(prior_.factor, tasks_->parameters())),
      pool_(pool) {
  [[maybe_unused]] const auto fits = [&](const Matrix<Real>& matrix) {
    return matrix.rows() == parameters() && matrix.cols() == this->tasks();
  };
  assert(fits(prior_.centre) && fits(prior_.slope) && fits(prior_.root));
  assert(prior_.factor.rows() == 0 || prior_.factor.cols() == parameters());
}

template <class Real>
void PriorTasks<Real>::set_rho(double rho) {
  tasks_->set_rho(rho);
  shared_.reset();
}

template <class Real>
template <class Work>
void PriorTasks<Real>::for_each_panel(Index columns, const Work& work) {
  pool_.run((columns + kPanel - 1) / kPanel,
            [&](Index panel) { work(panel * kPanel, std::min((panel + 1) * kPanel, columns)); });
}

template <class Real>
void PriorTasks<Real>::add_product(std::span<const Index> which, const Matrix<Real>& d, Index begin,
                                   Index end, Matrix<Real>& to) {
  const Index columns = d.cols();
  const Index directions = prior_.factor.rows();
  for (Index k = 0; k < d.rows(); ++k) {
    for (Index t = begin; t < end; ++t) scaled_(k, t) = prior_.root(k, task_of(which, t)) * d(k, t);
  }
  if (directions > 0) {
    blas::multiply<Real>(directions, end - begin, d.rows(), {prior_.factor.data(), d.rows()},
                         {scaled_.data() + begin, columns}, 0, projected_.data() + begin, columns);
  }
  for (Index k = 0; k < d.rows(); ++k) {
    for (Index t = begin; t < end; ++t) scaled_(k, t) *= alone_[as_size(k)];
  }
  if (directions > 0) {
    blas::multiply<Real>(d.rows(), end - begin, directions, {prior_.factor.data(), d.rows(), true},
                         {projected_.data() + begin, columns}, 1, scaled_.data() + begin, columns);
  }
  for (Index k = 0; k < d.rows(); ++k) {
    const bool is_ridged = k >= prior_.first_ridged && !prior_.ridge.empty();
    for (Index t = begin; t < end; ++t) {
      const Index task = task_of(which, t);
      to(k, t) += prior_.root(k, task) * scaled_(k, t);
      if (is_ridged) to(k, t) += static_cast<Real>(prior_.ridge[as_size(task)]) * d(k, t);
    }
  }
}

template <class Real>
void PriorTasks<Real>::gradient(std::span<const Index> which, const Matrix<Real>& weights,
                                Matrix<Real>& gradient, const TaskMeasures& measures) {
  tasks_->gradient(which, weights, gradient, measures);
  const Index columns = weights.cols();
  moved_.resize(weights.rows(), columns);
  scaled_.resize(weights.rows(), columns);
  projected_.resize(prior_.factor.rows(), columns);
  curved_.resize(weights.rows(), columns);
  std::ranges::fill(curved_.values(), Real{0});
  for_each_panel(columns, [&](Index begin, Index end) {
    for (Index k = 0; k < weights.rows(); ++k) {
      for (Index t = begin; t < end; ++t) {
        moved_(k, t) = weights(k, t) - prior_.centre(k, task_of(which, t));
      }
    }
    add_product(which, moved_, begin, end, curved_);
    for (Index k = 0; k < weights.rows(); ++k) {
      for (Index t = begin; t < end; ++t) {
        const Real slope = prior_.slope(k, task_of(which, t));
        gradient(k, t) += curved_(k, t) + slope;
        if (measures.values.empty()) continue;
        measures.values[as_size(t)] +=
            static_cast<double>(moved_(k, t)) *
            (static_cast<double>(slope) + static_cast<double>(curved_(k, t)) / 2);
      }
    }
  });
  for (std::size_t t = 0; t < measures.mean_curvatures.size(); ++t) {
    const auto root = static_cast<double>(prior_.root(0, task_of(which, as_index(t))));
    measures.mean_curvatures[t] += root * root;
  }
}

template <class Real>
void PriorTasks<Real>::hessian_product(std::span<const Index> which, const Matrix<Real>& weights,
                                       const Matrix<Real>& direction, Matrix<Real>& product) {
  tasks_->hessian_product(which, weights, direction, product);
  scaled_.resize(weights.rows(), weights.cols());
  projected_.resize(prior_.factor.rows(), weights.cols());
  for_each_panel(weights.cols(), [&](Index begin, Index end) {
    add_product(which, direction, begin, end, product);
  });
}

/// Q R Q is at least 0, and at most the largest square of Q times the largest eigenvalue of R.
template <class Real>
std::vector<CurvatureRange> PriorTasks<Real>::curvatures() {
  double largest_of_r = static_cast<double>(std::ranges::max(alone_));
  if (prior_.factor.rows() > 0) {
    Matrix<double> factor(prior_.factor.rows(), prior_.factor.cols());
    std::ranges::copy(prior_.factor.values(), factor.values().begin());
    const double norm = spectral_norm_bound(factor);
    largest_of_r += norm * norm;
  }
  auto ranges = tasks_->curvatures();
  for (std::size_t t = 0; t < ranges.size(); ++t) {
    double largest = 0;
    for (Index k = 0; k < parameters(); ++k) {
      largest = std::max(largest, static_cast<double>(prior_.root(k, as_index(t))));
    }
    // The bound of the tasks alone counts on means over their own examples.
    ranges[t].least = 0;
    ranges[t].most += largest * largest * largest_of_r;
    if (!prior_.ridge.empty()) ranges[t].most += prior_.ridge[t];
  }
  return ranges;
}

template <class Real>
void PriorTasks<Real>::multiply_moments_before(std::span<const Real> root, const Matrix<Real>& v,
                                               Matrix<Real>& out) const {
  const Matrix<Real>& factor = prior_.factor;
  Matrix<Real> scaled(v.rows(), v.cols());
  out.resize(v.rows(), v.cols());
  for (Index k = 0; k < v.rows(); ++k) {
    for (Index t = 0; t < v.cols(); ++t) {
      scaled(k, t) = root[as_size(k)] * v(k, t);
      out(k, t) = alone_[as_size(k)] * scaled(k, t);
    }
  }
  if (factor.rows() > 0) {
    Matrix<Real> along(factor.rows(), v.cols());
    blas::multiply<Real>(factor.rows(), v.cols(), v.rows(), {factor.data(), v.rows()},
                         {scaled.data(), v.cols()}, 0, along.data(), v.cols());
    blas::multiply<Real>(v.rows(), v.cols(), factor.rows(), {factor.data(), v.rows(), true},
                         {along.data(), v.cols()}, 1, out.data(), v.cols());
  }
  for (Index k = 0; k < v.rows(); ++k) {
    for (Real& entry : out.row(k)) entry *= root[as_size(k)];
  }
}

/// The moments of both groups of examples, weighted by their numbers.
template <class Real>
SharedCurvature<Real> PriorTasks<Real>::mixed(const SharedCurvature<Real>& own) const {
  const auto root = typical_root(prior_.root);
  if (root.empty()) return own;
  const double share = prior_.own_share;
  const Index features = parameters() - 1;
  Matrix<Real> before;
  const auto multiply = [&](const Matrix<Real>& v, Matrix<Real>& out) {
    multiply_moments(own, v, out);
    multiply_moments_before(root, v, before);
    for (std::size_t k = 0; k < out.values().size(); ++k) {
      out.values()[k] = static_cast<Real>(share * static_cast<double>(out.values()[k]) +
                                          (1 - share) * static_cast<double>(before.values()[k]));
    }
  };
  // The first column of the moments are the means.
  Matrix<Real> one(features + 1, 1);
  for (Index k = 0; k <= features; ++k) one(k, 0) = k == 0 ? Real{1} : Real{0};
  Matrix<Real> first(features + 1, 1);
  multiply(one, first);
  const std::vector<double> means(first.values().begin(), first.values().end());
  std::vector<double> squares = mean_squares_of(own, features);
  for (std::size_t k = 0; k < squares.size(); ++k) {
    const auto of_feature = static_cast<double>(root[k + 1]);
    squares[k] = share * squares[k] + (1 - share) * of_feature * of_feature;
  }
  auto result = curvature_of_moments<Real>(
      {.means = means, .mean_squares = squares, .multiply = multiply}, own.ridge);
  result.passes = 0;  // over no data
  return result;
}

template <class Real>
const SharedCurvature<Real>* PriorTasks<Real>::shared_curvature() {
  if (!shared_) shared_ = mixed(*tasks_->shared_curvature());
  return &*shared_;
}

template class PriorTasks<float>;
template class PriorTasks<double>;

}  // namespace mugrad
