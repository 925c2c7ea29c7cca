// SPDX-License-Identifier: MIT
#include "support/quadratic_tasks.h"

#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

using testing::QuadraticTasks;

TransferMatrix swap_of_two() {
  TransferMatrix transfer;
  transfer.mbar.cols = 2;
  for (const LabelId other : {1, 0}) {
    transfer.mbar.column.push_back(other);
    transfer.mbar.value.push_back(1);
    transfer.mbar.end_row();
  }
  return transfer;
}

TEST(StepLimit, IsTheoremOne) {
  EXPECT_DOUBLE_EQ(theory::step_limit(4, 0.5), 0.4);
  EXPECT_DOUBLE_EQ(theory::step_limit(4, 0), 0.5);
}

TEST(StepLimit, IntrinsicFormKnowsTheDiagonal) {
  EXPECT_DOUBLE_EQ(theory::step_limit_intrinsic(4, 0.5, 0), theory::step_limit(4, 0.5));
  EXPECT_DOUBLE_EQ(theory::step_limit_intrinsic(4, 0.5, 1), 0.5);
}

TEST(StepLimit, ReversibleTransferAllowsMore) {
  const BinaryMatrix y{.cols = 2, .row_start = {0, 2, 3, 4}, .column = {0, 1, 0, 1}};
  const auto transfer = label_transfer(y, Similarity::cosine);
  EXPECT_DOUBLE_EQ(theory::step_limit_reversible(4, 0.5, 1), 2 / 4.5);
  // Here mbar_ii = 2/3, and the intrinsic form is the sharper one.
  EXPECT_DOUBLE_EQ(theory::largest_safe_step(4, 0.5, transfer), 2 / (4 + 1.0 / 3));
  EXPECT_DOUBLE_EQ(theory::largest_safe_step(4, 0.5, transfer, Intercepts::own), 2 / (4 + 1.0 / 3));
  EXPECT_DOUBLE_EQ(theory::largest_safe_step(4, 0.5, swap_of_two()), 0.4);
}

/// Two tasks L/2 |w|^2 that copy each other: the worst case of Theorem 1.
Stop stop_of_swapped_tasks(double step) {
  constexpr double kCurvature = 4;
  QuadraticTasks tasks({{kCurvature}, {kCurvature}}, {{0}, {0}});
  ThreadPool pool({1});
  const auto transfer = scalar_transfer<double>(swap_of_two().mbar, Intercepts::transferred, pool);
  Matrix<double> weights(1, 2);
  weights(0, 0) = 1;
  weights(0, 1) = -1;
  return run_mgd(
             tasks, *transfer, weights,
             {.sigma = 0.5, .step = step, .stopping = {.tolerance = 1e-6, .max_iterations = 20000}},
             pool)
      .stop;
}

TEST(StepLimit, TheoremOneIsTight) {
  const double limit = theory::step_limit(4, 0.5);
  EXPECT_EQ(stop_of_swapped_tasks(0.99 * limit), Stop::converged);
  EXPECT_EQ(stop_of_swapped_tasks(limit), Stop::iteration_limit);
  EXPECT_EQ(stop_of_swapped_tasks(1.01 * limit), Stop::diverged);
}

}  // namespace
}  // namespace mugrad
