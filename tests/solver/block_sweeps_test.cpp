// SPDX-License-Identifier: MIT
#include "solver/block_sweeps.h"

#include "support/random_problem.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/find_equilibrium.h>
#include <mugrad/transfer/transfer.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::random_problem;

/// Logistic tasks under some transfer, to be solved in blocks and all together.
class Problem {
 public:
  Problem(Similarity similarity, std::optional<Index> top, Intercepts intercepts)
      : data_(random_problem({.rows = 80, .features = 6, .labels = 11}, 5)),
        tasks_(linear_tasks<double>(data_.x, {}, data_.y, {.rho = 0.05}, pool_)),
        transfer_(scalar_transfer<double>(label_transfer(data_.y, similarity, top).mbar, intercepts,
                                          pool_)) {}

  SolveReport in_blocks(Index block, double sigma, const Stopping& stopping,
                        Observer* observer = nullptr) {
    weights_ = start();
    return run_block_sweeps<double>(*tasks_, *transfer_, sigma, block, weights_, stopping, observer,
                                    pool_);
  }
  SolveReport together(double sigma, const Stopping& stopping) {
    weights_ = start();
    return find_equilibrium<double>(*tasks_, *transfer_, sigma, weights_, stopping, nullptr, pool_);
  }
  const Matrix<double>& weights() const { return weights_; }
  Matrix<double> start() const { return Matrix<double>(7, 11, 0.25); }

  /// max_i |F_i|, computed plainly.
  double residual(double sigma) {
    Matrix<double> field(7, 11);
    Matrix<double> pulled(7, 11);
    tasks_->gradient({}, weights_, field, {});
    transfer_->pull(weights_, pulled);
    double largest = 0;
    for (Index i = 0; i < 11; ++i) {
      double squared = 0;
      for (Index k = 0; k < 7; ++k) {
        squared += std::pow(field(k, i) + sigma * (weights_(k, i) - pulled(k, i)), 2);
      }
      largest = std::max(largest, std::sqrt(squared));
    }
    return largest;
  }

 private:
  ThreadPool pool_{Threads{2}};
  Dataset data_;
  std::unique_ptr<TaskSet<double>> tasks_;
  std::unique_ptr<Transfer<double>> transfer_;
  Matrix<double> weights_;
};

TEST(BlockSweeps, EndAtTheEquilibriumThatAllFindTogether) {
  constexpr Stopping kTight{.tolerance = 1e-9};
  for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
    for (const auto top : {std::optional<Index>{}, std::optional<Index>{2}}) {
      for (const double sigma : {0.0, 0.1, 2.0}) {
        Problem problem(Similarity::cosine, top, intercepts);
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
  Problem problem(Similarity::cosine, {}, Intercepts::own);
  const auto blocks = problem.in_blocks(3, 0.5, {.tolerance = 1e-3});
  const auto all = problem.together(0.5, {.tolerance = 1e-3});
  EXPECT_NEAR(blocks.first_residual, all.first_residual, 1e-12);
}

TEST(BlockSweeps, LimitOfSweepsIsReportedWithTheResidualReached) {
  Problem problem(Similarity::cosine, {}, Intercepts::own);
  const auto report = problem.in_blocks(2, 2, {.tolerance = 1e-9, .max_iterations = 2});
  EXPECT_EQ(report.stop, Stop::iteration_limit);
  EXPECT_GT(report.residual, 1e-9 * report.first_residual);
}

TEST(BlockSweeps, ObserverStopsThemWithinASweep) {
  struct Impatient final : Observer {
    bool observe(const IterationState&) override { return true; }
    bool observe_within(double share) override { return share < 0.5; }
  } observer;
  Problem problem(Similarity::cosine, {}, Intercepts::own);
  EXPECT_EQ(problem.in_blocks(2, 1, {}, &observer).stop, Stop::interrupted);
}

TEST(BlockSweeps, TraceHasTheLossOfAllTasks) {
  Problem problem(Similarity::cosine, {}, Intercepts::own);
  Trace trace;
  problem.in_blocks(4, 0.1, {.tolerance = 1e-6}, &trace);
  ASSERT_GE(trace.states().size(), 2U);
  EXPECT_LT(trace.states().back().total_loss, trace.states().front().total_loss);
  EXPECT_LE(trace.states().back().residual, 1e-6 * trace.states().front().residual);
}

}  // namespace
}  // namespace mugrad
