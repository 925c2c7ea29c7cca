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

/// Drops numbers that a sample shows to be far from the median, so that few are left to order.
/// Returns how many of those were smaller. Never drops the median, nor the one before it.
std::size_t keep_near_median(std::vector<double>& numbers) {
  constexpr std::size_t kStride = 64, kMargin = 64;  // of the sample
  const std::size_t half = numbers.size() / 2;
  std::vector<double> sample;
  for (std::size_t k = 0; k < numbers.size(); k += kStride) sample.push_back(numbers[k]);
  const std::size_t middle = sample.size() / 2;
  if (middle <= kMargin) return 0;
  std::ranges::sort(sample);
  const double low = sample[middle - kMargin], high = sample[middle + kMargin - 1];
  std::size_t smaller = 0, not_larger = 0;
  for (const double number : numbers) {
    smaller += number < low ? 1 : 0;
    not_larger += number <= high ? 1 : 0;
  }
  if (smaller >= half || not_larger <= half) return 0;
  std::size_t kept = 0;
  for (const double number : numbers) {
    numbers[kept] = number;  // also if it is dropped: a branch would be mispredicted
    kept += number >= low && number <= high ? 1 : 0;
  }
  numbers.resize(kept);
  return smaller;
}

/// The median of the numbers below the diagonal; their mean if that is 0, and 1 if that is 0 too.
double median_below_diagonal(const Matrix<double>& matrix) {
  std::vector<double> numbers;
  numbers.reserve(as_size(matrix.rows() * (matrix.rows() - 1) / 2));
  double sum = 0;
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      numbers.push_back(matrix(i, j));
      sum += matrix(i, j);
    }
  }
  if (sum == 0) return 1;
  const std::size_t count = numbers.size();
  const std::size_t smaller = keep_near_median(numbers);
  const auto middle = numbers.begin() + as_index(count / 2 - smaller);
  std::ranges::nth_element(numbers, middle);
  const double above = *middle;
  const double below = count % 2 == 1 ? above : *std::max_element(numbers.begin(), middle);
  const double median = below + (above - below) / 2;
  return median > 0 ? median : sum / static_cast<double>(count);
}

/// The Cholesky decomposition of similarities of centres with a ridge.
struct Factor {
  Matrix<double> upper;  ///< U, in its upper triangle
  double ridge = kRidge;
};

/// U'U are the similarities with the ridge. Where rounding errors exceed that, a larger one is
/// added.
Factor factored(const Matrix<double>& similarities) {
  constexpr int kTrials = 7;
  Factor factor;
  for (int trial = 0; trial < kTrials; ++trial, factor.ridge *= 10) {
    factor.upper = similarities;
    for (Index i = 0; i < factor.upper.rows(); ++i) factor.upper(i, i) += factor.ridge;
    if (factor_positive_definite(factor.upper)) return factor;
  }
  throw InputError(
      "Gaussian features cannot be made of these examples, because distances between them exceed "
      "the precision of numbers");
}

/// Replaces U by the Gaussian features of the centres, K U^(-1) = U' - ridge U^(-1). A product with
/// their similarities K would give the same, for more work.
void to_features_of_centres(const Matrix<double>& inverse, Factor& factor) {
  Matrix<double>& upper = factor.upper;
  for (Index i = 0; i < upper.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      upper(i, j) = upper(j, i);
      upper(j, i) = -factor.ridge * inverse(j, i);
    }
    upper(i, i) -= factor.ridge * inverse(i, i);
  }
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

/// The examples as represented, if they are the centres.
template <class Real>
Matrix<Real> represented_centres(const GaussianExamples& examples, const Matrix<double>& gaussian) {
  const Matrix<double> own = transformed_rows(examples.x, feature_transform(examples.statistics));
  Matrix<Real> rows(own.rows(), own.cols() + gaussian.cols());
  const auto copy = [](std::span<const double> from, std::span<Real> to) {
    std::ranges::transform(from, to.begin(), [](double x) { return static_cast<Real>(x); });
  };
  for (Index row = 0; row < rows.rows(); ++row) {
    const auto to = rows.row(row);
    copy(own.row(row), to.first(as_size(own.cols())));
    copy(gaussian.row(row), to.subspan(as_size(own.cols())));
  }
  return rows;
}

/// `of_centres` are the Gaussian features of the examples, if they are the centres; else empty.
template <class Real>
GaussianFit represented(const GaussianExamples& examples, Representation representation,
                        const Matrix<double>& of_centres, ThreadPool& pool, Progress* progress) {
  Matrix<Real> rows = of_centres.rows() > 0
                          ? represented_centres<Real>(examples, of_centres)
                          : represented_rows<Real>(examples.x, representation, pool, progress);
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
  const auto compared = drawn(counted, kMostCompared, seed, "gaussian-distances");
  const auto centres = drawn(counted, options.centres, seed, "gaussian-centres");
  Stages stages(progress);
  stages.enter(0, 0.1);
  gaussian.centres = rows_of(centres);
  auto similarities = squared_distances(gaussian.centres, pool, &stages);
  const double median = median_below_diagonal(
      compared == centres ? similarities : squared_distances(rows_of(compared), pool));
  gaussian.decay = options.width / median;
  to_similarities(gaussian.decay, pool, similarities);
  Factor factor = factored(similarities);
  similarities = {};
  gaussian.projection = factor.upper;
  invert_factor(gaussian.projection);
  if (std::ssize(centres) == examples.x.rows()) {
    to_features_of_centres(gaussian.projection, factor);
  } else {
    factor.upper = {};
  }
  stages.enter(0.4, 1);
  auto fit =
      in_double
          ? represented<double>(examples, std::move(representation), factor.upper, pool, &stages)
          : represented<float>(examples, std::move(representation), factor.upper, pool, &stages);
  stages.advance(1);
  return fit;
}

Matrix<double> expanded_rows(const Features& x, const Representation& representation,
                             ThreadPool& pool, Progress* progress) {
  return represented_rows<double>(x, representation, pool, progress);
}

}  // namespace mugrad
