// SPDX-License-Identifier: MIT
#include "transfer/label_product.h"

#include "linalg/pass/panels.h"
#include "support/every_target.h"

#include <mugrad/core/random.h>

#include <cmath>

namespace mugrad {
namespace {

/// Multiples of 1/8: sums of their products are exact in any order.
double small_number(RandomStream& random) { return (std::floor(random.uniform() * 33) - 16) / 8; }

CsrMatrix<double> some_matrix(Index tasks, double density) {
  RandomStream random(1, "matrix");
  CsrMatrix<double> matrix;
  matrix.cols = tasks;
  for (Index i = 0; i < tasks; ++i) {
    for (Index j = 0; j < tasks; ++j) {
      if (random.uniform() >= density) continue;
      matrix.column.push_back(static_cast<std::int32_t>(j));
      matrix.value.push_back(small_number(random));
    }
    matrix.end_row();
  }
  return matrix;
}

template <class Real>
void expect_plain_product(Index rows, Index tasks, double density, Index begin, Index end) {
  const auto matrix = some_matrix(tasks, density);
  RandomStream random(2, "weights");
  Matrix<Real> weights(rows, tasks);
  for (Real& entry : weights.values()) entry = static_cast<Real>(small_number(random));
  const LabelProduct<Real> product(matrix);
  AlignedBuffer<Real> scratch(product.scratch_size());
  Matrix<Real> actual(rows, tasks, Real{99});
  product.multiply(weights, begin, end, scratch.data(), actual);
  for (Index k = 0; k < rows; ++k) {
    for (Index i = 0; i < tasks; ++i) {
      double expected = 0;
      const auto columns = matrix.row_columns(i);
      const auto values = matrix.row_values(i);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        expected += values[e] * static_cast<double>(weights(k, columns[e]));
      }
      if (k < begin || k >= end) expected = 99;  // untouched
      ASSERT_EQ(actual(k, i), static_cast<Real>(expected)) << tasks << ' ' << k << ' ' << i;
    }
  }
}

template <class Real>
class LabelProducts : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LabelProducts, Reals);

TYPED_TEST(LabelProducts, ArePlainProductsWhetherTheMatrixIsSparseOrDenseOnEveryTarget) {
  testing::for_each_target([] {
    for (const double density : {0.0, 0.02, 0.1, 0.15, 1.0}) {
      for (const Index tasks : {1, 15, 33}) {
        for (const Index rows : {1, 17, 70}) {
          expect_plain_product<TypeParam>(rows, tasks, density, 0, rows);
        }
      }
    }
    expect_plain_product<TypeParam>(150, 40, 0.05, 3, 140);
    expect_plain_product<TypeParam>(5, 40, 0.05, 2, 2);
  });
}

TYPED_TEST(LabelProducts, OfManyTasksGoAFewParametersAtATime) {
  expect_plain_product<TypeParam>(40, 2100, 0.001, 1, 40);
}

}  // namespace
}  // namespace mugrad
