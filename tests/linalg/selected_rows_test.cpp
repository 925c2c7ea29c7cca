// SPDX-License-Identifier: MIT
#include "linalg/selected_rows.h"

#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <numeric>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::random_problem;
using testing::random_weights;

/// Compares all products of the selection with plain loops over the features themselves.
void expect_products(const SelectedRows& selected, const Matrix<double>& x,
                     const std::vector<std::int32_t>& rows) {
  const auto v = random_weights(1, selected.cols(), 3);
  const auto u = random_weights(1, selected.rows(), 4);
  std::vector<double> scores(rows.size()), sums(v.values().size()), squares(sums);
  selected.multiply(v.values(), scores);
  selected.multiply_transposed(u.values(), sums);
  selected.multiply_squares(u.values(), squares);
  const auto features = selected.features();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double expected = 0;
    for (std::size_t k = 0; k < features.size(); ++k) {
      expected += x(rows[i], features[k]) * v.values()[k];
    }
    EXPECT_NEAR(scores[i], expected, 1e-12);
  }
  for (std::size_t k = 0; k < features.size(); ++k) {
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double entry = x(rows[i], features[k]);
      sum += u.values()[i] * entry;
      square += u.values()[i] * entry * entry;
    }
    EXPECT_NEAR(sums[k], sum, 1e-12);
    EXPECT_NEAR(squares[k], square, 1e-12);
  }
}

TEST(SelectedRows, ProductsAreThoseOfTheRowsWhateverWasSelectedBefore) {
  const auto data =
      random_problem({.rows = 20, .features = 11, .labels = 1, .feature_probability = 0.3}, 6);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    const Design<double> design(x, {});
    SelectedRows selected(design);
    const std::vector<std::vector<std::int32_t>> lists = {{3, 4, 9, 17}, {0}, {}, {1, 2, 5, 18}};
    for (std::size_t k = 0; k + 1 < lists.size(); ++k) {
      selected.select(lists[k], lists[k + 1]);
      auto rows = lists[k];
      rows.insert(rows.end(), lists[k + 1].begin(), lists[k + 1].end());
      ASSERT_EQ(selected.rows(), std::ssize(rows));
      expect_products(selected, data.x.dense(), rows);
    }
  }
}

TEST(SelectedRows, SparseRowsHaveTheirOwnFeaturesAlone) {
  CsrMatrix<double> x;
  x.cols = 5;
  for (const auto& columns : std::vector<std::vector<std::int32_t>>{{0, 3}, {1}, {3, 4}}) {
    for (const auto column : columns) {
      x.column.push_back(column);
      x.value.push_back(2);
    }
    x.end_row();
  }
  const Design<double> design(Features(x), {});
  SelectedRows selected(design);
  const std::vector<std::int32_t> first = {0}, last = {2};
  selected.select(first, last);
  const std::vector<FeatureId> features(selected.features().begin(), selected.features().end());
  EXPECT_EQ(features, (std::vector<FeatureId>{0, 3, 4}));
}

}  // namespace
}  // namespace mugrad
