// SPDX-License-Identifier: MIT
#include "linalg/dense/gram.h"

#include "support/golden.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

constexpr double kRounding = 1e-12;

/// [1 X] as it is multiplied with, the shift applied.
Matrix<double> plain_design(const Features& x, const FeatureTransform& transform) {
  Matrix<double> a(x.rows(), x.cols() + 1);
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row = a.row(i);
    row[0] = 1;
    x.for_each_in_row(i, [&](FeatureId k, double value) { a(i, k + 1) = value; });
    for (std::size_t k = 0; k < transform.shift.size(); ++k) {
      row[k + 1] = (row[k + 1] - transform.shift[k]) * transform.factor[k];
    }
  }
  return a;
}

Matrix<double> weighted_rows(Matrix<double> a, std::span<const double> weights) {
  for (Index i = 0; i < a.rows(); ++i) {
    for (double& entry : a.row(i)) entry *= weights[static_cast<std::size_t>(i)];
  }
  return a;
}

TEST(Gram, CountsRowsByTheirWeightsInEveryForm) {
  const auto data = testing::random_problem(
      {.rows = 700, .features = 70, .labels = 3, .feature_probability = 0.4}, 3);
  Matrix<double> y(data.rows(), data.labels());
  std::vector<double> weights;
  for (Index i = 0; i < data.rows(); ++i) {
    for (const LabelId label : data.y.row(i)) y(i, label) = 1;
    weights.push_back(0.1 + 0.01 * static_cast<double>(i % 37));
  }
  ThreadPool pool({2});
  for (const auto kind : {RepresentationKind::none, RepresentationKind::zscore}) {
    const auto transform = feature_transform(fit_representation(data.x, kind));
    const Matrix<double> a = plain_design(data.x, transform);
    const Matrix<double> weighted = testing::transposed(weighted_rows(a, weights));
    for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
      const Design<double> design(x, transform);
      auto gram = testing::product(weighted, a);
      auto products = testing::product(weighted, y);
      for (double& entry : gram.values()) entry /= static_cast<double>(data.rows());
      for (double& entry : products.values()) entry /= static_cast<double>(data.rows());
      EXPECT_LT(testing::largest_difference(gram_matrix(design, pool, weights), gram), kRounding);
      EXPECT_LT(testing::largest_difference(label_products(design, data.y, weights), products),
                kRounding);
    }
  }
}

TEST(Gram, WithoutWeightsEveryRowCountsOnce) {
  const auto data = testing::random_problem({.rows = 90, .features = 9, .labels = 3}, 3);
  const std::vector<double> ones(90, 1.0);
  ThreadPool pool({1});
  for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
    const Design<double> design(x, {});
    EXPECT_EQ(gram_matrix(design, pool), gram_matrix(design, pool, ones));
    EXPECT_EQ(label_products(design, data.y), label_products(design, data.y, ones));
  }
}

}  // namespace
}  // namespace mugrad
