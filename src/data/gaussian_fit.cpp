// SPDX-License-Identifier: MIT
#include "data/gaussian_fit.h"

#include "core/stages.h"
#include "data/gaussian_expansion.h"
#include "data/random_order.h"
#include "linalg/dense/gaussian_kernel.h"
#include "linalg/dense/lapack.h"
#include "linalg/row_weight.h"
#include "linalg/scaled_rows.h"

#include <mugrad/core/error.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

constexpr double kRidge = 1e-6;       // of the similarities of centres
constexpr Index kMostCompared = 500;  // examples whose distances give the median

/// Examples of positive weight.
std::vector<Index> counted_rows(const GaussianExamples& examples) {
  std::vector<Index> rows;
  for (Index row = 0; row < examples.x.rows(); ++row) {
    if (weight_of(examples.row_weights, row) > 0) rows.push_back(row);
  }
  return rows;
}

/// Up to `most` of these numbers, drawn without replacement; in their order.
std::vector<Index> drawn(const std::vector<Index>& from, Index most, std::uint64_t seed,
                         std::string_view purpose) {
  std::vector<Index> places = random_order(std::ssize(from), seed, purpose);
  places.resize(as_size(std::min(most, std::ssize(from))));
  std::ranges::sort(places);
  for (Index& place : places) place = from[as_size(place)];
  return places;
}

/// The median of the numbers below the diagonal; their mean if that is 0, and 1 if that is 0 too.
double median_below_diagonal(const Matrix<double>& matrix) {
  std::vector<double> numbers;
  double sum = 0;
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      numbers.push_back(matrix(i, j));
      sum += matrix(i, j);
    }
  }
  if (sum == 0) return 1;
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::ranges::nth_element(numbers, middle);
  const double above = *middle;
  const double below = numbers.size() % 2 == 1 ? above : *std::max_element(numbers.begin(), middle);
  const double median = below + (above - below) / 2;
  return median > 0 ? median : sum / static_cast<double>(numbers.size());
}

/// U^(-1), for the similarities U'U of the centres. Where rounding errors exceed the ridge, a
/// larger one is added.
Matrix<double> whitening(const Matrix<double>& similarities) {
  constexpr int kTrials = 7;
  double ridge = kRidge;
  for (int trial = 0; trial < kTrials; ++trial, ridge *= 10) {
    Matrix<double> factor = similarities;
    for (Index i = 0; i < factor.rows(); ++i) factor(i, i) += ridge;
    if (!factor_positive_definite(factor)) continue;
    invert_factor(factor);
    return factor;
  }
  throw InputError(
      "Gaussian features cannot be made of these examples, because distances between them exceed "
      "the precision of numbers");
}

/// The rows as represented.
template <class Real>
Matrix<Real> represented_rows(const Features& x, const Representation& representation,
                              ThreadPool& pool, Progress* progress) {
  constexpr Index kBlock = 64, kBlocksAtOnce = 32;
  const GaussianExpansion expansion(representation);
  const FeatureTransform transform = feature_transform(representation);
  Matrix<Real> rows(x.rows(), expansion.features());
  const auto fill = [&](Index begin, Index end) {
    GaussianExpansion::Scratch scratch;
    Matrix<double> block(end - begin, expansion.features());
    expansion.expand(x, begin, end, block.data(), scratch);
    for (Index i = begin; i < end; ++i) {
      const auto from = block.row(i - begin);
      const auto to = rows.row(i);
      for (std::size_t k = 0; k < to.size(); ++k) {
        to[k] = static_cast<Real>((from[k] - transform.shift[k]) * transform.factor[k]);
      }
    }
  };
  const Index blocks = (x.rows() + kBlock - 1) / kBlock;
  for (Index first = 0; first < blocks; first += kBlocksAtOnce) {
    advance(progress, share_of(first, blocks));
    pool.run(std::min(kBlocksAtOnce, blocks - first), [&](Index item) {
      const Index begin = (first + item) * kBlock;
      fill(begin, std::min(begin + kBlock, x.rows()));
    });
  }
  return rows;
}

/// The sum of the variances of the columns from `first` on.
template <class Real>
double total_variance(const Matrix<Real>& rows, Index first, std::span<const double> row_weights) {
  const auto begin = as_size(first);
  std::vector<double> means(as_size(rows.cols()), 0);
  double total = 0;
  for (Index row = 0; row < rows.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    total += weight;
    for (std::size_t k = begin; k < means.size(); ++k) {
      means[k] += weight * static_cast<double>(rows.row(row)[k]);
    }
  }
  for (double& mean : means) mean /= total;
  double squares = 0;
  for (Index row = 0; row < rows.rows(); ++row) {
    double of_row = 0;
    for (std::size_t k = begin; k < means.size(); ++k) {
      const double distance = static_cast<double>(rows.row(row)[k]) - means[k];
      of_row += distance * distance;
    }
    squares += weight_of(row_weights, row) * of_row;
  }
  return squares / total;
}

/// Multiplies the Gaussian features by the factor that makes their variances sum to those of the
/// z-scores.
template <class Real>
void balance(std::span<const double> row_weights, Representation& representation,
             Matrix<Real>& rows) {
  const Index features = std::ssize(representation.mean);
  const double variance = total_variance(rows, features, row_weights);
  const auto varying = std::ranges::count_if(representation.deviation,
                                             [](double deviation) { return deviation > 0; });
  if (variance == 0 || varying == 0) return;
  const double factor = std::sqrt(static_cast<double>(varying) / variance);
  for (double& entry : representation.gaussian.projection.values()) entry *= factor;
  for (Index row = 0; row < rows.rows(); ++row) {
    for (Real& value : rows.row(row).subspan(as_size(features))) {
      value = static_cast<Real>(static_cast<double>(value) * factor);
    }
  }
}

template <class Real>
GaussianFit represented(const GaussianExamples& examples, Representation representation,
                        ThreadPool& pool, Progress* progress) {
  Matrix<Real> rows = represented_rows<Real>(examples.x, representation, pool, progress);
  balance(examples.row_weights, representation, rows);
  return {.representation = std::move(representation), .rows = std::move(rows)};
}

}  // namespace

GaussianFit fit_gaussian(const GaussianExamples& examples, const GaussianOptions& options,
                         std::uint64_t seed, bool in_double, ThreadPool& pool, Progress* progress) {
  Representation representation = examples.statistics;
  GaussianFeatures& gaussian = representation.gaussian;
  const FeatureTransform zscores = feature_transform({.kind = RepresentationKind::zscore,
                                                      .mean = representation.mean,
                                                      .deviation = representation.deviation});
  const auto rows_of = [&](const std::vector<Index>& rows) {
    return transformed_rows(select_rows(examples.x, rows), zscores);
  };
  const auto counted = counted_rows(examples);
  Stages stages(progress);
  stages.enter(0, 0.1);
  const auto compared = rows_of(drawn(counted, kMostCompared, seed, "gaussian-distances"));
  gaussian.decay = options.width / median_below_diagonal(squared_distances(compared, pool));
  gaussian.centres = rows_of(drawn(counted, options.centres, seed, "gaussian-centres"));
  auto similarities = squared_distances(gaussian.centres, pool, &stages);
  to_similarities(gaussian.decay, pool, similarities);
  gaussian.projection = whitening(similarities);
  similarities = {};
  stages.enter(0.4, 1);
  auto fit = in_double ? represented<double>(examples, std::move(representation), pool, &stages)
                       : represented<float>(examples, std::move(representation), pool, &stages);
  stages.advance(1);
  return fit;
}

Matrix<double> expanded_rows(const Features& x, const Representation& representation,
                             ThreadPool& pool, Progress* progress) {
  return represented_rows<double>(x, representation, pool, progress);
}

}  // namespace mugrad
