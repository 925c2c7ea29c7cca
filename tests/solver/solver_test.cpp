// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/quadratic_tasks.h"
#include "support/random_problem.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/accelerated.h>
#include <mugrad/solver/mgd_iteration.h>
#include <mugrad/theory/certificate.h>
#include <mugrad/theory/step.h>

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
                    Observer* observer = nullptr) {
    return run_mgd(*tasks, *transfer, sigma, step, weights, stopping, observer, pool);
  }
  SolveReport accelerated(double sigma, const Stopping& stopping, Observer* observer = nullptr) {
    return run_accelerated(*tasks, *transfer, sigma, safe_step(sigma) / 2, weights, stopping,
                           observer, pool);
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
  Matrix<double> pulled(6, 6);
  problem.tasks->gradient(problem.weights, field, {});
  problem.transfer->pull(problem.weights, pulled);
  double largest = 0;
  for (Index i = 0; i < 6; ++i) {
    double squares = 0;
    for (Index k = 0; k < 6; ++k) {
      const double f = field(k, i) + 0.5 * (problem.weights(k, i) - pulled(k, i));
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
      task->gradient(w, gradient, {});
      for (Index k = 0; k < 6; ++k) w(k, 0) -= 0.3 * gradient(k, 0);
    }
    for (Index k = 0; k < 6; ++k) EXPECT_NEAR(w(k, 0), together.weights(k, label), 1e-13);
  }
}

/// Phi(W) = sum_i r_i f_i(w_i) + (sigma / 4) sum_ij C_ij |w_i - w_j|^2 of equation (12), coupling
/// all rows but the intercepts.
double potential(Problem& problem, double sigma) {
  Matrix<double> gradient(6, 6);
  std::vector<double> values(6);
  problem.tasks->gradient(problem.weights, gradient, values);
  double phi = 0;
  for (Index i = 0; i < 6; ++i) {
    const double r = problem.matrix.reversing_weights[static_cast<std::size_t>(i)];
    phi += r * values[static_cast<std::size_t>(i)];
    const auto columns = problem.matrix.mbar.row_columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double similarity = r * problem.matrix.mbar.row_values(i)[k];
      for (Index row = 1; row < 6; ++row) {
        const double gap = problem.weights(row, i) - problem.weights(row, columns[k]);
        phi += sigma / 4 * similarity * gap * gap;
      }
    }
  }
  return phi;
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

TEST(PlainMgd, StopsWhenItDiverges) {
  QuadraticTasks tasks({{1, 100}}, {{1, 1}});
  ThreadPool pool({1});
  const CsrMatrix<double> alone{.cols = 1, .row_start = {0, 1}, .column = {0}, .value = {1}};
  const auto transfer = scalar_transfer<double>(alone, Intercepts::transferred, pool);
  Matrix<double> weights(2, 1);
  const auto report = run_mgd(tasks, *transfer, 0.0, 0.021, weights,
                              {.tolerance = 1e-6, .max_iterations = 100000}, nullptr, pool);
  EXPECT_EQ(report.stop, Stop::diverged);
  EXPECT_LT(report.iterations, 1000);
}

TEST(PlainMgd, StopsAtOnceWhenValuesLeaveTheFiniteNumbers) {
  QuadraticTasks tasks({{1}}, {{std::numeric_limits<double>::infinity()}});
  ThreadPool pool({1});
  const CsrMatrix<double> alone{.cols = 1, .row_start = {0, 1}, .column = {0}, .value = {1}};
  const auto transfer = scalar_transfer<double>(alone, Intercepts::transferred, pool);
  Matrix<double> weights(1, 1);
  const auto report = run_mgd(tasks, *transfer, 0.0, 0.1, weights, {}, nullptr, pool);
  EXPECT_EQ(report.stop, Stop::diverged);
  EXPECT_EQ(report.iterations, 0);
}

TEST(Trace, HoldsFallingLossAndResidualOfEveryIterate) {
  Problem problem(5);
  Trace trace;
  problem.plain(0, 0.3, {.tolerance = 0, .max_iterations = 20}, &trace);
  ASSERT_EQ(trace.states().size(), 21U);
  // At zero weights every label's loss is log 2.
  EXPECT_NEAR(trace.states().front().total_loss, 6 * std::log(2.0), 1e-14);
  for (std::size_t t = 1; t < trace.states().size(); ++t) {
    EXPECT_EQ(trace.states()[t].iteration, static_cast<Index>(t));
    EXPECT_LT(trace.states()[t].total_loss, trace.states()[t - 1].total_loss);
    EXPECT_LT(trace.states()[t].residual, trace.states()[t - 1].residual);
  }
}

TEST(Observer, CanStopARun) {
  class StopAtThree final : public Observer {
   public:
    bool observe(const IterationState& state) override { return state.iteration < 3; }
  } observer;
  Problem problem(6);
  const auto report = problem.accelerated(0.1, kTight, &observer);
  EXPECT_EQ(report.stop, Stop::interrupted);
  EXPECT_EQ(report.iterations, 3);
}

}  // namespace
}  // namespace mugrad
