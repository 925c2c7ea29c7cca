// SPDX-License-Identifier: MIT
#include "transfer/target_similarity.h"

#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

/// The weighted correlation over the rows that know both, from its definition.
double plain_correlation(const Matrix<double>& y, const std::vector<double>& weights, Index i,
                         Index j) {
  double total = 0;
  double mean_i = 0;
  double mean_j = 0;
  const auto for_each = [&](const auto& fn) {
    for (Index row = 0; row < y.rows(); ++row) {
      if (std::isnan(y(row, i)) || std::isnan(y(row, j))) continue;
      fn(row, weights.empty() ? 1 : weights[static_cast<std::size_t>(row)]);
    }
  };
  for_each([&](Index row, double w) {
    total += w;
    mean_i += w * y(row, i);
    mean_j += w * y(row, j);
  });
  mean_i /= total;
  mean_j /= total;
  double ii = 0;
  double jj = 0;
  double ij = 0;
  for_each([&](Index row, double w) {
    ii += w * (y(row, i) - mean_i) * (y(row, i) - mean_i);
    jj += w * (y(row, j) - mean_j) * (y(row, j) - mean_j);
    ij += w * (y(row, i) - mean_i) * (y(row, j) - mean_j);
  });
  return std::max(0.0, ij / std::sqrt(ii * jj));
}

TEST(PositiveCorrelations, AreThoseOfTheDefinitionForWeightsAndUnknownEntries) {
  ThreadPool pool({2});
  for (const bool with_unknown : {false, true}) {
    for (const bool with_weights : {false, true}) {
      // More rows than are multiplied at once, and more columns than are one piece of work.
      auto y = testing::random_weights(1100, 70, 5, 3);
      for (Index row = 0; row < y.rows(); ++row) {
        for (Index t = 1; t < y.cols(); ++t) y(row, t) += 0.2 * y(row, 0) + 1e4;
        if (with_unknown) y(row, row % 7) = std::numeric_limits<double>::quiet_NaN();
      }
      std::vector<double> weights;
      for (Index row = 0; with_weights && row < y.rows(); ++row) {
        weights.push_back(static_cast<double>(row % 4));
      }
      const auto similarity = positive_correlations(y, weights, pool);
      for (Index i = 0; i < 70; i += 3) {
        EXPECT_EQ(similarity.at(i, i), 1);
        for (Index j = 0; j < 70; ++j) {
          if (i == j) continue;
          EXPECT_NEAR(similarity.at(i, j), plain_correlation(y, weights, i, j), 1e-10);
          EXPECT_EQ(similarity.at(i, j), similarity.at(j, i));
        }
      }
    }
  }
}

TEST(PositiveCorrelations, ColumnThatDoesNotVaryIsLikeNoOther) {
  ThreadPool pool({1});
  Matrix<double> y(5, 2, 0.1);
  for (Index row = 0; row < 5; ++row) y(row, 1) = static_cast<double>(row);
  const auto similarity = positive_correlations(y, {}, pool);
  EXPECT_EQ(similarity.nonzeros(), 2);
}

}  // namespace
}  // namespace mugrad
