// SPDX-License-Identifier: MIT
// What a run to the equilibrium does on its way.
#include "solver/equilibrium_cases.h"
#include "support/golden.h"
#include "support/quadratic_tasks.h"

#include <mugrad/core/error.h>
#include <mugrad/objective/own_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::Borrowing;
using testing::Case;
using testing::EquilibriumCase;

/// Tasks, transfer and weights of a case, ready to solve.
template <class Real>
struct Training {
  explicit Training(const Case& chosen, int threads = 1)
      : problem(chosen),
        pool(Threads{threads}),
        tasks(problem.tasks<Real>(pool)),
        transfer(problem.template transfer<Real>(pool)),
        weights(problem.parameters(), problem.labels()) {}

  SolveReport solve(const Stopping& stopping, Progress* progress = nullptr) {
    return find_equilibrium(
        *tasks, *transfer, weights,
        {.sigma = problem.setting().sigma, .stopping = stopping, .progress = progress}, pool);
  }
  bool is_finite() const {
    return std::ranges::all_of(weights.values(), [](Real w) { return std::isfinite(w); });
  }

  EquilibriumCase problem;
  ThreadPool pool;
  std::unique_ptr<TaskSet<Real>> tasks;
  std::unique_ptr<Transfer<Real>> transfer;
  Matrix<Real> weights;
};

/// One case for each way of solving: every task alone, all together, and Newton's method.
const std::vector<Case> kEveryWay = {{.sigma = 0},
                                     {.sigma = 0.2},
                                     {.sigma = 0.2, .borrowing = Borrowing::low_rank},
                                     {.sigma = 0.2, .borrowing = Borrowing::given},
                                     {.sigma = 0.05, .borrowing = Borrowing::slices}};

/// Passes calls on and keeps how many columns each gradient was for.
class Counting final : public TaskSet<double> {
 public:
  explicit Counting(TaskSet<double>& tasks) : tasks_(tasks) {}
  Index tasks() const override { return tasks_.tasks(); }
  Index parameters() const override { return tasks_.parameters(); }
  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures& measures) override {
    columns.push_back(weights.cols());
    EXPECT_TRUE(which.empty() || std::ssize(which) == weights.cols());
    EXPECT_TRUE(std::ranges::is_sorted(which));
    tasks_.gradient(which, weights, gradient, measures);
  }
  void hessian_product(std::span<const Index> which, const Matrix<double>& weights,
                       const Matrix<double>& direction, Matrix<double>& product) override {
    tasks_.hessian_product(which, weights, direction, product);
  }
  std::vector<CurvatureRange> curvatures() override { return tasks_.curvatures(); }
  const SharedCurvature<double>* shared_curvature() override { return tasks_.shared_curvature(); }

  std::vector<Index> columns;

 private:
  TaskSet<double>& tasks_;
};

TEST(Solving, LetsTasksGoThatAreDone) {
  // Labels of very different hardness: rare ones with heavy positives, and plain ones.
  Training<double> run(
      {.shape = {.rows = 100, .features = 20, .labels = 8},
       .options = {.rho = 1e-4, .positive_weights = {1, 1, 1, 1, 50, 200, 1000, 5000}},
       .sigma = 0});
  Counting counting(*run.tasks);
  const auto report = find_equilibrium<double>(counting, *run.transfer, run.weights,
                                               {.stopping = {.tolerance = 1e-8}}, run.pool);
  EXPECT_EQ(report.stop, Stop::converged);
  EXPECT_TRUE(std::ranges::is_sorted(counting.columns, std::greater<>()));
  EXPECT_EQ(counting.columns.front(), 8);
  EXPECT_LE(counting.columns.back(), 4);
  EXPECT_LE(run.problem.residual(run.weights), 1.001e-8 * report.first_residual);
  EXPECT_NEAR(run.problem.residual(run.weights), report.residual, 1e-14 * report.first_residual);
}

TEST(Solving, TakesOnePassFromTheSolution) {
  for (const auto& way : kEveryWay) {
    Training<double> run(way);
    const auto first = run.solve({.tolerance = 1e-10});
    const auto solution = run.weights;
    const auto again = run.solve({.tolerance = 1e-9, .reference_residual = first.first_residual});
    EXPECT_EQ(again.stop, Stop::converged);
    EXPECT_EQ(again.iterations, 0);
    EXPECT_EQ(again.passes, 1);  // the field: what the Hessians share is known from before
    EXPECT_EQ(run.weights, solution);
  }
}

TEST(Solving, CountsOnceWhatFindingTheSharedCurvatureTook) {
  for (const auto& way : kEveryWay) {
    Training<double> run(way);
    const auto start = run.weights;
    const auto first = run.solve({.tolerance = 1e-6});
    run.weights = start;
    const auto second = run.solve({.tolerance = 1e-6});
    EXPECT_EQ(first.passes, second.passes + 1);
    EXPECT_EQ(first.residual, second.residual);
  }
}

TEST(Solving, NeverTakesMoreIterationsThanAllowed) {
  // Tasks within the tolerance go on to the margin, but not for ever.
  for (const Index most : {0, 1, 2, 4, 6, 8}) {
    Training<double> run({.sigma = 0});
    const auto report = run.solve({.tolerance = 0.1, .margin = 1e-10, .max_iterations = most});
    EXPECT_LE(report.iterations, most);
    const bool is_within = report.residual <= 0.1 * report.first_residual;
    EXPECT_EQ(report.stop, is_within ? Stop::converged : Stop::iteration_limit);
  }
}

TEST(Solving, StopsAtTheToleranceOfTheReferenceResidual) {
  for (const auto& way : kEveryWay) {
    Training<double> cold(way);
    const auto first = cold.solve({.tolerance = 1e-3});
    Training<double> warm(way);
    warm.weights = cold.weights;
    const auto second = warm.solve({.tolerance = 1e-6, .reference_residual = first.first_residual});
    EXPECT_EQ(second.stop, Stop::converged);
    EXPECT_LE(second.residual, 1e-6 * first.first_residual);
    EXPECT_GT(second.iterations, 0);
  }
}

TEST(Solving, EndsStalledWhereRoundingKeepsItFromTheTolerance) {
  for (const auto& way : kEveryWay) {
    Training<float> run(way);
    const auto report = run.solve({.tolerance = 1e-12});
    EXPECT_EQ(report.stop, Stop::stalled) << to_string(report.stop);
    EXPECT_LE(report.passes, 1500);
    EXPECT_LE(report.residual, 1e-5 * report.first_residual);
    Matrix<double> weights(run.weights.rows(), run.weights.cols());
    std::ranges::copy(run.weights.values(), weights.values().begin());
    EXPECT_NEAR(report.residual, run.problem.residual(weights), 1e-6 * report.first_residual);
  }
}

TEST(Solving, NeedsAFiftiethOfThePassesOfThePlainIteration) {
  for (const auto& way : kEveryWay) {
    Training<double> fast(way);
    Training<double> slow(way);
    const auto quick = fast.solve({.tolerance = 1e-6});
    EXPECT_EQ(quick.stop, Stop::converged);
    const auto plain =
        run_mgd(*slow.tasks, *slow.transfer, slow.weights,
                {.sigma = way.sigma,
                 .step = 0.02,
                 .stopping = {.tolerance = 1e-6, .max_iterations = 50 * quick.passes - 1}},
                slow.pool);
    EXPECT_EQ(plain.stop, Stop::iteration_limit) << quick.passes;
  }
}

template <class Real>
void expect_same_bytes(Case chosen) {
  for (const bool is_sparse : {false, true}) {
    chosen.is_sparse = is_sparse;
    Training<Real> one(chosen, 1);
    const auto expected = one.solve({.tolerance = 1e-4});
    for (const int threads : {2, 4}) {
      Training<Real> many(chosen, threads);
      const auto report = many.solve({.tolerance = 1e-4});
      EXPECT_EQ(many.weights, one.weights);
      EXPECT_EQ(report.residual, expected.residual);
      EXPECT_EQ(report.passes, expected.passes);
    }
  }
}

TEST(Solving, GivesTheSameBytesWithAnyNumberOfThreads) {
  for (auto way : kEveryWay) {
    way.shape = {.rows = 300, .features = 90, .labels = 70, .feature_probability = 0.5};
    expect_same_bytes<float>(way);
    expect_same_bytes<double>(way);
  }
}

class StopAt final : public Progress {
 public:
  explicit StopAt(Index iteration) : iteration_(iteration) {}
  bool update(double) override { return seen_ < iteration_; }
  void iterate(const Iterate& iterate) override { seen_ = iterate.iteration; }

 private:
  Index iteration_;
  Index seen_ = 0;
};

TEST(Solving, LeavesTheLastIterateWhenInterrupted) {
  for (const auto& way : kEveryWay) {
    for (const Index iteration : {0, 1, 2, 5}) {
      Training<double> run(way);
      StopAt progress(iteration);
      const auto report = run.solve({.tolerance = 1e-300}, &progress);
      EXPECT_EQ(report.stop, Stop::interrupted);
      EXPECT_EQ(report.iterations, iteration);
      EXPECT_TRUE(run.is_finite());
      EXPECT_NEAR(run.problem.residual(run.weights), report.residual, 1e-13);
    }
  }
}

TEST(Solving, TellsTheLossOfTheIterateToWhoWantsIt) {
  for (const auto& way : kEveryWay) {
    for (const Index iterations : {0, 1, 3, 6}) {
      Training<double> run(way);
      Trace trace;
      run.solve({.tolerance = 0, .max_iterations = iterations}, &trace);
      ASSERT_EQ(std::ssize(trace.iterates()), iterations + 1);
      std::vector<double> values(static_cast<std::size_t>(run.problem.labels()));
      Matrix<double> gradient(run.weights.rows(), run.weights.cols());
      run.tasks->gradient({}, run.weights, gradient, {.values = values});
      double total = 0;
      for (const double value : values) total += value;
      EXPECT_NEAR(trace.iterates().back().total_loss, total, 1e-12);
    }
  }
}

TEST(Solving, EndsBelowThePotentialOfItsStart) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const double sigma : {0.1, 3.0}) {
      Training<double> run({.seed = seed, .sigma = sigma});
      run.weights = testing::random_weights(run.weights.rows(), run.weights.cols(), seed, 3);
      const auto matrix = label_transfer(run.problem.data().y, Similarity::cosine);
      const auto potential = [&] {
        return theory::potential(*run.tasks, matrix, sigma, Intercepts::own, run.weights);
      };
      double before = potential();
      for (int part = 0; part < 4; ++part) {  // from one stop to the next as well
        run.solve({.tolerance = 0, .max_iterations = 4});
        EXPECT_LE(potential(), before + 1e-12);
        before = potential();
      }
    }
  }
}

TEST(Solving, ComesBackFromFarOut) {
  // There logistic losses are straight, and Hessians vanish.
  for (const auto& way : kEveryWay) {
    Training<double> run(way);
    for (Index t = 0; t < run.weights.cols(); ++t) run.weights(0, t) = t % 2 == 0 ? 30 : -30;
    const auto report = run.solve({.tolerance = 1e-6});
    EXPECT_EQ(report.stop, Stop::converged) << to_string(report.stop);
    EXPECT_LE(report.passes, 1000);
  }
}

TEST(Solving, NeedsNoProductsUnlessTheTransferIsIrreversible) {
  /// f(w) = (w - 1)^2 / 2, without Hessian products.
  class Plain final : public Task<double> {
   public:
    Index parameters() const override { return 1; }
    double evaluate(std::span<const double> w, std::span<double> gradient) override {
      gradient[0] = w[0] - 1;
      return (w[0] - 1) * (w[0] - 1) / 2;
    }
    CurvatureRange curvature() override { return {.least = 1, .most = 1}; }
  };
  ThreadPool pool({1});
  std::vector<std::unique_ptr<Task<double>>> tasks;
  for (int t = 0; t < 3; ++t) tasks.push_back(std::make_unique<Plain>());
  const auto set = own_tasks<double>(std::move(tasks), pool);
  for (const bool reversible : {true, false}) {
    const auto mbar = reversible ? testing::csr_from({{1, 1, 0}, {1, 1, 0}, {0, 0, 2}})
                                 : testing::csr_from({{0, 2, 0}, {0, 0, 2}, {2, 0, 0}});
    const auto transfer =
        scalar_transfer<double>(transfer_from(mbar).mbar, Intercepts::transferred, pool);
    Matrix<double> weights(1, 3);
    weights(0, 0) = 5;
    const auto solve = [&] {
      return find_equilibrium<double>(*set, *transfer, weights,
                                      {.sigma = 0.5, .stopping = {.tolerance = 1e-9}}, pool);
    };
    if (!reversible) {
      EXPECT_THROW(solve(), Error);
      continue;
    }
    EXPECT_EQ(solve().stop, Stop::converged);
    for (const double w : weights.values()) EXPECT_NEAR(w, 1, 1e-8);
  }
}

}  // namespace
}  // namespace mugrad
