// SPDX-License-Identifier: MIT
#include "solver/equilibrium_solvers.h"
#include "support/golden.h"
#include "support/quadratic_tasks.h"
#include "support/random_problem.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/transfer/transfer.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

using testing::QuadraticTasks;
using testing::random_problem;

/// max_i |F_i|, computed plainly.
template <class Real>
double plain_residual(TaskSet<Real>& tasks, Transfer<Real>& transfer, double sigma,
                      const Matrix<Real>& weights) {
  Matrix<Real> field(weights.rows(), weights.cols());
  Matrix<Real> borrowed(weights.rows(), weights.cols());
  tasks.gradient({}, weights, field, {});
  transfer.apply(weights, borrowed);
  double largest = 0;
  for (Index i = 0; i < weights.cols(); ++i) {
    double squared = 0;
    for (Index k = 0; k < weights.rows(); ++k) {
      const double away = static_cast<double>(weights(k, i)) - static_cast<double>(borrowed(k, i));
      squared += std::pow(static_cast<double>(field(k, i)) + sigma * away, 2);
    }
    largest = std::max(largest, std::sqrt(squared));
  }
  return largest;
}

/// Logistic tasks under some transfer, to be solved in blocks and all together.
template <class Real = double>
class Problem {
 public:
  Problem(Similarity similarity, std::optional<Index> top, Intercepts intercepts, int threads = 2)
      : pool_(Threads{threads}),
        data_(random_problem({.rows = 80, .features = 6, .labels = 11}, 5)),
        tasks_(linear_tasks<Real>(data_.x, {}, data_.y, {.rho = 0.05}, pool_)),
        transfer_(scalar_transfer<Real>(label_transfer(data_.y, similarity, top).mbar, intercepts,
                                        pool_)) {}

  SolveReport in_blocks(Index block, double sigma, const Stopping& stopping,
                        Progress* progress = nullptr) {
    weights_ = start();
    return run_block_sweeps<Real>(*tasks_, *transfer_, sigma, block, weights_, stopping, progress,
                                  pool_);
  }
  SolveReport together(double sigma, const Stopping& stopping) {
    weights_ = start();
    return find_equilibrium<Real>(*tasks_, *transfer_, weights_,
                                  {.sigma = sigma, .stopping = stopping}, pool_);
  }
  const Matrix<Real>& weights() const { return weights_; }
  Matrix<Real> start() const { return Matrix<Real>(7, 11, Real{0.25}); }

  double residual(double sigma) { return plain_residual(*tasks_, *transfer_, sigma, weights_); }
  double total_loss() {
    std::vector<double> values(11);
    Matrix<Real> gradient(7, 11);
    tasks_->gradient({}, weights_, gradient, {.values = values});
    return std::accumulate(values.begin(), values.end(), 0.0);
  }

 private:
  ThreadPool pool_;
  Dataset data_;
  std::unique_ptr<TaskSet<Real>> tasks_;
  std::unique_ptr<Transfer<Real>> transfer_;
  Matrix<Real> weights_;
};

TEST(BlockSweeps, EndAtTheEquilibriumThatAllFindTogether) {
  constexpr Stopping kTight{.tolerance = 1e-9};
  for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
    for (const auto top : {std::optional<Index>{}, std::optional<Index>{2}}) {
      for (const double sigma : {0.0, 0.1, 2.0}) {
        Problem<> problem(Similarity::cosine, top, intercepts);
        ASSERT_EQ(problem.together(sigma, kTight).stop, Stop::converged);
        const auto expected = problem.weights();
        for (const Index block : {1, 4, 10}) {
          const auto report = problem.in_blocks(block, sigma, kTight);
          EXPECT_EQ(report.stop, Stop::converged);
          for (std::size_t k = 0; k < expected.values().size(); ++k) {
            EXPECT_NEAR(problem.weights().values()[k], expected.values()[k], 1e-6);
          }
          EXPECT_NEAR(problem.residual(sigma), report.residual, 1e-10);
          EXPECT_LE(report.residual, 1e-9 * report.first_residual);
        }
      }
    }
  }
}

TEST(BlockSweeps, FirstResidualIsThatOfTheStart) {
  Problem<> problem(Similarity::cosine, {}, Intercepts::own);
  const auto blocks = problem.in_blocks(3, 0.5, {.tolerance = 1e-3});
  const auto all = problem.together(0.5, {.tolerance = 1e-3});
  EXPECT_NEAR(blocks.first_residual, all.first_residual, 1e-12);
}

/// Tasks that count the gradients of each.
class CountedTasks final : public TaskSet<double> {
 public:
  explicit CountedTasks(TaskSet<double>& tasks)
      : tasks_(tasks), gradients(static_cast<std::size_t>(tasks.tasks()), 0) {}
  Index tasks() const override { return tasks_.tasks(); }
  Index parameters() const override { return tasks_.parameters(); }
  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures& measures) override {
    for (Index t = 0; t < weights.cols(); ++t) {
      ++gradients[static_cast<std::size_t>(task_of(which, t))];
    }
    tasks_.gradient(which, weights, gradient, measures);
  }
  void hessian_product(std::span<const Index> which, const Matrix<double>& weights,
                       const Matrix<double>& direction, Matrix<double>& product) override {
    tasks_.hessian_product(which, weights, direction, product);
  }
  std::vector<CurvatureRange> curvatures() override { return tasks_.curvatures(); }
  const SharedCurvature<double>* shared_curvature() override { return tasks_.shared_curvature(); }

 private:
  TaskSet<double>& tasks_;

 public:
  std::vector<Index> gradients;  ///< of each task
};

TEST(BlockSweeps, NoTaskTakesMoreIterationsThanAllowedInHoweverManyBlocks) {
  ThreadPool pool({1});
  const auto data = random_problem({.rows = 80, .features = 6, .labels = 11}, 5);
  const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.rho = 1e-6}, pool);
  const auto transfer = scalar_transfer<double>(label_transfer(data.y, Similarity::cosine, {}).mbar,
                                                Intercepts::own, pool);
  for (const double sigma : {0.0, 0.01, 1.0}) {
    for (const Index block : {1, 4, 10}) {
      for (const Index most : {1, 2, 3, 5, 8, 13}) {
        CountedTasks counted(*tasks);
        Matrix<double> weights(7, 11);
        const auto report =
            run_block_sweeps<double>(counted, *transfer, sigma, block, weights,
                                     {.tolerance = 1e-12, .max_iterations = most}, nullptr, pool);
        EXPECT_TRUE(report.stop == Stop::iteration_limit || most >= 8);
        EXPECT_LE(report.iterations, most);
        // One where the run starts and one where it ends, and in a sweep one where the task starts;
        // every sweep counts for an iteration at least.
        for (const Index gradients : counted.gradients) EXPECT_LE(gradients, 2 * most + 2);
      }
    }
  }
}

TEST(BlockSweeps, LimitOfIterationsIsReportedWithTheResidualReached) {
  Problem<> problem(Similarity::cosine, {}, Intercepts::own);
  const auto report = problem.in_blocks(2, 2, {.tolerance = 1e-9, .max_iterations = 2});
  EXPECT_EQ(report.stop, Stop::iteration_limit);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_GT(report.residual, 1e-9 * report.first_residual);
  EXPECT_NEAR(problem.residual(2), report.residual, 1e-12);
}

TEST(BlockSweeps, NeverTakeMoreIterationsThanAllowed) {
  Problem<> problem(Similarity::cosine, {}, Intercepts::own);
  for (const Index most : {0, 1, 2, 3, 4, 6, 8}) {
    const auto report = problem.in_blocks(2, 1, {.tolerance = 1e-2, .max_iterations = most});
    EXPECT_LE(report.iterations, most);
    EXPECT_NEAR(problem.residual(1), report.residual, 1e-12);
    const bool is_within = report.residual <= 1e-2 * report.first_residual;
    EXPECT_EQ(report.stop, is_within ? Stop::converged : Stop::iteration_limit);
  }
}

TEST(BlockSweeps, StallWithTheResidualOfTheWeightsReturned) {
  for (const double sigma : {0.0, 0.5}) {
    Problem<float> problem(Similarity::cosine, {}, Intercepts::own);
    const auto report = problem.in_blocks(3, sigma, {.tolerance = 1e-12});
    EXPECT_EQ(report.stop, Stop::stalled);
    EXPECT_LE(report.residual, 1e-5 * report.first_residual);
    EXPECT_NEAR(problem.residual(sigma), report.residual, 1e-6 * report.first_residual);
  }
}

TEST(BlockSweeps, LosePatienceByTheFirstResidualWhateverItsUnits) {
  auto data = random_problem({.rows = 60, .features = 4, .labels = 3}, 2);
  Matrix<double> x = data.x.dense();
  for (double& entry : x.values()) entry *= 1e4;
  data.x = x;
  ThreadPool pool({1});
  const auto tasks =
      linear_tasks<float>(data.x, {}, data.y, {.loss = LossKind::squared, .rho = 0.05}, pool);
  const auto transfer = scalar_transfer<float>(label_transfer(data.y, Similarity::cosine).mbar,
                                               Intercepts::own, pool);
  Matrix<float> weights(5, 3, 0.25F);
  const auto report = run_block_sweeps<float>(*tasks, *transfer, 0, 3, weights,
                                              {.tolerance = 1e-12}, nullptr, pool);
  EXPECT_EQ(report.stop, Stop::stalled);
  EXPECT_LE(report.passes, 500);
}

TEST(BlockSweeps, InSinglePrecisionReachTheToleranceAtTheWeightsReturned) {
  for (const double sigma : {0.0, 0.1, 2.0}) {
    Problem<float> problem(Similarity::cosine, 3, Intercepts::own);
    const auto report = problem.in_blocks(4, sigma, {.tolerance = 1e-4});
    EXPECT_EQ(report.stop, Stop::converged);
    EXPECT_LE(report.residual, 1e-4 * report.first_residual);
    EXPECT_NEAR(problem.residual(sigma), report.residual, 1e-6 * report.first_residual);
  }
}

template <class Real>
void expect_same_bytes(double sigma) {
  Problem<Real> one(Similarity::cosine, {}, Intercepts::own, 1);
  const auto expected = one.in_blocks(4, sigma, {.tolerance = 1e-4});
  for (const int threads : {2, 4}) {
    Problem<Real> many(Similarity::cosine, {}, Intercepts::own, threads);
    const auto report = many.in_blocks(4, sigma, {.tolerance = 1e-4});
    EXPECT_EQ(many.weights(), one.weights());
    EXPECT_EQ(report.residual, expected.residual);
    EXPECT_EQ(report.passes, expected.passes);
  }
}

TEST(BlockSweeps, GiveTheSameBytesWithAnyNumberOfThreads) {
  for (const double sigma : {0.0, 0.5}) {
    expect_same_bytes<float>(sigma);
    expect_same_bytes<double>(sigma);
  }
}

TEST(BlockSweeps, SolveMoreTasksThanAreCoupled) {
  constexpr double kSigma = 0.3;
  const auto data = random_problem({.rows = 40, .features = 2, .labels = 1600}, 7);
  ThreadPool pool({2});
  const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.rho = 0.05}, pool);
  const auto transfer = scalar_transfer<double>(label_transfer(data.y, Similarity::cosine, 3).mbar,
                                                Intercepts::own, pool);
  Matrix<double> weights(3, 1600);
  struct Within final : Progress {  // nothing but sweeps updates more often than it has iterates
    bool update(double) override {
      ++calls;
      return true;
    }
    void iterate(const Iterate&) override { --calls; }
    int calls = 0;
  } progress;
  const auto report = find_equilibrium(
      *tasks, *transfer, weights,
      {.sigma = kSigma, .stopping = {.tolerance = 1e-6}, .progress = &progress}, pool);
  EXPECT_GT(progress.calls, 0);
  EXPECT_EQ(report.stop, Stop::converged);
  EXPECT_LE(report.residual, 1e-6 * report.first_residual);
  EXPECT_NEAR(plain_residual(*tasks, *transfer, kSigma, weights), report.residual, 1e-12);
}

CsrMatrix<double> every_task_alone(Index tasks) {
  CsrMatrix<double> mbar;
  mbar.cols = tasks;
  for (Index i = 0; i < tasks; ++i) {
    mbar.column.push_back(static_cast<LabelId>(i));
    mbar.value.push_back(1);
    mbar.end_row();
  }
  return mbar;
}

TEST(BlockSweeps, EndDivergedWhereOneTaskHasNoFiniteGradient) {
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  QuadraticTasks tasks({{1}, {1}, {1}}, {{1}, {kNothing}, {2}});
  ThreadPool pool({1});
  const auto transfer = scalar_transfer<double>(every_task_alone(3), Intercepts::transferred, pool);
  Matrix<double> weights(1, 3);
  const auto report = run_block_sweeps<double>(tasks, *transfer, 0, 1, weights, {}, nullptr, pool);
  EXPECT_EQ(report.stop, Stop::diverged);
  EXPECT_FALSE(std::isfinite(report.residual));
}

/// Two tasks in one parameter each: the first falls ever more steeply, and has no minimum.
class Cliff final : public TaskSet<double> {
 public:
  Index tasks() const override { return 2; }
  Index parameters() const override { return 1; }
  void gradient(std::span<const Index> which, const Matrix<double>& weights,
                Matrix<double>& gradient, const TaskMeasures&) override {
    for (Index t = 0; t < weights.cols(); ++t) {
      const double w = weights(0, t);
      gradient(0, t) = task_of(which, t) == 0 ? -std::exp(20 * w) : w - 1;
    }
  }
  void hessian_product(std::span<const Index>, const Matrix<double>&, const Matrix<double>&,
                       Matrix<double>&) override {}
  std::vector<CurvatureRange> curvatures() override { return {{.most = 1}, {.most = 1}}; }
};

TEST(BlockSweeps, EndWithTheBlockThatDiverges) {
  Cliff tasks;
  ThreadPool pool({1});
  const auto transfer = scalar_transfer<double>(every_task_alone(2), Intercepts::transferred, pool);
  Matrix<double> weights(1, 2);
  const auto report = run_block_sweeps<double>(tasks, *transfer, 0, 1, weights, {}, nullptr, pool);
  EXPECT_EQ(report.stop, Stop::diverged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(weights(0, 1), 0);  // the other task was not asked any more
}

TEST(BlockSweeps, ProgressStopsThemWithinASweep) {
  struct Impatient final : Progress {
    bool update(double) override { return ++calls < 3; }
    int calls = 0;
  } progress;
  Problem<> problem(Similarity::cosine, {}, Intercepts::own);
  const auto report = problem.in_blocks(2, 1, {}, &progress);
  EXPECT_EQ(report.stop, Stop::interrupted);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_TRUE(std::isinf(report.residual));  // not all tasks were looked at
}

TEST(BlockSweeps, TraceHasTheLossOfAllTasks) {
  Problem<> problem(Similarity::cosine, {}, Intercepts::own);
  Trace trace;
  problem.in_blocks(4, 0.1, {.tolerance = 1e-6}, &trace);
  ASSERT_GE(trace.iterates().size(), 2U);
  EXPECT_LT(trace.iterates().back().total_loss, trace.iterates().front().total_loss);
  EXPECT_LE(trace.iterates().back().residual, 1e-6 * trace.iterates().front().residual);
  EXPECT_NEAR(trace.iterates().back().total_loss, problem.total_loss(), 1e-12);
}

}  // namespace
}  // namespace mugrad
