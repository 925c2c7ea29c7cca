// SPDX-License-Identifier: MIT
#include "objective/covariance.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace mugrad {
namespace {

/// Number of directions that is still cheap compared with a pass over the data, if there are many
/// features; trials with 32 to 256 showed little gain from more.
constexpr Index kDirections = 64;
/// All directions of so few features are cheap. In the space of few rows, 64 of 225 take up to 100
/// times as many passes, because no direction has little variance there.
constexpr Index kFewFeatures = 256;

/// Sums the scores themselves: the pass multiplies by the mean of a a', a' a row of [1 X].
template <class Real>
class MomentBody final : public PassBody<Real> {
 public:
  explicit MomentBody(const RowWeights& rows)
      : rows_(rows), share_(static_cast<Real>(1 / rows.total())) {}

  void residuals(const ScoreBlock<Real>& block) const override { rows_.multiply(block); }
  void finish(Index, std::span<Real> sums) const override {
    for (Real& sum : sums) sum *= share_;
  }

 private:
  const RowWeights& rows_;
  Real share_;
};

/// The covariance of some features, by products with it.
template <class Real>
class Covariance {
 public:
  Covariance(const SecondMoments<Real>& moments, std::span<const Index> features)
      : moments_(moments), features_(features) {}

  /// out = C v: an intercept of -m'v centres the scores, whose mean is then zero.
  void multiply(const Matrix<Real>& v, Matrix<Real>& out) {
    if (extended_.cols() != v.cols()) {
      extended_ = Matrix<Real>(std::ssize(moments_.means), v.cols());
      product_ = extended_;
    }
    std::vector<double> offset(as_size(v.cols()), 0);
    for (Index k = 0; k < v.rows(); ++k) {
      const auto from = v.row(k);
      std::ranges::copy(from, extended_.row(row(k)).begin());
      const double mean = moments_.means[as_size(row(k))];
      for (std::size_t t = 0; t < offset.size(); ++t) {
        offset[t] -= mean * static_cast<double>(from[t]);
      }
    }
    std::ranges::transform(offset, extended_.row(0).begin(),
                           [](double entry) { return static_cast<Real>(entry); });
    moments_.multiply(extended_, product_);
    for (Index k = 0; k < v.rows(); ++k)
      std::ranges::copy(product_.row(row(k)), out.row(k).begin());
  }

 private:
  /// The row in the moments, after that of the ones.
  Index row(Index k) const noexcept { return features_[as_size(k)] + 1; }

  const SecondMoments<Real>& moments_;
  std::span<const Index> features_;
  Matrix<Real> extended_, product_;  ///< zero for excluded features
};

/// Extends vectors over some features to all, with zeros for the others.
template <class Real>
Matrix<Real> spread_out(Matrix<Real> vectors, std::span<const Index> features, Index all) {
  if (vectors.cols() == all) return vectors;
  Matrix<Real> result(vectors.rows(), all);
  for (Index row = 0; row < vectors.rows(); ++row) {
    for (Index k = 0; k < vectors.cols(); ++k) {
      result(row, features[as_size(k)]) = vectors(row, k);
    }
  }
  return result;
}

}  // namespace

Index curvature_directions(Index features) noexcept {
  return features <= kFewFeatures ? features : kDirections;
}

template <class Real>
SharedCurvature<Real> curvature_of_moments(const SecondMoments<Real>& moments, double ridge,
                                           std::span<const char> set_apart) {
  const auto all = std::ssize(moments.mean_squares);
  SharedCurvature<Real> shared{.ridge = ridge};
  shared.mean.resize(moments.mean_squares.size(), 0);
  std::vector<Index> together;
  double squares = 0;      // of the means
  double mean_square = 0;  // of the features that are not set apart
  double apart = 0;        // of the others
  for (Index k = 0; k < all; ++k) {
    const auto at = as_size(k);
    if (!set_apart.empty() && set_apart[at]) {
      apart += moments.mean_squares[at];
      continue;
    }
    together.push_back(k);
    shared.mean[at] = moments.means[at + 1];
    squares += shared.mean[at] * shared.mean[at];
    mean_square += moments.mean_squares[at];
  }
  const auto features = std::ssize(together);
  const double variance = std::max(0.0, mean_square - squares);
  if (squares <= 1e-12 * variance) shared.mean.clear();

  double unknown = apart;
  if (features > 0) {
    Covariance<Real> covariance(moments, together);
    auto pairs = leading_eigenpairs<Real>(
        features, curvature_directions(features),
        [&](const Matrix<Real>& v, Matrix<Real>& out) { covariance.multiply(v, out); });
    const double found = std::accumulate(pairs.values.begin(), pairs.values.end(), 0.0);
    if (std::ssize(pairs.values) < features) unknown += std::max(0.0, variance - found);
    shared.eigenvectors = spread_out(std::move(pairs.vectors), together, all);
    shared.eigenvalues = std::move(pairs.values);
    shared.passes = pairs.products;
  }
  const auto others = all - std::ssize(shared.eigenvalues);
  if (others > 0) shared.rest = unknown / static_cast<double>(others);
  return shared;
}

template <class Real>
SharedCurvature<Real> shared_curvature_of(const Design<Real>& design, const RowWeights& rows,
                                          double ridge, std::span<const char> set_apart,
                                          ThreadPool& pool, const FusedPass<Real>* beside) {
  const auto means = column_means(design, rows.values());
  const auto mean_squares = design.mean_squares(rows.values());
  std::optional<FusedPass<Real>> pass;
  const auto multiply = [&](const Matrix<Real>& v, Matrix<Real>& product) {
    if (!pass) pass.emplace(design, v.cols(), pool, beside);
    pass->run(v, nullptr, MomentBody<Real>(rows), product, PassSums{});
  };
  return curvature_of_moments<Real>(
      {.means = means, .mean_squares = mean_squares, .multiply = multiply}, ridge, set_apart);
}

template <class Real>
double bytes_to_find_curvature(const DesignShape& design) noexcept {
  constexpr double kMatrices = 5;  // the basis, its rotation, its product; both with intercepts
  constexpr double kVectors = 5;   // means, squares, which features
  const auto features = static_cast<double>(design.cols - 1);
  const Index carried = carried_vectors(design.cols - 1, curvature_directions(design.cols - 1));
  return kMatrices * features * static_cast<double>(carried) * sizeof(Real) +
         kVectors * features * sizeof(double) + bytes_of_curvature<Real>(design) +
         FusedPass<Real>::scratch_bytes(design, carried, carried, false);
}

template <class Real>
double bytes_of_curvature(const DesignShape& design) noexcept {
  const auto features = static_cast<double>(design.cols - 1);
  return features * (static_cast<double>(curvature_directions(design.cols - 1)) * sizeof(Real) +
                     sizeof(double));
}

template decltype(bytes_to_find_curvature<float>) bytes_to_find_curvature<float>;
template decltype(bytes_to_find_curvature<double>) bytes_to_find_curvature<double>;
template decltype(bytes_of_curvature<float>) bytes_of_curvature<float>;
template decltype(bytes_of_curvature<double>) bytes_of_curvature<double>;
template decltype(curvature_of_moments<float>) curvature_of_moments<float>;
template decltype(curvature_of_moments<double>) curvature_of_moments<double>;
template decltype(shared_curvature_of<float>) shared_curvature_of<float>;
template decltype(shared_curvature_of<double>) shared_curvature_of<double>;

}  // namespace mugrad
