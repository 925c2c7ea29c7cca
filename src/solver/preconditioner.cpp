// SPDX-License-Identifier: MIT
#include "solver/preconditioner.h"

#include "linalg/dense/blas.h"
#include "linalg/dense/lapack.h"
#include "objective/covariance.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace mugrad {
namespace {

/// Directions whose eigenvalues are within this factor share an inverse.
constexpr double kAlike = 1.5;
/// With more directions than this, there are at most about so many inverses, by a wider factor.
constexpr Index kMostApart = 64;
constexpr double kMostInverses = 12;
/// Changes of curvature within this factor do not need new inverses.
constexpr double kUnchanged = 1.5;
/// A task that fits all its examples has no curvature; steps must stay finite.
constexpr double kLeastCurvature = 1e-7;
/// Without a ridge, linearly dependent features have directions without curvature, where only
/// rounding errors are found. Their curvature is set to this share of the largest.
template <class Real>
constexpr double kFlattest = std::is_same_v<Real, float> ? 1e-4 : 1e-10;

constexpr std::size_t kRest = 0;
constexpr std::size_t kIntercept = 1;

}  // namespace

template <class Real>
Preconditioner<Real>::Preconditioner(const SharedCurvature<Real>* shared, Index parameters,
                                     const Transfer<Real>& transfer, double sigma, ThreadPool& pool)
    : nothing_{.rest = 1},
      shared_(shared == nullptr ? nothing_ : *shared),
      first_(shared == nullptr ? 0 : 1),
      mbar_(transfer.matrix()),
      intercepts_(transfer.intercepts()),
      sigma_(sigma),
      pool_(pool),
      is_coupled_(sigma > 0 && mbar_ != nullptr && transfer.tasks() <= kMostCoupled) {
  if (sigma_ > 0) {
    for (Index i = 0; i < transfer.tasks(); ++i) {
      own_strengths_.push_back(mbar_ == nullptr ? sigma_ : sigma_ * (1 - mbar_->at(i, i)));
    }
  }
  if (!is_coupled_) return;
  plan_inverses();
  centred_ = Matrix<Real>(parameters, transfer.tasks());
}

template <class Real>
double Preconditioner<Real>::bytes(Index parameters, Index tasks, bool is_coupled,
                                   int threads) noexcept {
  constexpr double kUsualInverses = 5;
  const auto columns = static_cast<double>(tasks);
  const auto rows = static_cast<double>(parameters);
  const auto directions = static_cast<double>(curvature_directions(parameters - 1));
  const double projections = 2 * directions * columns * sizeof(Real);
  if (!is_coupled) return projections;
  const double at_once = std::min<double>(threads, kUsualInverses);
  return projections + rows * columns * sizeof(Real) +
         columns * columns * (kUsualInverses * sizeof(Real) + at_once * sizeof(double));
}

template <class Real>
void Preconditioner<Real>::plan_inverses() {
  inverses_.push_back({.eigenvalue = rest(), .ridge = ridge(), .transposed = {}});
  inverses_.push_back({.eigenvalue = 1, .ridge = 0, .transposed = {}});
  const auto& eigenvalues = shared_.eigenvalues;
  const double largest = eigenvalues.empty() ? 0 : eigenvalues.front();
  double least = kAlike * rest(), alike = kAlike;
  if (directions() > kMostApart) {
    // Smaller eigenvalues hardly differ from 0, beside the ridge or because of rounding.
    least = std::max({least, (kAlike - 1) * ridge(), kFlattest<Real> * largest});
    alike = std::max(alike, std::pow(largest / least, 1 / kMostInverses));
  }
  double last = 0;
  for (Index k = 0; k < directions(); ++k) {
    const double eigenvalue = eigenvalues[as_size(k)];
    const bool like_the_rest = eigenvalue <= least;
    if (!like_the_rest && (last == 0 || eigenvalue < last / alike)) {
      inverses_.push_back({.eigenvalue = eigenvalue, .ridge = ridge(), .transposed = {}});
      last = eigenvalue;
    }
    const std::size_t inverse = like_the_rest ? kRest : inverses_.size() - 1;
    if (runs_.empty() || runs_.back().inverse != inverse) {
      runs_.push_back({.begin = k, .end = k, .inverse = inverse});
    }
    runs_.back().end = k + 1;
  }
}

template <class Real>
void Preconditioner<Real>::set_curvatures(std::span<const double> curvatures,
                                          std::span<const double> ridges) {
  assert(!is_coupled_ || ridges.empty());
  ridges_.assign(ridges.begin(), ridges.end());
  const auto usable = [](double curvature) { return std::max(curvature, kLeastCurvature); };
  const auto alike = [&](double now, double before) {
    return usable(now) <= kUnchanged * before && before <= kUnchanged * usable(now);
  };
  if (is_coupled_ && std::ranges::equal(curvatures, curvatures_, alike)) return;
  curvatures_.resize(curvatures.size());
  std::ranges::transform(curvatures, curvatures_.begin(), usable);
  const double steepest = curvatures_.empty() ? 0 : std::ranges::max(curvatures_);
  const double largest = shared_.eigenvalues.empty() ? rest() : shared_.eigenvalues.front();
  flattest_ = std::max(kFlattest<Real> * steepest * (largest > 0 ? largest : 1),
                       kFlattest<double> * sigma_);
  if (projected_.cols() != std::ssize(curvatures)) {
    elsewhere_.resize(curvatures.size());
    projected_ = Matrix<Real>(directions(), std::ssize(curvatures));
    mixed_ = projected_;
  }
  if (is_coupled_) compute_inverses();
}

template <class Real>
Matrix<double> Preconditioner<Real>::system(const Inverse& inverse) const {
  const CsrMatrix<double>& mbar = *mbar_;
  const Index tasks = mbar.rows();
  Matrix<double> a(tasks, tasks);
  for (Index i = 0; i < tasks; ++i) {
    const auto columns = mbar.row_columns(i);
    const auto values = mbar.row_values(i);
    for (std::size_t k = 0; k < columns.size(); ++k) a(i, columns[k]) = -sigma_ * values[k];
    a(i, i) += sigma_ + own_curvature(inverse.eigenvalue, inverse.ridge, as_size(i));
  }
  return a;
}

template <class Real>
void Preconditioner<Real>::compute_inverses() {
  pool_.run(std::ssize(inverses_), [&](Index item) {
    auto& inverse = inverses_[as_size(item)];
    auto a = system(inverse);
    invert(a);
    const Index tasks = a.rows();
    if (inverse.transposed.rows() != tasks) inverse.transposed = Matrix<Real>(tasks, tasks);
    for (Index i = 0; i < tasks; ++i) {
      for (Index j = 0; j < tasks; ++j) inverse.transposed(j, i) = static_cast<Real>(a(i, j));
    }
  });
}

template <class Real>
template <class Work>
void Preconditioner<Real>::for_each_panel(Index columns, const Work& work) {
  constexpr Index kLeast = 16;
  constexpr Index kMost = 64;
  constexpr Index kPanels = 8;
  const Index even = (columns / kPanels + kLeast - 1) / kLeast * kLeast;
  const Index width = std::clamp(even, kLeast, kMost);
  pool_.run((columns + width - 1) / width,
            [&](Index panel) { work(panel * width, std::min((panel + 1) * width, columns)); });
}

template <class Real>
double Preconditioner<Real>::own_curvature(double eigenvalue, double ridge,
                                           std::size_t task) const noexcept {
  return std::max(curvatures_[task] * eigenvalue + ridge, flattest_);
}

template <class Real>
double Preconditioner<Real>::own_strength(bool intercept, std::size_t task) const noexcept {
  const bool own = intercept && intercepts_ == Intercepts::own;
  return own || own_strengths_.empty() ? 0 : own_strengths_[task];
}

template <class Real>
void Preconditioner<Real>::apply(const Matrix<Real>& in, Matrix<Real>& out) {
  assert(in.cols() == std::ssize(curvatures_) && out.cols() == in.cols());
  if (!is_coupled_) {
    for_each_panel(in.cols(), [&](Index begin, Index end) {
      centre_and_project(in, out, begin, end);
      scale_separately(out, begin, end);
      expand(out, begin, end);
    });
  } else {
    for_each_panel(in.cols(), [&](Index begin, Index end) {
      centre_and_project(in, centred_, begin, end);
      expand(centred_, begin, end);  // minus the part along the directions
    });
    mix_directions();
    mix_rest(centred_, out);
    for_each_panel(in.cols(), [&](Index begin, Index end) { expand(out, begin, end); });
  }
  finish_intercepts(in, out);
  if (shared_.columns_sum_to_zero) centre_columns(out);
}

/// out = in with centred features; projected = E out, or -E out if the projection is to be
/// subtracted.
template <class Real>
void Preconditioner<Real>::centre_and_project(const Matrix<Real>& in, Matrix<Real>& out,
                                              Index begin, Index end) {
  const auto first_row = first_;
  for (Index k = first_row; k < in.rows(); ++k) {
    const auto from = in.row(k);
    const auto to = out.row(k);
    const bool moved = !shared_.mean.empty();
    const auto mean = moved ? static_cast<Real>(shared_.mean[as_size(k - 1)]) : Real{0};
    const auto intercept = in.row(0);
    for (auto t = as_size(begin); t < as_size(end); ++t) {
      to[t] = moved ? from[t] - mean * intercept[t] : from[t];
    }
  }
  if (directions() == 0) return;
  const Index columns = out.cols();
  blas::multiply<Real>(directions(), end - begin, out.rows() - first_row,
                       {shared_.eigenvectors.data(), shared_.eigenvectors.cols()},
                       {out.data() + first_row * columns + begin, columns}, 0,
                       projected_.data() + begin, columns);
  if (!is_coupled_) return;
  for (Index k = 0; k < directions(); ++k) {
    const auto held = projected_.row(k);
    const auto taken_off = mixed_.row(k);
    for (auto t = as_size(begin); t < as_size(end); ++t) {
      taken_off[t] = -held[t];
    }
  }
}

/// out += E' mixed.
template <class Real>
void Preconditioner<Real>::expand(Matrix<Real>& out, Index begin, Index end) const {
  if (directions() == 0) return;
  const Index columns = out.cols();
  blas::multiply<Real>(out.rows() - first_, end - begin, directions(),
                       {shared_.eigenvectors.data(), shared_.eigenvectors.cols(), true},
                       {mixed_.data() + begin, columns}, 1, out.data() + first_ * columns + begin,
                       columns);
}

/// Task by task: 1/(curvature eigenvalue + ridge) along the directions, 1/(curvature rest + ridge)
/// elsewhere.
template <class Real>
void Preconditioner<Real>::scale_separately(Matrix<Real>& out, Index begin, Index end) {
  const auto from = as_size(begin);
  const auto to = as_size(end);
  const auto factor = [&](double eigenvalue, std::size_t t) {
    const double more = ridges_.empty() ? 0 : ridges_[t];
    return 1 / (own_curvature(eigenvalue, ridge() + more, t) + own_strength(false, t));
  };
  for (Index k = 0; k < directions(); ++k) {
    const auto held = projected_.row(k);
    const auto mixed = mixed_.row(k);
    const double eigenvalue = shared_.eigenvalues[as_size(k)];
    for (std::size_t t = from; t < to; ++t) {
      mixed[t] = static_cast<Real>(factor(eigenvalue, t) - factor(rest(), t)) * held[t];
    }
  }
  for (std::size_t t = from; t < to; ++t) elsewhere_[t] = static_cast<Real>(factor(rest(), t));
  for (Index k = first_; k < out.rows(); ++k) {
    const auto row = out.row(k);
    for (std::size_t t = from; t < to; ++t) row[t] *= elsewhere_[t];
  }
}

/// mixed = the projection on each direction, solved for all tasks together.
template <class Real>
void Preconditioner<Real>::mix_directions() {
  const Index tasks = projected_.cols();
  pool_.run(std::ssize(runs_), [&](Index item) {
    const Run& run = runs_[as_size(item)];
    blas::multiply<Real>(run.end - run.begin, tasks, tasks,
                         {projected_.data() + run.begin * tasks, tasks},
                         {inverses_[run.inverse].transposed.data(), tasks}, 0,
                         mixed_.data() + run.begin * tasks, tasks);
  });
}

template <class Real>
void Preconditioner<Real>::mix_rest(const Matrix<Real>& in, Matrix<Real>& out) {
  constexpr Index kRowsPerItem = 128;
  const Index tasks = in.cols();
  const Index rows = in.rows() - first_;
  pool_.run((rows + kRowsPerItem - 1) / kRowsPerItem, [&](Index item) {
    const Index begin = first_ + item * kRowsPerItem;
    const Index end = std::min(begin + kRowsPerItem, in.rows());
    blas::multiply<Real>(end - begin, tasks, tasks, {in.data() + begin * tasks, tasks},
                         {inverses_[kRest].transposed.data(), tasks}, 0, out.data() + begin * tasks,
                         tasks);
  });
}

/// Without centring, the intercepts compensate for the means.
template <class Real>
void Preconditioner<Real>::finish_intercepts(const Matrix<Real>& in, Matrix<Real>& out) {
  if (first_ == 0) return;
  const auto from = in.row(0);
  const auto to = out.row(0);
  if (is_coupled_ && intercepts_ == Intercepts::transferred) {
    const Index tasks = in.cols();
    blas::multiply<Real>(1, tasks, tasks, {from.data(), tasks},
                         {inverses_[kIntercept].transposed.data(), tasks}, 0, to.data(), tasks);
  } else {
    const bool is_ridged = !ridges_.empty() && intercepts_ == Intercepts::transferred;
    for (std::size_t t = 0; t < to.size(); ++t) {
      const double more = is_ridged ? ridges_[t] : 0;
      to[t] = from[t] / static_cast<Real>(curvatures_[t] + more + own_strength(true, t));
    }
  }
  for (std::size_t k = 0; k < shared_.mean.size(); ++k) {
    const auto mean = static_cast<Real>(shared_.mean[k]);
    const auto row = out.row(as_index(k) + 1);
    for (std::size_t t = 0; t < to.size(); ++t) to[t] -= mean * row[t];
  }
}

/// On columns that sum to zero, the inverse is the unrestricted one, centred.
template <class Real>
void Preconditioner<Real>::centre_columns(Matrix<Real>& out) {
  constexpr Index kRowsPerItem = 128;
  pool_.run((out.rows() + kRowsPerItem - 1) / kRowsPerItem, [&](Index item) {
    const Index end = std::min((item + 1) * kRowsPerItem, out.rows());
    for (Index k = item * kRowsPerItem; k < end; ++k) {
      const auto row = out.row(k);
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      const auto mean = static_cast<Real>(sum / static_cast<double>(row.size()));
      for (Real& entry : row) entry -= mean;
    }
  });
}

template class Preconditioner<float>;
template class Preconditioner<double>;

}  // namespace mugrad
