// SPDX-License-Identifier: MIT
#include "linalg/dense/row_space.h"

#include "support/linear_representations.h"
#include "support/random_problem.h"
#include "support/row_factor.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::linear_representations;
using testing::random_problem;
using testing::row_factor;

double plain_product(const Matrix<double>& rows, Index i, const Matrix<double>& weights, Index t) {
  double sum = weights(0, t);
  for (Index k = 0; k < rows.cols(); ++k) sum += rows(i, k) * weights(k + 1, t);
  return sum;
}

/// The rows of x in its representation, all written out.
Matrix<double> written_out(const Features& x, const FeatureTransform& transform) {
  Matrix<double> rows(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_in_row(i, [&](FeatureId k, double value) { rows(i, k) = value; });
    for (Index k = 0; k < x.cols(); ++k) {
      const double shift = transform.shift.empty() ? 0 : transform.shift[as_size(k)];
      const double factor = transform.factor.empty() ? 1 : transform.factor[as_size(k)];
      rows(i, k) = (rows(i, k) * row_factor(transform, x, i, k) - shift) * factor;
    }
  }
  return rows;
}

TEST(RowSpace, KeepsScoresAndLengthsOfWeightsUnderEveryRepresentation) {
  const auto data = random_problem({.rows = 12, .features = 40, .feature_probability = 0.5}, 3);
  for (const auto kind : linear_representations()) {
    const auto transform = feature_transform(fit_representation(data.x, kind));
    const auto rows = written_out(data.x, transform);
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      const RowSpace space(x, transform);
      const Index rank = space.coordinates().cols();
      // Z-scores have mean zero, which takes one dimension.
      EXPECT_EQ(rank, kind == RepresentationKind::zscore ? 11 : 12);
      const auto inner = testing::random_weights(rank + 1, 3, 5);
      const auto weights = space.expanded(inner);
      ASSERT_EQ(weights.rows(), 41);
      for (Index t = 0; t < 3; ++t) {
        double length = 0, inner_length = 0;
        for (Index k = 1; k <= 40; ++k) length += weights(k, t) * weights(k, t);
        for (Index k = 1; k <= rank; ++k) inner_length += inner(k, t) * inner(k, t);
        EXPECT_NEAR(length, inner_length, 1e-10);
        for (Index i = 0; i < 12; ++i) {
          EXPECT_NEAR(plain_product(rows, i, weights, t),
                      plain_product(space.coordinates(), i, inner, t), 1e-10);
        }
      }
    }
  }
}

TEST(RowSpace, ProjectsWhatItExpandedBack) {
  const auto data = random_problem({.rows = 9, .features = 30}, 4);
  const RowSpace space(data.x, {});
  const auto inner = testing::random_weights(space.coordinates().cols() + 1, 4, 6);
  const auto back = space.projected(space.expanded(inner));
  ASSERT_EQ(back.rows(), inner.rows());
  for (std::size_t k = 0; k < inner.values().size(); ++k) {
    EXPECT_NEAR(back.values()[k], inner.values()[k], 1e-11);
  }
}

TEST(RowSpace, RepeatedRowsSpanNoMore) {
  Matrix<double> x(6, 20);
  const auto few = testing::random_weights(2, 20, 8);
  for (Index i = 0; i < 6; ++i) std::ranges::copy(few.row(i % 2), x.row(i).begin());
  EXPECT_EQ(RowSpace(Features(x), {}).coordinates().cols(), 2);
}

TEST(RowSpace, PaysForFewRowsWithManyEntries) {
  EXPECT_TRUE(RowSpace::pays(225, 225 * 1763));
  EXPECT_FALSE(RowSpace::pays(1763, 1763 * 225));
  EXPECT_FALSE(RowSpace::pays(978, 978 * 14));  // sparse: a pass over the features is cheaper
  EXPECT_FALSE(RowSpace::pays(1, 100));
}

}  // namespace
}  // namespace mugrad
