// SPDX-License-Identifier: MIT
#include "linalg/pass/kernels.h"
#include "support/every_target.h"

#include <mugrad/core/random.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace mugrad {
namespace {

/// Small multiples of 1/8: sums of their products are exact in any order.
template <class Real>
Matrix<Real> some_numbers(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed, "numbers");
  Matrix<Real> numbers(rows, cols);
  for (Real& entry : numbers.values()) {
    entry = static_cast<Real>(std::floor(random.uniform() * 33) - 16) / Real{8};
  }
  return numbers;
}

template <class Real>
void expect_plain_sums(Index rows, Index cols, Index begin, Index end) {
  const auto a = some_numbers<Real>(rows, cols, 1);
  const auto b = some_numbers<Real>(rows, cols, 2);
  const auto other = some_numbers<Real>(rows, cols, 4);
  const auto factors = some_numbers<Real>(2, cols, 3);
  std::vector<double> sums(static_cast<std::size_t>(cols));
  std::iota(sums.begin(), sums.end(), 1.0);
  auto to = b;
  add_column_dots(a, b, begin, end, sums);
  add_scaled_columns<Real>(std::array{&a, &other}, factors.values(), begin, end, to);
  for (Index t = 0; t < cols; ++t) {
    double expected = 1 + static_cast<double>(t);
    for (Index k = begin; k < end; ++k) expected += static_cast<double>(a(k, t) * b(k, t));
    ASSERT_EQ(sums[static_cast<std::size_t>(t)], expected) << rows << 'x' << cols << ' ' << t;
    for (Index k = 0; k < rows; ++k) {
      const bool inside = k >= begin && k < end;
      const Real added = factors(0, t) * a(k, t) + factors(1, t) * other(k, t);
      ASSERT_EQ(to(k, t), b(k, t) + (inside ? added : 0))
          << rows << 'x' << cols << ' ' << k << ' ' << t;
    }
  }
}

template <class Real>
class ColumnKernels : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ColumnKernels, Reals);

TYPED_TEST(ColumnKernels, GiveThePlainSumsOnEveryTargetForEveryTail) {
  testing::for_each_target([] {
    for (Index cols = 1; cols <= 70; ++cols) {
      for (const Index rows : {0, 1, 63, 64, 65, 130}) {
        expect_plain_sums<TypeParam>(rows, cols, 0, rows);
      }
      expect_plain_sums<TypeParam>(130, cols, 1, 129);
      expect_plain_sums<TypeParam>(130, cols, 60, 70);
      expect_plain_sums<TypeParam>(130, cols, 64, 64);
    }
  });
}

/// One column of random numbers, which sums do round.
template <class Real>
Matrix<Real> placed(const std::vector<Real>& column, Index cols, Index at) {
  Matrix<Real> matrix(std::ssize(column), cols, Real{7});
  for (Index k = 0; k < matrix.rows(); ++k) matrix(k, at) = column[static_cast<std::size_t>(k)];
  return matrix;
}

TYPED_TEST(ColumnKernels, GiveAColumnTheSameBitsWhereverItStands) {
  using Real = TypeParam;
  RandomStream random(5, "columns");
  std::vector<Real> a(100);
  std::vector<Real> b(100);
  for (auto* column : {&a, &b}) {
    for (Real& entry : *column) entry = static_cast<Real>(random.normal());
  }
  const auto factor = static_cast<Real>(random.normal());
  testing::for_each_target([&] {
    std::vector<double> alone(1);
    const auto a_alone = placed(a, 1, 0);
    auto to_alone = placed(b, 1, 0);
    add_column_dots(a_alone, to_alone, 0, 100, alone);
    add_scaled_columns<Real>(std::array{&a_alone}, std::vector<Real>{factor}, 0, 100, to_alone);
    for (Index cols = 2; cols <= 37; cols += 5) {
      for (Index at = 0; at < cols; ++at) {
        std::vector<double> sums(static_cast<std::size_t>(cols));
        const auto a_placed = placed(a, cols, at);
        auto to = placed(b, cols, at);
        add_column_dots(a_placed, to, 0, 100, sums);
        add_scaled_columns<Real>(std::array{&a_placed}, std::vector<Real>(sums.size(), factor), 0,
                                 100, to);
        ASSERT_EQ(sums[static_cast<std::size_t>(at)], alone[0]) << at << " of " << cols;
        for (Index k = 0; k < 100; ++k) ASSERT_EQ(to(k, at), to_alone(k, 0)) << at << '/' << cols;
      }
    }
  });
}

}  // namespace
}  // namespace mugrad
