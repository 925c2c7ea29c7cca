// SPDX-License-Identifier: MIT
#include "objective/covariance.h"

#include "linalg/fused_pass.h"
#include "linalg/leading_eigenpairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace mugrad {
namespace {

/// As many directions as are still cheap beside a pass over the data; trials with 32 to 256 showed
/// little gain from more.
constexpr Index kDirections = 64;

/// The scores themselves are summed up: the pass multiplies by [1 X]' [1 X] / n.
template <class Real>
class MomentBody final : public PassBody<Real> {
 public:
  explicit MomentBody(Index rows) : share_(Real{1} / static_cast<Real>(rows)) {}

  void residuals(const ScoreBlock<Real>&) const override {}
  void finish(Index, std::span<Real> sums) const override {
    for (Real& sum : sums) sum *= share_;
  }

 private:
  Real share_;
};

}  // namespace

template <class Real>
SharedCurvature<Real> shared_curvature_of(const SecondMoments<Real>& moments, double ridge) {
  const auto mean = moments.means.subspan(1);
  const auto features = static_cast<Index>(mean.size());
  SharedCurvature<Real> shared{.mean = {mean.begin(), mean.end()}, .ridge = ridge};

  if (features == 0) return shared;

  Matrix<Real> extended, product;
  // C v: an intercept of -m'v centres the scores, whose mean is then zero.
  const auto multiply = [&](const Matrix<Real>& v, Matrix<Real>& out) {
    if (extended.cols() != v.cols()) {
      extended = Matrix<Real>(features + 1, v.cols());
      product = extended;
    }
    std::vector<double> offset(static_cast<std::size_t>(v.cols()), 0);
    for (Index k = 0; k < features; ++k) {
      const auto from = v.row(k);
      std::ranges::copy(from, extended.row(k + 1).begin());
      for (std::size_t t = 0; t < offset.size(); ++t) {
        offset[t] -= mean[static_cast<std::size_t>(k)] * static_cast<double>(from[t]);
      }
    }
    std::ranges::transform(offset, extended.row(0).begin(),
                           [](double entry) { return static_cast<Real>(entry); });
    moments.multiply(extended, product);
    for (Index k = 0; k < features; ++k) std::ranges::copy(product.row(k + 1), out.row(k).begin());
  };
  auto pairs = leading_eigenpairs<Real>(features, std::min(features, kDirections), multiply);

  const double squares = std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
  const double variance = std::max(0.0, moments.mean_square - squares);
  const double found = std::accumulate(pairs.values.begin(), pairs.values.end(), 0.0);
  const auto others = features - static_cast<Index>(pairs.values.size());
  if (others > 0) shared.rest = std::max(0.0, variance - found) / static_cast<double>(others);
  if (squares <= 1e-12 * variance) shared.mean.clear();
  shared.eigenvectors = std::move(pairs.vectors);
  shared.eigenvalues = std::move(pairs.values);
  shared.passes = pairs.products;
  return shared;
}

template <class Real>
SharedCurvature<Real> shared_curvature_of(const Design<Real>& design, double ridge,
                                          ThreadPool& pool) {
  std::vector<double> ones(static_cast<std::size_t>(design.cols()), 0);
  std::vector<double> means(ones.size());
  ones[0] = 1;
  design.gram_product(ones, means);
  std::optional<FusedPass<Real>> pass;
  const auto multiply = [&](const Matrix<Real>& v, Matrix<Real>& product) {
    if (!pass) pass.emplace(design, v.cols(), pool);
    pass->run(v, nullptr, MomentBody<Real>(design.rows()), product, PassSums{});
  };
  return shared_curvature_of<Real>(
      {.means = means, .mean_square = design.mean_square(), .multiply = multiply}, ridge);
}

template SharedCurvature<float> shared_curvature_of(const SecondMoments<float>&, double);
template SharedCurvature<double> shared_curvature_of(const SecondMoments<double>&, double);
template SharedCurvature<float> shared_curvature_of(const Design<float>&, double, ThreadPool&);
template SharedCurvature<double> shared_curvature_of(const Design<double>&, double, ThreadPool&);

}  // namespace mugrad
