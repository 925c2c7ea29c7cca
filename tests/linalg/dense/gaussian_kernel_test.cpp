// SPDX-License-Identifier: MIT
#include "linalg/dense/gaussian_kernel.h"

#include "support/label_rows.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

TEST(GaussianKernel, IsTheFormulaWithTheMeanDistanceForItsWidth) {
  ThreadPool pool({2});
  for (const Index n : {2, 5, 127, 128, 300}) {
    const auto rows = testing::random_weights(n, 7, 2);
    const auto kernel = gaussian_kernel(rows, pool);
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) sum += distance(rows.row(i), rows.row(j));
    }
    const double width = sum / static_cast<double>(n * (n - 1));
    EXPECT_NEAR(kernel.width, width, 1e-12);
    for (Index i = 0; i < n; ++i) {
      EXPECT_EQ(kernel.values(i, i), 1);
      for (Index j = 0; j < i; ++j) {
        const double d = distance(rows.row(i), rows.row(j)) / width;
        EXPECT_NEAR(kernel.values(i, j), std::exp(-d * d / 2), 1e-13);
        EXPECT_EQ(kernel.values(i, j), kernel.values(j, i));
      }
    }
  }
}

TEST(GaussianKernel, RowsThatAreAllAlikeAreAsAlikeAsCanBe) {
  ThreadPool pool({1});
  const auto one = gaussian_kernel(testing::dense_rows({{3, 4}}), pool);
  EXPECT_EQ(one.width, 1);
  EXPECT_EQ(one.values(0, 0), 1);
  const auto same = gaussian_kernel(testing::dense_rows({{3, 4}, {3, 4}, {3, 4}}), pool);
  EXPECT_EQ(same.width, 1);
  for (const double value : same.values.values()) EXPECT_EQ(value, 1);
}

TEST(GaussianKernel, UpdatesItsProgressAsItGoesAndEndsWhenThatAsksToStop) {
  const Matrix<double> rows(5000, 1, 1);
  ThreadPool pool({2});
  std::vector<double> shares;
  ProgressFunction patient([&](double share) {
    shares.push_back(share);
    return true;
  });
  gaussian_kernel(rows, pool, &patient);
  EXPECT_GE(shares.size(), 3);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.back(), 1);
  ProgressFunction impatient([](double) { return false; });
  EXPECT_THROW(gaussian_kernel(rows, pool, &impatient), InterruptedError);
}

}  // namespace
}  // namespace mugrad
