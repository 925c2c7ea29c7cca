// SPDX-License-Identifier: MIT
#include "objective/softmax_kernels.h"

#include "linalg/pass/panels.h"
#include "support/every_target.h"

#include <mugrad/core/random.h>

#include <cmath>
#include <limits>
#include <vector>

namespace mugrad {
namespace {

constexpr Index kRows = 3;

/// Scores from -40 to 40 in rows of `width`, with what must not be seen in the padding.
template <class Real>
AlignedBuffer<Real> padded_scores(Index width, Index columns) {
  RandomStream random(static_cast<std::uint64_t>(width * 1000 + columns), "scores");
  AlignedBuffer<Real> z(kRows * width);
  for (Index row = 0; row < kRows; ++row) {
    for (Index t = 0; t < width; ++t) {
      z.data()[row * width + t] =
          static_cast<Real>(t < columns ? 80 * random.uniform() - 40 : 1000);
    }
  }
  return z;
}

template <class Real>
class SoftmaxKernels : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SoftmaxKernels, Reals);

TYPED_TEST(SoftmaxKernels, MakeProbabilitiesOfEveryNumberOfColumnsOnEveryTarget) {
  testing::for_each_target([] {
    for (const Index width : {16, 32, 64}) {
      for (Index columns = 1; columns <= width; ++columns) {
        auto z = padded_scores<TypeParam>(width, columns);
        const auto before = padded_scores<TypeParam>(width, columns);
        std::vector<TypeParam> largest(kRows, -std::numeric_limits<TypeParam>::infinity());
        raise_to_largest(kRows, width, columns, z.data(), largest.data());
        std::vector<double> totals(kRows, 0.0);
        exponentials(kRows, width, columns, largest.data(), z.data(), totals.data());
        std::vector<TypeParam> factors;
        for (const double total : totals) factors.push_back(static_cast<TypeParam>(1 / total));
        scale_rows(kRows, width, factors.data(), z.data());
        for (Index row = 0; row < kRows; ++row) {
          const TypeParam* const scores = before.data() + row * width;
          const TypeParam* const p = z.data() + row * width;
          ASSERT_EQ(largest[static_cast<std::size_t>(row)],
                    *std::max_element(scores, scores + columns));
          double total = 0;
          for (Index t = 0; t < columns; ++t) total += std::exp(static_cast<double>(scores[t]));
          for (Index t = 0; t < columns; ++t) {
            const double exact = std::exp(static_cast<double>(scores[t])) / total;
            ASSERT_NEAR(static_cast<double>(p[t]), exact,
                        20 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon()))
                << columns << ' ' << t;
          }
          for (Index t = columns; t < width; ++t) ASSERT_EQ(p[t], TypeParam{0});
        }
      }
    }
  });
}

TYPED_TEST(SoftmaxKernels, RowsMayLieInSeveralBlocks) {
  auto left = padded_scores<TypeParam>(16, 16);
  auto right = padded_scores<TypeParam>(16, 5);
  std::vector<TypeParam> largest(kRows, -std::numeric_limits<TypeParam>::infinity());
  std::vector<double> totals(kRows, 0.0);
  for (const auto& [z, columns] : {std::pair{&left, 16}, std::pair{&right, 5}}) {
    raise_to_largest(kRows, 16, columns, z->data(), largest.data());
  }
  for (const auto& [z, columns] : {std::pair{&left, 16}, std::pair{&right, 5}}) {
    exponentials(kRows, 16, columns, largest.data(), z->data(), totals.data());
  }
  for (Index row = 0; row < kRows; ++row) {
    double total = 0;
    for (Index t = 0; t < 16; ++t) {
      total += static_cast<double>(left.data()[row * 16 + t] + right.data()[row * 16 + t]);
    }
    EXPECT_NEAR(totals[static_cast<std::size_t>(row)], total, 1e-6 * total);
    EXPECT_GE(total, 1);
  }
}

TYPED_TEST(SoftmaxKernels, CurvaturesOfResidualsAreThoseOfTheProbabilities) {
  testing::for_each_target([] {
    RandomStream random(3, "probabilities");
    AlignedBuffer<TypeParam> residuals(kRows * 32);
    AlignedBuffer<double> curvatures(32);
    std::vector<double> expected(32, 2.5);
    std::fill_n(curvatures.data(), 32, 2.5);
    for (Index row = 0; row < kRows; ++row) {
      for (Index t = 0; t < 32; ++t) {
        const double p = random.uniform();
        expected[static_cast<std::size_t>(t)] += p * (1 - p);
        residuals.data()[row * 32 + t] = static_cast<TypeParam>(t == 3 * row ? p - 1 : p);
      }
    }
    add_softmax_curvatures(kRows, 32, residuals.data(), curvatures.data());
    for (Index t = 0; t < 32; ++t) {
      EXPECT_NEAR(curvatures.data()[t], expected[static_cast<std::size_t>(t)], 1e-6);
    }
  });
}

TYPED_TEST(SoftmaxKernels, WhatIsNotANumberStaysSoAndSpoilsItsTotal) {
  testing::for_each_target([] {
    for (const Index bad : {0, 7, 12}) {
      auto z = padded_scores<TypeParam>(16, 13);
      z.data()[16 + bad] = std::numeric_limits<TypeParam>::quiet_NaN();
      std::vector<TypeParam> largest(kRows, -std::numeric_limits<TypeParam>::infinity());
      std::vector<double> totals(kRows, 0.0);
      raise_to_largest(kRows, 16, 13, z.data(), largest.data());
      exponentials(kRows, 16, 13, largest.data(), z.data(), totals.data());
      EXPECT_TRUE(std::isfinite(totals[0]) && std::isnan(totals[1]) && std::isfinite(totals[2]));
    }
  });
}

}  // namespace
}  // namespace mugrad
