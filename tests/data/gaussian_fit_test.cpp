// SPDX-License-Identifier: MIT
#include "data/gaussian_fit.h"

#include "support/label_rows.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace mugrad {
namespace {

using testing::as_sparse;

GaussianFit fitted(const Features& x, const GaussianOptions& options, std::uint64_t seed = 1,
                   int threads = 1, std::span<const double> row_weights = {},
                   bool in_double = true) {
  ThreadPool pool(Threads{threads});
  const auto statistics = fit_representation(x, RepresentationKind::gaussian, row_weights);
  return fit_gaussian({.x = x, .row_weights = row_weights, .statistics = statistics}, options, seed,
                      in_double, pool);
}

Features some_rows(Index rows, Index features = 4) {
  return testing::random_problem({.rows = rows, .features = features}, 5).x;
}

/// Entry (i, j) of the squared distances of z-scored rows.
Matrix<double> plain_distances(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> result(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.rows(); ++j) {
      for (Index k = 0; k < a.cols(); ++k) {
        result(i, j) += (a(i, k) - b(j, k)) * (a(i, k) - b(j, k));
      }
    }
  }
  return result;
}

Matrix<double> zscored(const Features& x) {
  const auto zscore = fit_representation(x, RepresentationKind::zscore);
  Matrix<double> rows(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < x.cols(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      rows(i, k) =
          zscore.deviation[at] > 0 ? (x.dense()(i, k) - zscore.mean[at]) / zscore.deviation[at] : 0;
    }
  }
  return rows;
}

double variance_from(const Features& rows, Index first) {
  const auto& x = rows.dense();
  const auto n = static_cast<double>(x.rows());
  double total = 0;
  for (Index k = first; k < x.cols(); ++k) {
    double sum = 0, squares = 0;
    for (Index i = 0; i < x.rows(); ++i) sum += x(i, k);
    for (Index i = 0; i < x.rows(); ++i) squares += (x(i, k) - sum / n) * (x(i, k) - sum / n);
    total += squares / n;
  }
  return total;
}

void expect_projected_similarities(Index all, Index of_them) {
  const Features x = some_rows(all);
  const auto fit = fitted(x, {.centres = of_them, .width = 0.7});
  const auto& [centres, projection, decay] = fit.representation.gaussian;
  const auto z = zscored(x);
  const auto apart = plain_distances(z, centres);
  ASSERT_EQ(fit.rows.cols(), 4 + of_them);
  EXPECT_EQ(represented_features(fit.representation), 4 + of_them);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < 4; ++k) EXPECT_NEAR(fit.rows.dense()(i, k), 0.3 * z(i, k), 1e-14);
    for (Index j = 0; j < of_them; ++j) {
      double expected = 0;
      for (Index c = 0; c < of_them; ++c)
        expected += std::exp(-decay * apart(i, c)) * projection(c, j);
      // The projection has entries in the hundreds.
      EXPECT_NEAR(fit.rows.dense()(i, 4 + j), expected, 1e-11);
    }
  }
}

TEST(GaussianFit, RowsAreZScoresBesideProjectedSimilarities) {
  expect_projected_similarities(160, 150);  // more than the columns of a panel
  expect_projected_similarities(160, 160);  // from the decomposition, without products
}

TEST(GaussianFit, FallsOffByTheMedianSquaredDistanceOfAllPairs) {
  for (const Index rows : {2, 3, 40, 41, 200, 202}) {  // the last ones have many pairs
    const Features x = some_rows(rows);
    const auto apart = plain_distances(zscored(x), zscored(x));
    std::vector<double> distances;
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < i; ++j) distances.push_back(apart(i, j));
    }
    std::ranges::sort(distances);
    const std::size_t n = distances.size();
    const double median = (distances[(n - 1) / 2] + distances[n / 2]) / 2;
    EXPECT_NEAR(fitted(x, {.width = 0.3}).representation.gaussian.decay, 0.3 / median,
                1e-12 * 0.3 / median);
  }
}

TEST(GaussianFit, WhitensTheSimilaritiesOfTheCentres) {
  const auto gaussian = fitted(some_rows(60), {.centres = 25}).representation.gaussian;
  const auto apart = plain_distances(gaussian.centres, gaussian.centres);
  Matrix<double> product(25, 25);  // P' (K + 1e-6 I) P
  for (Index a = 0; a < 25; ++a) {
    for (Index b = 0; b < 25; ++b) {
      for (Index i = 0; i < 25; ++i) {
        for (Index j = 0; j < 25; ++j) {
          const double similarity = std::exp(-gaussian.decay * apart(i, j)) + (i == j ? 1e-6 : 0);
          product(a, b) += gaussian.projection(i, a) * similarity * gaussian.projection(j, b);
        }
      }
    }
  }
  for (Index a = 0; a < 25; ++a) {
    EXPECT_NEAR(product(a, a) / product(0, 0), 1, 1e-9);
    for (Index b = 0; b < a; ++b) EXPECT_NEAR(product(a, b) / product(0, 0), 0, 1e-9);
  }
}

TEST(GaussianFit, ProjectsEachFeatureFromTheFirstCentresAlone) {
  const auto projection = fitted(some_rows(60), {.centres = 25}).representation.gaussian.projection;
  for (Index i = 0; i < 25; ++i) {
    EXPECT_GT(projection(i, i), 0);
    for (Index j = 0; j < i; ++j) EXPECT_EQ(projection(i, j), 0);
  }
}

TEST(GaussianFit, IsFiniteForManyDuplicatesAndFarOutliers) {
  auto values = some_rows(120).dense();
  for (Index i = 0; i < 60; ++i) std::ranges::copy(values.row(0), values.row(i).begin());
  for (double& value : values.row(118)) value = 1e9;
  for (double& value : values.row(119)) value = 1e9 + 1;
  for (const double width : {1e-6, 1.0, 1e6}) {
    const auto fit = fitted(Features(values), {.width = width});
    for (const double value : fit.rows.dense().values()) ASSERT_TRUE(std::isfinite(value));
  }
}

TEST(GaussianFit, VariancesOfGaussianFeaturesSumToThoseOfZScores) {
  Features x = some_rows(50);
  for (Index i = 0; i < 50; ++i) x.dense()(i, 1) = 3;  // constant: three features vary
  EXPECT_NEAR(variance_from(fitted(x, {.centres = 20}).rows, 4), 3, 1e-12);
}

TEST(GaussianFit, CentresAreDifferentExamplesChosenByTheSeed) {
  const Features x = some_rows(50);
  const auto z = zscored(x);
  const auto drawn = [&](std::uint64_t seed) {
    std::vector<Index> rows;
    const auto centres = fitted(x, {.centres = 12}, seed).representation.gaussian.centres;
    for (Index c = 0; c < centres.rows(); ++c) {
      for (Index i = 0; i < 50; ++i) {
        if (std::ranges::equal(centres.row(c), z.row(i),
                               [](double a, double b) { return std::fabs(a - b) < 1e-12; })) {
          rows.push_back(i);
        }
      }
    }
    return rows;
  };
  const auto first = drawn(1);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 12u);
  EXPECT_EQ(drawn(1), first);
  EXPECT_NE(drawn(2), first);
}

TEST(GaussianFit, HasNoMoreCentresThanExamplesOfPositiveWeight) {
  const Features x = some_rows(10);
  EXPECT_EQ(fitted(x, {}).representation.gaussian.centres.rows(), 10);
  const std::vector<double> weights = {0, 1, 1, 0, 2, 1, 0, 1, 1, 1};
  const auto fit = fitted(x, {}, 1, 1, weights);
  EXPECT_EQ(fit.representation.gaussian.centres.rows(), 7);
  EXPECT_EQ(fit.rows.rows(), 10);
}

TEST(GaussianFit, ThreadsDoNotChangeABit) {
  const Features x = some_rows(700, 7);
  for (const bool in_double : {true, false}) {
    const auto one = fitted(x, {.centres = 150}, 1, 1, {}, in_double);
    const auto three = fitted(x, {.centres = 150}, 1, 3, {}, in_double);
    EXPECT_EQ(one.representation, three.representation);
    EXPECT_EQ(one.rows, three.rows);
  }
}

TEST(GaussianFit, SparseExamplesGiveTheBitsOfDenseOnes) {
  const Features x =
      testing::random_problem({.rows = 80, .features = 9, .feature_probability = 0.4}, 3).x;
  const Features sparse = as_sparse(x);
  ThreadPool pool(Threads{1});
  const auto statistics = fit_representation(x, RepresentationKind::gaussian);
  const auto of_dense =
      fit_gaussian({.x = x, .statistics = statistics}, {.centres = 30}, 1, true, pool);
  const auto of_sparse =
      fit_gaussian({.x = sparse, .statistics = statistics}, {.centres = 30}, 1, true, pool);
  EXPECT_EQ(of_dense.representation, of_sparse.representation);
  EXPECT_EQ(of_dense.rows, of_sparse.rows);
}

TEST(GaussianFit, IsFiniteForExamplesThatHardlyDiffer) {
  const std::vector<Features> all = {
      testing::dense_rows({{1, 2}}),                          // one example
      testing::dense_rows({{1, 2}, {1, 2}, {1, 2}}),          // all the same
      testing::dense_rows({{1, 2}, {1, 2}, {1, 2}, {1, 3}}),  // most pairs the same
      testing::dense_rows({{0, 0}, {0, 1}})};
  for (const auto& rows : all) {
    const auto fit = fitted(rows, {});
    EXPECT_GT(fit.representation.gaussian.decay, 0);
    for (const double value : fit.rows.dense().values()) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace mugrad
