// SPDX-License-Identifier: MIT
#include "objective/jfsc_terms.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

TEST(ResidualLengths, AreTheSameForDenseAndSparseFeaturesHoweverScaled) {
  const auto data = testing::random_problem(
      {.rows = 150, .features = 6, .labels = 3, .feature_probability = 0.5}, 3);
  const Matrix<double> weights = testing::random_weights(7, 3, 4);
  ThreadPool pool({2});
  for (const auto kind : representation_kinds()) {
    const auto transform = feature_transform(fit_representation(data.x, kind));
    const Design<double> dense(data.x, transform);
    Matrix<double> residuals = testing::product(dense.dense(), weights);
    for (Index i = 0; i < data.rows(); ++i) {
      for (const LabelId label : data.y.row(i)) residuals(i, label) -= 1;
    }
    const auto from_dense = residual_lengths(dense, weights, data.y, pool);
    const auto from_sparse = residual_lengths(Design<double>(testing::as_sparse(data.x), transform),
                                              weights, data.y, pool);
    for (Index i = 0; i < data.rows(); ++i) {
      double squares = 0;
      for (const double entry : residuals.row(i)) squares += entry * entry;
      EXPECT_NEAR(from_dense[static_cast<std::size_t>(i)], std::sqrt(squares), 1e-12);
      EXPECT_NEAR(from_sparse[static_cast<std::size_t>(i)], std::sqrt(squares), 1e-12);
    }
  }
}

}  // namespace
}  // namespace mugrad
