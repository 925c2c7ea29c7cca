// SPDX-License-Identifier: MIT
#include "support/random_problem.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>
#include <mugrad/transfer/transfer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

using testing::random_problem;

/// Solves a x = b by elimination with row pivots.
std::vector<double> solve(Matrix<double> a, std::vector<double> b) {
  const Index n = a.rows();
  const auto at = [&](Index k) -> double& { return b[static_cast<std::size_t>(k)]; };
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::fabs(a(i, k)) > std::fabs(a(pivot, k))) pivot = i;
    }
    std::swap_ranges(a.row(k).begin(), a.row(k).end(), a.row(pivot).begin());
    std::swap(at(k), at(pivot));
    for (Index i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (Index j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      at(i) -= factor * at(k);
    }
  }
  for (Index k = n; k-- > 0;) {
    for (Index j = k + 1; j < n; ++j) at(k) -= a(k, j) * at(j);
    at(k) /= a(k, k);
  }
  return b;
}

/// The W with A W + sigma W (I - Mbar') = B for A = [1 X]'[1 X]/n + rho diag(0, I) and
/// B = [1 X]'Y/n, written as one linear system in the entries of W, row by row.
std::vector<double> sylvester_solution(const Dataset& data, const CsrMatrix<double>& mbar,
                                       double rho, double sigma) {
  const Index d = data.features() + 1;
  const Index tasks = data.labels();
  const auto n = static_cast<double>(data.rows());
  const auto entry = [&](Index i, Index k) { return k == 0 ? 1.0 : data.x.dense()(i, k - 1); };
  Matrix<double> system(d * tasks, d * tasks);
  std::vector<double> right(static_cast<std::size_t>(d * tasks), 0);
  for (Index k = 0; k < d; ++k) {
    for (Index j = 0; j < d; ++j) {
      double a = k == j && k > 0 ? rho : 0;
      for (Index i = 0; i < data.rows(); ++i) a += entry(i, k) * entry(i, j) / n;
      for (Index t = 0; t < tasks; ++t) system(k * tasks + t, j * tasks + t) += a;
    }
    for (Index t = 0; t < tasks; ++t) {
      system(k * tasks + t, k * tasks + t) += sigma;
      const auto columns = mbar.row_columns(t);
      for (std::size_t s = 0; s < columns.size(); ++s) {
        system(k * tasks + t, k * tasks + columns[s]) -= sigma * mbar.row_values(t)[s];
      }
    }
    for (Index i = 0; i < data.rows(); ++i) {
      for (const LabelId t : data.y.row(i)) {
        right[static_cast<std::size_t>(k * tasks + t)] += entry(i, k) / n;
      }
    }
  }
  return solve(system, right);
}

TEST(SquaredLoss, EquilibriumSolvesTheSylvesterEquation) {
  constexpr double kRho = 0.1;
  const auto data = random_problem({.rows = 50, .features = 4, .labels = 5}, 3);
  const auto matrix = label_transfer(data.y, Similarity::cosine);
  for (const double sigma : {0.0, 0.2, 3.0}) {
    ThreadPool pool({1});
    const auto tasks =
        linear_tasks<double>(data.x, {}, data.y, {.loss = LossKind::squared, .rho = kRho}, pool);
    const auto transfer = scalar_transfer<double>(matrix.mbar, Intercepts::transferred, pool);
    const double step = 0.95 * theory::largest_safe_step(tasks->curvature(), sigma, matrix);
    Matrix<double> weights(5, 5);
    const auto report = run_mgd(
        *tasks, *transfer, weights,
        {.sigma = sigma, .step = step, .stopping = {.tolerance = 1e-12, .max_iterations = 100000}},
        pool);
    EXPECT_EQ(report.stop, Stop::converged);
    const auto expected = sylvester_solution(data, matrix.mbar, kRho, sigma);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_NEAR(weights.values()[k], expected[k], 1e-9);
    }
  }
}

}  // namespace
}  // namespace mugrad
