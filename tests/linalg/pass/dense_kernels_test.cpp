// SPDX-License-Identifier: MIT
#include "linalg/pass/kernels.h"
#include "linalg/pass/panels.h"
#include "support/every_target.h"

#include <mugrad/core/random.h>

#include <cmath>
#include <vector>

namespace mugrad {
namespace {

/// Small multiples of 1/8: sums of their products are exact in any order.
template <class Real>
AlignedBuffer<Real> some_numbers(Index size, std::uint64_t seed) {
  RandomStream random(seed, "numbers");
  AlignedBuffer<Real> numbers(size);
  for (Index k = 0; k < size; ++k) {
    numbers.data()[k] = static_cast<Real>(std::floor(random.uniform() * 33) - 16) / Real{8};
  }
  return numbers;
}

template <class Real>
void expect_plain_products(Index rows, Index cols, Index columns) {
  constexpr Index kWidth = kLine<Real>;
  // One entry on, so that no row of the matrix starts where a vector would like it to.
  const auto numbers = some_numbers<Real>(rows * cols + 1, 1);
  const Real* const a = numbers.data() + 1;
  const auto weights = some_numbers<Real>(cols * kWidth, 2);
  const auto residuals = some_numbers<Real>(rows * kWidth, 3);
  AlignedBuffer<Real> out(rows * kWidth);
  AlignedBuffer<Real> sums(cols * kWidth);
  for (int repeat = 0; repeat < 2; ++repeat) {
    multiply_narrow(rows, cols, a, weights.data(), columns, out.data());
    add_narrow(rows, cols, a, residuals.data(), columns, sums.data());
  }
  for (Index t = 0; t < columns; ++t) {
    for (Index i = 0; i < rows; ++i) {
      Real expected = 0;
      for (Index k = 0; k < cols; ++k) expected += a[i * cols + k] * weights.data()[k * kWidth + t];
      ASSERT_EQ(out.data()[i * kWidth + t], expected) << i << ' ' << t;
    }
    for (Index k = 0; k < cols; ++k) {
      Real expected = 0;
      for (Index i = 0; i < rows; ++i) {
        expected += 2 * a[i * cols + k] * residuals.data()[i * kWidth + t];
      }
      ASSERT_EQ(sums.data()[k * kWidth + t], expected) << k << ' ' << t;
    }
  }
}

template <class Real>
class DenseKernels : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DenseKernels, Reals);

TYPED_TEST(DenseKernels, GiveThePlainProductsOnEveryTargetForEveryTail) {
  testing::for_each_target([] {
    for (Index columns = 1; columns <= kLine<TypeParam>; ++columns) {
      for (const Index rows : {0, 1, 7, 8, 9, 17}) {
        for (const Index cols : {1, 8, 15}) expect_plain_products<TypeParam>(rows, cols, columns);
      }
    }
  });
}

}  // namespace
}  // namespace mugrad
