// SPDX-License-Identifier: MIT
#include "linalg/dense/centred_systems.h"

#include "linalg/dense/gaussian_kernel.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace mugrad {
namespace {

using testing::random_weights;

const SystemsProgress kSilent = [](double) {};

std::vector<double> centred(std::vector<double> v) {
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  for (double& entry : v) entry -= mean;
  return v;
}

std::vector<double> column(const Matrix<double>& matrix, Index j) {
  std::vector<double> result;
  for (Index i = 0; i < matrix.rows(); ++i) result.push_back(matrix(i, j));
  return result;
}

TEST(CentredSystems, EveryColumnSolvesItsOwnSystem) {
  ThreadPool pool({2});
  const Index n = 90;
  const auto kernel = gaussian_kernel(random_weights(n, 3, 4), pool).values;
  const std::vector<double> factor = {1, 0, 0.3, 20, 5}, shift = {0.1, 2, 0.01, 1e-3, 7};
  auto right = random_weights(n, 5, 8);
  for (Index i = 0; i < n; ++i) right(i, 4) = 3;  // nothing is left of it
  auto found = right;
  const auto report = solve_centred({kernel, factor, shift}, 1e-11, 1000, found, pool, kSilent);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.residual, 1e-11 * report.first_residual);
  for (Index j = 0; j < 5; ++j) {
    const auto a = column(found, j);
    const auto wanted = centred(column(right, j));
    std::vector<double> product(a.size());
    for (Index i = 0; i < n; ++i) {
      const auto row = kernel.row(i);
      product[static_cast<std::size_t>(i)] =
          std::inner_product(row.begin(), row.end(), a.begin(), 0.0);
    }
    product = centred(product);
    EXPECT_NEAR(std::accumulate(a.begin(), a.end(), 0.0), 0, 1e-7);
    const auto at = static_cast<std::size_t>(j);
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(factor[at] * product[i] + shift[at] * a[i], wanted[i], 1e-9);
    }
  }
}

TEST(CentredSystems, ColumnsDoNotDependOnThoseBesideThemBeyondRounding) {
  ThreadPool pool({1});
  const auto kernel = gaussian_kernel(random_weights(40, 2, 4), pool).values;
  const std::vector<double> factor = {1, 1}, shift = {0.1, 50};
  auto both = random_weights(40, 2, 8);
  Matrix<double> alone(40, 1);
  for (Index i = 0; i < 40; ++i) alone(i, 0) = both(i, 0);
  solve_centred({kernel, factor, shift}, 1e-12, 1000, both, pool, kSilent);
  solve_centred({kernel, {factor.data(), 1}, {shift.data(), 1}}, 1e-12, 1000, alone, pool, kSilent);
  for (Index i = 0; i < 40; ++i) EXPECT_NEAR(both(i, 0), alone(i, 0), 1e-9);
}

TEST(CentredSystems, SaysWhenItMayNotGoOnAndLetsProgressStopIt) {
  ThreadPool pool({1});
  const auto kernel = gaussian_kernel(random_weights(40, 2, 4), pool).values;
  const std::vector<double> factor = {1}, shift = {1e-4};
  auto right = random_weights(40, 1, 8);
  const auto report = solve_centred({kernel, factor, shift}, 1e-12, 2, right, pool, kSilent);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 2);
  const auto stop = [](double) { throw std::runtime_error("enough"); };
  EXPECT_THROW(solve_centred({kernel, factor, shift}, 1e-12, 2, right, pool, stop),
               std::runtime_error);
}

}  // namespace
}  // namespace mugrad
