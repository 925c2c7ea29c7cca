// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"

#include <gtest/gtest.h>

#include <vector>

namespace mugrad {
namespace {

double bound_of_diagonal(const std::vector<double>& eigenvalues) {
  return largest_eigenvalue_bound(std::ssize(eigenvalues),
                                  [&](std::span<const double> v, std::span<double> out) {
                                    for (std::size_t k = 0; k < v.size(); ++k)
                                      out[k] = eigenvalues[k] * v[k];
                                  });
}

TEST(LargestEigenvalueBound, IsFromAboveAndWithinTwoPercent) {
  std::vector<double> spread(500);
  for (std::size_t k = 0; k < spread.size(); ++k) spread[k] = static_cast<double>(k);
  EXPECT_GE(bound_of_diagonal(spread), 499);
  EXPECT_LE(bound_of_diagonal(spread), 499 * 1.0201);
}

TEST(LargestEigenvalueBound, FindsOneEigenvalueBarelyAboveACrowd) {
  // A power iteration settles on the crowd long before it sees the one.
  for (const double top : {1.04, 1.08, 1.2, 3.0}) {
    for (const std::size_t size : {100U, 2000U, 20000U}) {
      std::vector<double> crowd(size, 1);
      crowd[size / 3] = top;
      EXPECT_GE(bound_of_diagonal(crowd), top);
      EXPECT_LE(bound_of_diagonal(crowd), top * 1.0201);
    }
  }
}

TEST(LargestEigenvalueBound, KnowsSmallZeroAndEqualSpectra) {
  EXPECT_NEAR(bound_of_diagonal({5}), 5.1, 1e-12);
  EXPECT_EQ(bound_of_diagonal({0, 0, 0}), 0);
  EXPECT_NEAR(bound_of_diagonal({2, 2, 2, 2}), 2.04, 1e-12);
  EXPECT_NEAR(bound_of_diagonal({1, 2, 3}), 3.06, 1e-9);
}

}  // namespace
}  // namespace mugrad
