// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/label_rows.h"
#include "support/quadratic_tasks.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/multi_task.h>
#include <mugrad/objective/linear_tasks.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::dense_rows;
using ::testing::HasSubstr;
using testing::largest_difference;
using testing::QuadraticTasks;

const std::vector<std::vector<double>> kCurvature = {
    {1, 2, 0.5, 3}, {0.3, 4, 1, 0.7}, {2, 1, 2, 0.4}};
const std::vector<std::vector<double>> kCentre = {{1, -1, 2, 0}, {0, 3, 1, -2}, {-2, 0.5, 0, 1}};

QuadraticTasks quadratic_tasks() { return {kCurvature, kCentre}; }

/// The solution of a x = b by Gaussian elimination with row exchanges.
std::vector<double> eliminate(Matrix<double> a, std::vector<double> b) {
  const Index n = a.rows();
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::fabs(a(i, k)) > std::fabs(a(pivot, k))) pivot = i;
    }
    for (Index j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    std::swap(b[at(k)], b[at(pivot)]);
    for (Index i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (Index j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      b[at(i)] -= factor * b[at(k)];
    }
  }
  for (Index k = n - 1; k >= 0; --k) {
    for (Index j = k + 1; j < n; ++j) b[at(k)] -= a(k, j) * b[at(j)];
    b[at(k)] /= a(k, k);
  }
  return b;
}

/// The minimiser of the joint objective: all parameters of all tasks in one linear system.
Matrix<double> joint_solution(const Matrix<double>& s, double lambda, Index free_rows = 0) {
  const Index t = s.rows();
  const Index d = std::ssize(kCentre.front());
  Matrix<double> a(t * d, t * d);
  std::vector<double> b(static_cast<std::size_t>(t * d));
  for (Index i = 0; i < t; ++i) {
    for (Index k = 0; k < d; ++k) {
      const double h = kCurvature[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      const double c = kCentre[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      a(i * d + k, i * d + k) += h;
      b[static_cast<std::size_t>(i * d + k)] = h * c;
      for (Index j = 0; j < t && k >= free_rows; ++j) a(i * d + k, j * d + k) += lambda * s(i, j);
    }
  }
  const auto x = eliminate(a, b);
  Matrix<double> w(d, t);
  for (Index i = 0; i < t; ++i) {
    for (Index k = 0; k < d; ++k) w(k, i) = x[static_cast<std::size_t>(i * d + k)];
  }
  return w;
}

struct Solved {
  MultiTaskReport report;
  Matrix<double> weights;
};

constexpr double kTight = 1e-11;

Solved solve(const Matrix<double>& s, double lambda, MultiTaskOptions options = {}) {
  auto tasks = quadratic_tasks();
  Solved solved{.report = {}, .weights = Matrix<double>(4, 3)};
  options.tolerance = kTight;
  solved.report = solve_multi_task(tasks, s, lambda, solved.weights, options);
  return solved;
}

std::string refusal(const Matrix<double>& s, double lambda, const MultiTaskOptions& options = {}) {
  try {
    solve(s, lambda, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// The least strong convexity of the tasks above is 0.3, of task 1; task 0 has 0.5.
const auto kRidgedLaplacian = dense_rows({{2, -1, 0}, {-1, 3, -1}, {0, -1, 1.5}});
const auto kNegativeRowSum = dense_rows({{0.5, -0.7, 0}, {-0.7, 1, -0.3}, {0, -0.3, 1}});
const auto kMMatrix = dense_rows({{1, -1.5, 0}, {-1.5, 4, -0.5}, {0, -0.5, 1}});
const auto kDominant = dense_rows({{2, 1, -0.5}, {1, 2, 0.5}, {-0.5, 0.5, 1.5}});
const auto kPositiveDefinite = dense_rows({{1, 0.9, 0.8}, {0.9, 1, 0.9}, {0.8, 0.9, 1}});
const auto kIndefinite = dense_rows({{0, 0.2, 0.2}, {0.2, 0, 0.2}, {0.2, 0.2, 0}});

struct RouteCase {
  MultiTaskRoute route;
  Matrix<double> s;
  double lambda;
};

const std::vector<RouteCase> kRouteCases = {
    {MultiTaskRoute::split, kRidgedLaplacian, 0.8},
    {MultiTaskRoute::split, kNegativeRowSum, 1},
    {MultiTaskRoute::split, kRidgedLaplacian, 0},
    {MultiTaskRoute::rescaled, kMMatrix, 5},
    {MultiTaskRoute::signed_transfer, kDominant, 2},
    {MultiTaskRoute::signed_transfer, kIndefinite, 0.5},
    {MultiTaskRoute::direct, kPositiveDefinite, 5},
    {MultiTaskRoute::direct, kIndefinite, 1},
};

TEST(MultiTask, EveryRouteEndsAtTheJointSolution) {
  for (const auto& example : kRouteCases) {
    for (const auto solver : {SolverKind::accelerated, SolverKind::plain}) {
      const auto [report, weights] = solve(example.s, example.lambda, {.solver = solver});
      EXPECT_EQ(report.route, example.route) << to_string(report.route);
      EXPECT_EQ(report.stop, Stop::converged);
      EXPECT_LE(largest_difference(weights, joint_solution(example.s, example.lambda)), 1e-8)
          << to_string(example.route) << ", lambda " << example.lambda;
      // The largest gradient at zero is below 20.
      EXPECT_LE(report.residual, 20 * kTight);
    }
  }
}

TEST(MultiTask, EveryRouteLeavesTheInterceptAlone) {
  for (const auto& example : kRouteCases) {
    const auto [report, weights] =
        solve(example.s, example.lambda, {.intercepts = Intercepts::own});
    EXPECT_EQ(report.route, example.route);
    EXPECT_LE(largest_difference(weights, joint_solution(example.s, example.lambda, 1)), 1e-8)
        << to_string(example.route);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_NEAR(weights(0, i), kCentre[static_cast<std::size_t>(i)][0], 1e-8);
    }
  }
}

TEST(MultiTask, RoutesAgreeWhereSeveralAreFeasible) {
  const auto data = testing::random_problem({.rows = 60, .features = 4, .labels = 3}, 5);
  ThreadPool pool({1});
  const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.rho = 0.05}, pool);
  std::vector<Matrix<double>> found;
  for (const auto route : {MultiTaskRoute::split, MultiTaskRoute::rescaled,
                           MultiTaskRoute::signed_transfer, MultiTaskRoute::direct}) {
    Matrix<double> weights(5, 3);
    const auto report =
        solve_multi_task(*tasks, kRidgedLaplacian, 0.1, weights,
                         {.route = route, .intercepts = Intercepts::own, .tolerance = 1e-10});
    EXPECT_EQ(report.route, route);
    EXPECT_EQ(report.stop, Stop::converged);
    EXPECT_TRUE(report.passed_over.empty());
    found.push_back(weights);
  }
  for (const auto& weights : found) EXPECT_LE(largest_difference(weights, found.front()), 1e-8);
}

TEST(MultiTask, TwoTasksOfANonSymmetricCovarianceAreALaplacian) {
  // Sigma^-1 = [[1, 0], [-2, 1]] has the symmetric part below: equation (13) is feasible as it is.
  QuadraticTasks tasks({{1}, {3}}, {{2}, {-1}});
  Matrix<double> weights(1, 2);
  const auto report =
      solve_multi_task(tasks, dense_rows({{1, -1}, {-1, 1}}), 2, weights, {.tolerance = kTight});
  EXPECT_EQ(report.route, MultiTaskRoute::split);
  // (w0 - 2) + 2 (w0 - w1) = 0 and 3 (w1 + 1) + 2 (w1 - w0) = 0.
  EXPECT_NEAR(weights(0, 0), 4.0 / 11, 1e-10);
  EXPECT_NEAR(weights(0, 1), -5.0 / 11, 1e-10);
}

TEST(MultiTask, MeanAndGraphCouplingsAreSplit) {
  const auto mean = solve(mean_coupling(3), 0.7);
  EXPECT_EQ(mean.report.route, MultiTaskRoute::split);
  EXPECT_LE(largest_difference(mean.weights, joint_solution(mean_coupling(3), 0.7)), 1e-8);

  const auto graph = graph_coupling(dense_rows({{9, 1, 0}, {1, 0, 0.3}, {0, 0.3, 0}}));
  EXPECT_EQ(graph, dense_rows({{1, -1, 0}, {-1, 1.3, -0.3}, {0, -0.3, 0.3}}));
  const auto solved = solve(graph, 2);
  EXPECT_EQ(solved.report.route, MultiTaskRoute::split);
  EXPECT_LE(largest_difference(solved.weights, joint_solution(graph, 2)), 1e-8);
}

TEST(MultiTask, ReportsWhyEarlierRoutesWereNotTaken) {
  const auto rescaled = solve(kMMatrix, 5).report.passed_over;
  ASSERT_EQ(rescaled.size(), 1U);
  EXPECT_EQ(rescaled[0].route, MultiTaskRoute::split);
  EXPECT_THAT(rescaled[0].reason, HasSubstr("row 0 of S sums to -0.5"));

  const auto direct = solve(kPositiveDefinite, 5).report.passed_over;
  ASSERT_EQ(direct.size(), 3U);
  EXPECT_THAT(direct[0].reason, HasSubstr("S(0, 1) = 0.9 off the diagonal is positive"));
  EXPECT_THAT(direct[1].reason, HasSubstr("S(0, 1) = 0.9 off the diagonal is positive"));
  EXPECT_THAT(direct[2].reason, HasSubstr("row 0 of S is not diagonally dominant"));

  // No positive entry, but singular: the second route needs an inverse.
  const auto singular = dense_rows({{1, -2, 0}, {-2, 4, 0}, {0, 0, 1}});
  const auto report = solve(singular, 5).report;
  EXPECT_EQ(report.route, MultiTaskRoute::direct);
  EXPECT_THAT(report.passed_over[1].reason, HasSubstr("S is not positive definite"));
}

TEST(MultiTask, RefusesWhatIsNotASymmetricConvexCoupling) {
  EXPECT_EQ(refusal(dense_rows({{1, 0}, {0, 1}}), 1), "S is 2 x 2, expected 3 x 3");
  EXPECT_EQ(refusal(dense_rows({{1, 0, 2}, {0, 1, 0}, {1, 0, 1}}), 1),
            "S is not symmetric: S(2, 0) is 1 and S(0, 2) is 2");
  EXPECT_EQ(refusal(dense_rows({{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}), 1),
            "S(1, 1) is nan, expected a finite number");
  EXPECT_EQ(refusal(kDominant, -1), "lambda must be >= 0, got -1");
  EXPECT_THAT(refusal(kIndefinite, 3),
              HasSubstr("the joint objective may not be convex: S has the eigenvalue -0.2"));
  EXPECT_THAT(refusal(kDominant, 1, {.route = MultiTaskRoute::split}),
              HasSubstr("the route 'split' is not feasible: S(0, 1) = 1"));
  EXPECT_EQ(refusal(kDominant, 1, {.max_iterations = -1}),
            "the limit of iterations must be >= 0, got -1");
  auto tasks = quadratic_tasks();
  Matrix<double> weights(3, 3);
  EXPECT_THROW(solve_multi_task(tasks, kDominant, 1, weights), UsageError);
  EXPECT_THROW(graph_coupling(dense_rows({{0, -1}, {-1, 0}})), UsageError);
  EXPECT_THROW(graph_coupling(dense_rows({{0, 1}, {2, 0}})), UsageError);
  EXPECT_THROW(mean_coupling(0), UsageError);
}

TEST(MultiTask, AGoodStartIsNotHeldAgainstTheRun) {
  auto tasks = quadratic_tasks();
  auto weights = joint_solution(kDominant, 2);
  const auto report = solve_multi_task(tasks, kDominant, 2, weights, {.tolerance = 1e-10});
  EXPECT_EQ(report.stop, Stop::converged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(MultiTask, ThreadsDoNotChangeABit) {
  for (const auto& example : kRouteCases) {
    EXPECT_EQ(solve(example.s, example.lambda, {.threads = {1}}).weights,
              solve(example.s, example.lambda, {.threads = {3}}).weights);
  }
}

}  // namespace
}  // namespace mugrad
