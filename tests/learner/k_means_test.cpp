// SPDX-License-Identifier: MIT
#include "learner/k_means.h"

#include "support/label_rows.h"
#include "support/linear_representations.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace mugrad {
namespace {

using testing::dense_rows;

std::vector<Index> every(Index count) {
  std::vector<Index> names(static_cast<std::size_t>(count));
  std::iota(names.begin(), names.end(), Index{0});
  return names;
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

Index nearest(std::span<const double> x, const Matrix<double>& centres) {
  Index best = 0;
  for (Index c = 1; c < centres.rows(); ++c) {
    if (squared_distance(x, centres.row(c)) < squared_distance(x, centres.row(best))) best = c;
  }
  return best;
}

/// Sum of the squared distances to the nearest centre.
double objective(const Matrix<double>& x, std::span<const Index> names,
                 const Matrix<double>& centres) {
  double sum = 0;
  for (const Index row : names) {
    sum += squared_distance(x.row(row), centres.row(nearest(x.row(row), centres)));
  }
  return sum;
}

Clusters clusters_of(const Features& x, std::span<const Index> names, Index clusters,
                     std::uint64_t seed, Index iterations = 100) {
  const ScaledRows rows(x, {});
  RandomStream random(seed, "k-means");
  return find_clusters(rows, names, {.clusters = clusters, .max_iterations = iterations}, random);
}

TEST(KMeans, EndsWithEveryRowNearestToTheMeanOfItsCluster) {
  const auto data = testing::random_problem({.rows = 120, .features = 5}, 3);
  const auto& x = data.x.dense();
  const std::vector<Index> some = {0, 1, 5, 6, 7, 30, 31, 32, 40, 50, 60, 70, 71, 72, 80, 90, 119};
  for (const auto& names : {every(120), some}) {
    for (const Index count : {1, 2, 5, 11}) {
      const auto clusters = clusters_of(data.x, names, count, 1);
      ASSERT_TRUE(clusters.converged);
      ASSERT_EQ(clusters.centres.rows(), count);
      Matrix<double> means(count, x.cols());
      std::vector<double> sizes(static_cast<std::size_t>(count));
      for (const Index row : names) {
        const Index c = nearest(x.row(row), clusters.centres);
        ++sizes[static_cast<std::size_t>(c)];
        for (Index k = 0; k < x.cols(); ++k) means(c, k) += x(row, k);
      }
      for (Index c = 0; c < count; ++c) {
        for (Index k = 0; k < x.cols(); ++k) {
          EXPECT_NEAR(clusters.centres(c, k), means(c, k) / sizes[static_cast<std::size_t>(c)],
                      1e-12);
        }
      }
    }
  }
}

TEST(KMeans, NeverIncreasesItsObjective) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto data = testing::random_problem({.rows = 150, .features = 3}, seed);
    const auto names = every(150);
    double last = std::numeric_limits<double>::infinity();
    for (Index iterations = 1; iterations < 40; ++iterations) {
      const auto clusters = clusters_of(data.x, names, 40, seed, iterations);
      EXPECT_LE(clusters.iterations, iterations);
      const double now = objective(data.x.dense(), names, clusters.centres);
      EXPECT_LE(now, last * (1 + 1e-12));  // but for rounding
      last = now;
    }
  }
}

TEST(KMeans, FindsGroupsThatLieFarApart) {
  Matrix<double> x(90, 2);
  RandomStream random(1, "groups");
  for (Index row = 0; row < 90; ++row) {
    x(row, 0) = 100 * static_cast<double>(row % 3) + random.normal();
    x(row, 1) = random.normal();
  }
  const auto names = every(90);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto clusters = clusters_of(x, names, 3, seed);
    std::set<long> found;
    for (Index c = 0; c < 3; ++c) found.insert(std::lround(clusters.centres(c, 0) / 100));
    EXPECT_EQ(found, (std::set<long>{0, 1, 2}));
  }
}

TEST(KMeans, SparseRowsGiveTheCentresOfDenseOnesUnderEveryScaling) {
  const auto data =
      testing::random_problem({.rows = 80, .features = 9, .feature_probability = 0.3}, 3);
  const Features sparse = testing::as_sparse(data.x);
  const auto names = every(80);
  for (const auto kind : testing::linear_representations()) {
    const auto transform = feature_transform(fit_representation(data.x, kind));
    const ScaledRows dense_rows(data.x, transform);
    const ScaledRows sparse_rows(sparse, transform);
    RandomStream one(1, "k-means"), other(1, "k-means");
    const auto expected = find_clusters(dense_rows, names, {.clusters = 7}, one);
    const auto found = find_clusters(sparse_rows, names, {.clusters = 7}, other);
    ASSERT_EQ(found.centres.rows(), expected.centres.rows());
    EXPECT_EQ(sparse_rows.shift().empty(), kind != RepresentationKind::zscore);
    for (Index c = 0; c < found.centres.rows(); ++c) {
      for (Index k = 0; k < 9; ++k) {
        const double shift =
            sparse_rows.shift().empty() ? 0 : sparse_rows.shift()[static_cast<std::size_t>(k)];
        EXPECT_NEAR(found.centres(c, k) - shift, expected.centres(c, k), 1e-12);
      }
    }
  }
}

TEST(KMeans, HasNoMoreClustersThanRowsThatDiffer) {
  const Matrix<double> x =
      dense_rows({{1, 2.5}, {1, 2.5}, {0.1, 7}, {1, 2.5}, {0.1, 7}, {3.3, 3}, {3.3, 3}});
  const auto names = every(7);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto clusters = clusters_of(x, names, 5, seed);
    EXPECT_TRUE(clusters.converged);
    EXPECT_EQ(clusters.centres.rows(), 3);
    EXPECT_NEAR(objective(x, names, clusters.centres), 0, 1e-20);
  }
  const std::vector<Index> single = {5};
  EXPECT_EQ(clusters_of(x, single, 4, 1).centres, dense_rows({{3.3, 3}}));
}

TEST(KMeans, EmptyClusterTakesTheRowFarthestFromItsCentre) {
  const Features x = dense_rows({{0, 0}, {1, 0}, {2, 0}, {0, 1}, {9, 0}});
  const ScaledRows rows(x, {});
  const auto names = every(5);
  // Nothing is near the second centre, and the last row is farthest from the first.
  const auto clusters = find_clusters(rows, names, dense_rows({{1, 0}, {500, 500}}), 100);
  EXPECT_TRUE(clusters.converged);
  EXPECT_EQ(clusters.centres, dense_rows({{0.75, 0.25}, {9, 0}}));
  const auto all =
      find_clusters(rows, names, dense_rows({{1, 0}, {500, 0}, {0, 600}, {700, 0}, {800, 0}}), 100);
  EXPECT_TRUE(all.converged);
  EXPECT_NEAR(objective(x.dense(), names, all.centres), 0, 1e-20);
}

TEST(KMeans, NeverIncreasesItsObjectiveWhereClustersRunEmpty) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto data = testing::random_problem({.rows = 60, .features = 3}, seed);
    const ScaledRows rows(data.x, {});
    const auto names = every(60);
    Matrix<double> start(12, 3, 0.3);  // all the same: one takes every row
    double last = objective(data.x.dense(), names, start);
    for (Index iterations = 1; iterations < 20; ++iterations) {
      const auto clusters = find_clusters(rows, names, start, iterations);
      const double now = objective(data.x.dense(), names, clusters.centres);
      EXPECT_LE(now, last * (1 + 1e-12));  // but for rounding
      last = now;
    }
  }
}

TEST(KMeans, DependsOnTheSeedAlone) {
  const auto data = testing::random_problem({.rows = 100, .features = 4}, 3);
  const auto names = every(100);
  const auto once = clusters_of(data.x, names, 9, 7);
  EXPECT_EQ(clusters_of(data.x, names, 9, 7).centres, once.centres);
  EXPECT_NE(clusters_of(data.x, names, 9, 8).centres, once.centres);
}

}  // namespace
}  // namespace mugrad
