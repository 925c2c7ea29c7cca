// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/quadratic_tasks.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::largest_difference;
using testing::QuadraticTasks;
using testing::random_problem;

/// Logistic tasks with cosine transfer on random data, ready to solve.
struct Problem {
  explicit Problem(std::uint64_t seed)
      : data(random_problem({.rows = 60, .features = 5, .labels = 6}, seed)),
        matrix(label_transfer(data.y, Similarity::cosine)),
        tasks(linear_tasks<double>(data.x, {}, data.y, {.rho = 0.1}, pool)),
        transfer(scalar_transfer<double>(matrix.mbar, Intercepts::own, pool)),
        weights(6, 6) {}

  double safe_step(double sigma) {
    return theory::largest_safe_step(tasks->curvature(), sigma, matrix);
  }
  SolveReport plain(double sigma, double step, const Stopping& stopping,
                    Progress* progress = nullptr) {
    return run_mgd(*tasks, *transfer, weights,
                   {.sigma = sigma, .step = step, .stopping = stopping, .progress = progress},
                   pool);
  }
  SolveReport accelerated(double sigma, const Stopping& stopping, Progress* progress = nullptr) {
    return find_equilibrium(*tasks, *transfer, weights,
                            {.sigma = sigma, .stopping = stopping, .progress = progress}, pool);
  }

  ThreadPool pool{Threads{1}};
  Dataset data;
  TransferMatrix matrix;
  std::unique_ptr<TaskSet<double>> tasks;
  std::unique_ptr<Transfer<double>> transfer;
  Matrix<double> weights;
};

constexpr Stopping kTight{.tolerance = 1e-9, .max_iterations = 200000};

TEST(Solvers, EndAtTheSameEquilibrium) {
  for (const double sigma : {0.0, 0.1, 3.0}) {
    Problem plain(1);
    Problem accelerated(1);
    const auto slow = plain.plain(sigma, 0.95 * plain.safe_step(sigma), kTight);
    const auto fast = accelerated.accelerated(sigma, kTight);
    EXPECT_EQ(slow.stop, Stop::converged);
    EXPECT_EQ(fast.stop, Stop::converged);
    EXPECT_LE(largest_difference(plain.weights, accelerated.weights), 1e-7);
    EXPECT_LT(fast.passes, slow.passes);
  }
}

TEST(Solvers, ReportTheResidualOfWhatTheyReturn) {
  Problem problem(2);
  const auto report = problem.accelerated(0.5, {.tolerance = 1e-3, .max_iterations = 1000});
  // Equation (11) by hand, at the weights returned.
  Matrix<double> field(6, 6);
  Matrix<double> borrowed(6, 6);
  problem.tasks->gradient({}, problem.weights, field, {});
  problem.transfer->apply(problem.weights, borrowed);
  double largest = 0;
  for (Index i = 0; i < 6; ++i) {
    double squares = 0;
    for (Index k = 0; k < 6; ++k) {
      const double f = field(k, i) + 0.5 * (problem.weights(k, i) - borrowed(k, i));
      squares += f * f;
    }
    largest = std::max(largest, std::sqrt(squares));
  }
  EXPECT_NEAR(report.residual, largest, 1e-15);
  EXPECT_LE(report.residual, 1e-3 * report.first_residual);
}

TEST(Solvers, SayWhenTheIterationsDidNotSuffice) {
  Problem problem(3);
  const auto report = problem.plain(0.1, 0.01, {.tolerance = 1e-6, .max_iterations = 10});
  EXPECT_EQ(report.stop, Stop::iteration_limit);
  EXPECT_EQ(report.iterations, 10);
  EXPECT_EQ(report.passes, 11);  // one more for the residual of the last iterate
  EXPECT_GT(report.residual, 1e-6 * report.first_residual);
}

TEST(PlainMgd, EqualsIndependentGradientDescentWhenSigmaIsZero) {
  Problem together(4);
  together.plain(0, 0.3, {.tolerance = 0, .max_iterations = 50});
  for (LabelId label = 0; label < 6; ++label) {
    BinaryMatrix alone{.cols = 1, .row_start = {0}, .column = {}};
    for (Index row = 0; row < together.data.rows(); ++row) {
      if (std::ranges::binary_search(together.data.y.row(row), label)) alone.column.push_back(0);
      alone.end_row();
    }
    ThreadPool pool({1});
    const auto task = linear_tasks<double>(together.data.x, {}, alone, {.rho = 0.1}, pool);
    Matrix<double> w(6, 1);
    Matrix<double> gradient(6, 1);
    for (int step = 0; step < 50; ++step) {
      task->gradient({}, w, gradient, {});
      for (Index k = 0; k < 6; ++k) w(k, 0) -= 0.3 * gradient(k, 0);
    }
    for (Index k = 0; k < 6; ++k) EXPECT_NEAR(w(k, 0), together.weights(k, label), 1e-13);
  }
}

double potential(Problem& problem, double sigma) {
  return theory::potential(*problem.tasks, problem.matrix, sigma, Intercepts::own, problem.weights);
}

TEST(PlainMgd, PotentialFallsAtEveryStepBelowTheReversibleLimit) {
  for (const double sigma : {0.1, 1.0, 10.0}) {
    Problem problem(7);
    problem.weights = testing::random_weights(6, 6, 3, 2);
    const double step = 0.99 * theory::step_limit_reversible(problem.tasks->curvature(), sigma, 1);
    double before = potential(problem, sigma);
    for (int iteration = 0; iteration < 30; ++iteration) {
      problem.plain(sigma, step, {.tolerance = 0, .max_iterations = 1});
      const double after = potential(problem, sigma);
      EXPECT_LT(after, before) << "sigma " << sigma << ", iteration " << iteration;
      before = after;
    }
  }
}

TEST(PlainMgd, PotentialIsTheFunctionWhoseGradientItFollows) {
  Problem problem(8);
  problem.weights = testing::random_weights(6, 6, 5, 1);
  Matrix<double> field(6, 6);
  Matrix<double> borrowed(6, 6);
  problem.tasks->gradient({}, problem.weights, field, {});
  problem.transfer->apply(problem.weights, borrowed);
  for (const auto& [k, i] : {std::pair<Index, Index>{0, 2}, {3, 0}, {5, 5}}) {
    constexpr double kStep = 1e-5;
    const double at = problem.weights(k, i);
    problem.weights(k, i) = at + kStep;
    const double ahead = potential(problem, 0.7);
    problem.weights(k, i) = at - kStep;
    const double behind = potential(problem, 0.7);
    problem.weights(k, i) = at;
    const double r = problem.matrix.reversing_weights[static_cast<std::size_t>(i)];
    const double expected = r * (field(k, i) + 0.7 * (at - borrowed(k, i)));
    EXPECT_NEAR((ahead - behind) / (2 * kStep), expected, 1e-8);
  }
  const auto crossed = transfer_from(testing::csr_from({{0.5, 0.5}, {0, 1}}));
  QuadraticTasks tasks({{1}, {1}}, {{0}, {1}});
  EXPECT_THROW(theory::potential(tasks, crossed, 1, Intercepts::transferred, Matrix<double>(1, 2)),
               UsageError);
}

TEST(Equilibrium, LargeSigmaGivesThePooledFit) {
  // All columns become the minimiser of sum_i pi_i f_i, pi the stationary distribution.
  const std::vector<std::vector<double>> h = {{1, 4}, {2, 1}, {3, 2}};
  const std::vector<std::vector<double>> c = {{1, 0}, {-1, 2}, {0.5, 1}};
  QuadraticTasks tasks(h, c);
  const auto matrix = transfer_from(testing::csr_from({{1, 1, 0}, {1, 2, 3}, {0, 3, 1}}));
  ThreadPool pool({1});
  const auto transfer = scalar_transfer<double>(matrix.mbar, Intercepts::transferred, pool);
  constexpr double kSigma = 1e6;
  Matrix<double> w(2, 3);
  find_equilibrium<double>(
      tasks, *transfer, w,
      {.sigma = kSigma, .stopping = {.tolerance = 1e-12, .max_iterations = 1000000}}, pool);
  for (std::size_t k = 0; k < 2; ++k) {
    double weighted = 0;
    double total = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      weighted += matrix.reversing_weights[i] * h[i][k] * c[i][k];
      total += matrix.reversing_weights[i] * h[i][k];
    }
    for (Index i = 0; i < 3; ++i) {
      EXPECT_NEAR(w(static_cast<Index>(k), i), weighted / total, 1e-4);
    }
  }
}

TEST(Equilibrium, ResidualOverXiBoundsTheDistance) {
  QuadraticTasks tasks({{1, 4}, {2, 0.5}, {3, 2}}, {{1, 0}, {-1, 2}, {0.5, 1}});
  const auto matrix = transfer_from(testing::csr_from({{0, 1, 0}, {0.5, 0, 0.5}, {1, 0, 1}}));
  ASSERT_TRUE(matrix.reversing_weights.empty());  // it holds for any transfer
  ThreadPool pool({1});
  const auto transfer = scalar_transfer<double>(matrix.mbar, Intercepts::transferred, pool);
  const double step = theory::largest_safe_step(tasks.curvature(), 2, matrix) / 2;
  Matrix<double> exact(2, 3);
  run_mgd(tasks, *transfer, exact,
          {.sigma = 2, .step = step, .stopping = {.tolerance = 1e-14, .max_iterations = 100000}},
          pool);
  for (const Index iterations : {1, 5, 20}) {
    Matrix<double> w(2, 3);
    const auto report = run_mgd(
        tasks, *transfer, w,
        {.sigma = 2, .step = step, .stopping = {.tolerance = 0, .max_iterations = iterations}},
        pool);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_LE(std::hypot(w(0, i) - exact(0, i), w(1, i) - exact(1, i)), report.residual / 0.5);
    }
  }
}

TEST(PlainMgd, StopsWhenItDiverges) {
  QuadraticTasks tasks({{1, 100}}, {{1, 1}});
  ThreadPool pool({1});
  const CsrMatrix<double> alone{.cols = 1, .row_start = {0, 1}, .column = {0}, .value = {1}};
  const auto transfer = scalar_transfer<double>(alone, Intercepts::transferred, pool);
  Matrix<double> weights(2, 1);
  const auto report =
      run_mgd(tasks, *transfer, weights,
              {.step = 0.021, .stopping = {.tolerance = 1e-6, .max_iterations = 100000}}, pool);
  EXPECT_EQ(report.stop, Stop::diverged);
  EXPECT_LT(report.iterations, 1000);
}

TEST(PlainMgd, StopsAtOnceWhenValuesLeaveTheFiniteNumbers) {
  QuadraticTasks tasks({{1}}, {{std::numeric_limits<double>::infinity()}});
  ThreadPool pool({1});
  const CsrMatrix<double> alone{.cols = 1, .row_start = {0, 1}, .column = {0}, .value = {1}};
  const auto transfer = scalar_transfer<double>(alone, Intercepts::transferred, pool);
  Matrix<double> weights(1, 1);
  const auto report = run_mgd(tasks, *transfer, weights, {.step = 0.1}, pool);
  EXPECT_EQ(report.stop, Stop::diverged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(Trace, HoldsFallingLossAndResidualOfEveryIterate) {
  Problem problem(5);
  Trace trace;
  problem.plain(0, 0.3, {.tolerance = 0, .max_iterations = 20}, &trace);
  ASSERT_EQ(trace.iterates().size(), 21U);
  // At zero weights every label's loss is log 2.
  EXPECT_NEAR(trace.iterates().front().total_loss, 6 * std::log(2.0), 1e-14);
  for (std::size_t t = 1; t < trace.iterates().size(); ++t) {
    EXPECT_EQ(trace.iterates()[t].iteration, static_cast<Index>(t));
    EXPECT_LT(trace.iterates()[t].total_loss, trace.iterates()[t - 1].total_loss);
    EXPECT_LT(trace.iterates()[t].residual, trace.iterates()[t - 1].residual);
  }
}

TEST(Progress, CanStopARun) {
  class StopAtThree final : public Progress {
   public:
    bool update(double) override { return seen_ < 3; }
    void iterate(const Iterate& iterate) override { seen_ = iterate.iteration; }

   private:
    Index seen_ = 0;
  } progress;
  Problem problem(6);
  const auto report = problem.accelerated(0.1, kTight, &progress);
  EXPECT_EQ(report.stop, Stop::interrupted);
  EXPECT_EQ(report.iterations, 3);
}

}  // namespace
}  // namespace mugrad
