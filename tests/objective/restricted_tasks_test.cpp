// SPDX-License-Identifier: MIT
// Linear tasks whose examples count differently, or which may not use every feature.
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>

#include <gtest/gtest.h>

#include <stdexcept>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::largest_difference;
using testing::random_problem;
using testing::random_weights;

Matrix<double> solution_of(TaskSet<double>& tasks, ThreadPool& pool) {
  Matrix<double> weights(tasks.parameters(), tasks.tasks());
  const auto alone =
      scalar_transfer<double>(no_transfer(tasks.tasks()).mbar, Intercepts::own, pool);
  const auto report =
      find_equilibrium<double>(tasks, *alone, weights, {.stopping = {.tolerance = 1e-10}}, pool);
  EXPECT_EQ(report.stop, Stop::converged);
  return weights;
}

/// Row i so many times.
Dataset repeated(const Dataset& data, const std::vector<double>& times) {
  std::vector<Index> rows;
  for (std::size_t row = 0; row < times.size(); ++row) {
    rows.insert(rows.end(), static_cast<std::size_t>(times[row]), static_cast<Index>(row));
  }
  return select_rows(data, rows);
}

TEST(RowWeights, AreAsManyCopiesOfTheRows) {
  const auto data =
      random_problem({.rows = 130, .features = 7, .labels = 70, .feature_probability = 0.5}, 3);
  std::vector<double> times;
  for (Index row = 0; row < data.rows(); ++row) {
    times.push_back(row < 2 ? 1 : static_cast<double>(row * row % 7 % 4));
  }
  const auto copies = repeated(data, times);
  const auto transform =
      feature_transform(fit_representation(copies.x, RepresentationKind::zscore));
  const auto weights = random_weights(8, 70, 4);
  const auto direction = random_weights(8, 70, 5);
  for (const bool sparse : {false, true}) {
    ThreadPool pool({2});
    const auto x = sparse ? as_sparse(data.x) : data.x;
    const auto many_x = sparse ? as_sparse(copies.x) : copies.x;
    for (const auto loss : {LossKind::logistic, LossKind::squared}) {
      const auto weighted = linear_tasks<double>(
          x, transform, data.y, {.loss = loss, .rho = 0.1, .row_weights = times}, pool);
      const auto plain =
          linear_tasks<double>(many_x, transform, copies.y, {.loss = loss, .rho = 0.1}, pool);
      Matrix<double> gradient(8, 70);
      auto expected = gradient;
      std::vector<double> values(70);
      auto expected_values = values;
      weighted->gradient({}, weights, gradient, {.values = values});
      plain->gradient({}, weights, expected, {.values = expected_values});
      EXPECT_LE(largest_difference(gradient, expected), 1e-12);
      for (std::size_t t = 0; t < 70; ++t) EXPECT_NEAR(values[t], expected_values[t], 1e-12);
      weighted->hessian_product({}, weights, direction, gradient);
      plain->hessian_product({}, weights, direction, expected);
      EXPECT_LE(largest_difference(gradient, expected), 1e-12);
      EXPECT_NEAR(weighted->curvature(), plain->curvature(), 1e-6 * plain->curvature());
      EXPECT_LE(largest_difference(solution_of(*weighted, pool), solution_of(*plain, pool)), 1e-8);
    }
  }
}

TEST(RowWeights, AreThoseOfTheSharedCurvature) {
  const auto data = random_problem({.rows = 60, .features = 5, .labels = 2}, 3);
  std::vector<double> times;
  for (Index row = 0; row < data.rows(); ++row) times.push_back(static_cast<double>(1 + row % 3));
  const auto copies = repeated(data, times);
  ThreadPool pool({1});
  const auto weighted = linear_tasks<double>(data.x, {}, data.y, {.row_weights = times}, pool);
  const auto plain = linear_tasks<double>(copies.x, {}, copies.y, {}, pool);
  const auto* shared = weighted->shared_curvature();
  const auto* expected = plain->shared_curvature();
  ASSERT_TRUE(shared != nullptr && expected != nullptr);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(shared->mean[k], expected->mean[k], 1e-12);
    EXPECT_NEAR(shared->eigenvalues[k], expected->eigenvalues[k], 1e-10);
  }
}

/// Feature k is not for the tasks t < k - 3.
BinaryMatrix staircase(Index features, Index tasks) {
  BinaryMatrix unused{.cols = tasks, .row_start = {0}, .column = {}};
  for (Index k = 0; k < features; ++k) {
    for (LabelId t = 0; t < std::min(k - 3, tasks); ++t) unused.column.push_back(t);
    unused.end_row();
  }
  return unused;
}

Features without_columns_from(const Features& x, Index end) {
  Matrix<double> result(x.rows(), end);
  for (Index row = 0; row < x.rows(); ++row) {
    std::copy_n(x.dense().row(row).begin(), end, result.row(row).begin());
  }
  return result;
}

/// More features than the shared curvature knows directions, and fewer.
TEST(UnusedFeatures, TasksSolvedTogetherAreThoseOfProblemsWithoutThem) {
  for (const Index features : {9, 90}) {
    const auto data = random_problem({.rows = 120, .features = features, .labels = 6}, 3);
    const auto unused = staircase(features, 6);
    for (const auto representation : {RepresentationKind::none, RepresentationKind::zscore}) {
      const auto transform = feature_transform(fit_representation(data.x, representation));
      for (const Features& x : {data.x, as_sparse(data.x)}) {
        ThreadPool pool({1});
        const auto tasks =
            linear_tasks<double>(x, transform, data.y, {.rho = 0.05, .unused = &unused}, pool);
        const auto together = solution_of(*tasks, pool);
        for (Index t = 0; t < 6; ++t) {
          const Index used = std::min(t + 4, features);
          auto own = transform;
          if (!own.shift.empty()) own.shift.resize(static_cast<std::size_t>(used));
          if (!own.factor.empty()) own.factor.resize(static_cast<std::size_t>(used));
          const auto alone = linear_tasks<double>(without_columns_from(data.x, used), own, data.y,
                                                  {.rho = 0.05}, pool);
          const auto expected = solution_of(*alone, pool);
          for (Index k = 0; k <= features; ++k) {
            EXPECT_NEAR(together(k, t), k <= used ? expected(k, t) : 0, 1e-7);
          }
        }
      }
    }
  }
}

TEST(UnusedFeatures, AreLeftOutOfWhatTheSharedCurvatureMixes) {
  const auto data = random_problem({.rows = 60, .features = 7, .labels = 3}, 3);
  const auto unused = staircase(7, 3);
  ThreadPool pool({1});
  const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.unused = &unused}, pool);
  const auto* shared = tasks->shared_curvature();
  ASSERT_NE(shared, nullptr);
  ASSERT_EQ(shared->eigenvalues.size(), 4U);
  double mean_square = 0;
  for (Index k = 4; k < 7; ++k) {
    EXPECT_EQ(shared->mean[static_cast<std::size_t>(k)], 0);
    for (Index v = 0; v < 4; ++v) EXPECT_EQ(shared->eigenvectors(v, k), 0);
    for (Index row = 0; row < 60; ++row) {
      mean_square += data.x.dense()(row, k) * data.x.dense()(row, k) / 60;
    }
  }
  EXPECT_NEAR(shared->rest, mean_square / 3, 1e-12);
}

}  // namespace
}  // namespace mugrad
