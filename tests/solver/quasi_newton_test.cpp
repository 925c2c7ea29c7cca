// SPDX-License-Identifier: MIT
#include "solver/equilibrium_solvers.h"
#include "support/random_problem.h"

#include <mugrad/objective/linear_tasks.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

constexpr Index kLabels = 6;
constexpr Index kParameters = 5;

/// Logistic tasks, each by itself, from a start so far out that many a step is refused.
struct Problem {
  SolveReport solve(const Stopping& stopping, const TaskOutcomes& outcomes,
                    QuasiNewtonSpace<double>& space) {
    weights = Matrix<double>(kParameters, kLabels);
    for (Index t = 0; t < kLabels; ++t) weights(0, t) = t % 2 == 0 ? 12 : -9;
    Trace wants_losses;
    return run_quasi_newton<double>(*tasks, *transfer, 0, weights, stopping, &wants_losses, pool,
                                    outcomes, space);
  }

  ThreadPool pool{Threads{1}};
  Dataset data = testing::random_problem({.rows = 50, .features = 4, .labels = kLabels}, 3);
  std::unique_ptr<TaskSet<double>> tasks =
      linear_tasks<double>(data.x, {}, data.y, {.rho = 0.01}, pool);
  std::unique_ptr<Transfer<double>> transfer = scalar_transfer<double>(
      label_transfer(data.y, Similarity::cosine).mbar, Intercepts::own, pool);
  Matrix<double> weights;
};

TEST(QuasiNewton, SaysWhatBecameOfEachTaskAtTheWeightsReturned) {
  Problem problem;
  QuasiNewtonSpace<double> space(problem.pool);
  for (Index iterations = 0; iterations <= 12; ++iterations) {
    std::vector<double> norms(kLabels);
    std::vector<double> values(kLabels);
    problem.solve({.tolerance = 1e-3, .max_iterations = iterations},
                  {.norms = norms, .values = values}, space);
    std::vector<double> expected(kLabels);
    Matrix<double> gradient(kParameters, kLabels);
    problem.tasks->gradient({}, problem.weights, gradient, {.values = expected});
    for (Index t = 0; t < kLabels; ++t) {
      double squares = 0;
      for (Index k = 0; k < kParameters; ++k) squares += gradient(k, t) * gradient(k, t);
      EXPECT_NEAR(values[static_cast<std::size_t>(t)], expected[static_cast<std::size_t>(t)],
                  1e-12);
      EXPECT_NEAR(norms[static_cast<std::size_t>(t)], std::sqrt(squares), 1e-12);
    }
  }
}

TEST(QuasiNewton, GivesTheSameBytesInASpaceThatOthersHaveUsed) {
  Problem problem;
  QuasiNewtonSpace<double> fresh(problem.pool);
  const auto first = problem.solve({.tolerance = 1e-6}, {}, fresh);
  const auto expected = problem.weights;
  const auto again = problem.solve({.tolerance = 1e-6}, {}, fresh);
  EXPECT_EQ(problem.weights, expected);
  EXPECT_EQ(again.residual, first.residual);
  EXPECT_EQ(again.iterations, first.iterations);
}

}  // namespace
}  // namespace mugrad
