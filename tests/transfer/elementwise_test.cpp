// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/quadratic_tasks.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/transfer/transfer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using testing::csr_from;
using ::testing::HasSubstr;
using testing::largest_difference;
using testing::QuadraticTasks;
using testing::random_problem;
using testing::random_weights;
using ::testing::ThrowsMessage;

TEST(ElementwiseTransfer, EachParameterFollowsItsOwnMatrix) {
  const auto swap = csr_from({{0, 1}, {1, 0}});
  const auto mean = csr_from({{0.5, 0.5}, {0.5, 0.5}});
  ThreadPool pool({2});
  const auto transfer = elementwise_transfer<double>(
      {.matrices = {swap, mean}, .of_parameter = {1, TransferSlices::kOwn, 0}, .of_the_rest = 1},
      pool);
  const auto w = random_weights(5, 2, 1);
  Matrix<double> borrowed(5, 2);
  transfer->apply(w, borrowed);
  for (const Index k : {0, 3, 4}) {
    EXPECT_DOUBLE_EQ(borrowed(k, 0), (w(k, 0) + w(k, 1)) / 2);
    EXPECT_DOUBLE_EQ(borrowed(k, 1), (w(k, 0) + w(k, 1)) / 2);
  }
  EXPECT_EQ(borrowed(1, 0), w(1, 0));
  EXPECT_EQ(borrowed(1, 1), w(1, 1));
  EXPECT_EQ(borrowed(2, 0), w(2, 1));
  EXPECT_EQ(borrowed(2, 1), w(2, 0));
}

TEST(ElementwiseTransfer, RefusesSlicesThatAreNotStochasticOrNotThere) {
  ThreadPool pool({1});
  const auto identity = csr_from({{1, 0}, {0, 1}});
  EXPECT_THAT(([&] {
                elementwise_transfer<double>(
                    {.matrices = {identity, csr_from({{1, 0}, {0.5, 0.4}})}}, pool);
              }),
              ThrowsMessage<UsageError>(HasSubstr("slice 2: row 2 of the transfer sums to 0.9")));
  EXPECT_THAT(
      ([&] { elementwise_transfer<double>({.matrices = {identity}, .of_parameter = {3}}, pool); }),
      ThrowsMessage<UsageError>(HasSubstr("uses slice 3, but there are 1")));
}

TEST(LowRankCosineTransfer, EqualsTheMatrixWithoutFormingIt) {
  for (const double probability : {0.3, 0.02}) {
    auto y = random_problem(
                 {.rows = 80, .features = 2, .labels = 30, .label_probability = probability}, 5)
                 .y;
    y.cols = 31;  // the last label has no positives
    const auto mbar = label_transfer(y, Similarity::cosine).mbar;
    const auto weights = random_weights(140, 31, 2);
    for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
      for (const int threads : {1, 3}) {
        ThreadPool pool({threads});
        Matrix<double> expected(140, 31);
        Matrix<double> actual(140, 31);
        scalar_transfer<double>(mbar, intercepts, pool)->apply(weights, expected);
        low_rank_cosine_transfer<double>(y, intercepts, pool)->apply(weights, actual);
        EXPECT_LE(largest_difference(actual, expected), 1e-13);
      }
    }
  }
}

TEST(LowRankCosineTransfer, TakesManyParametersInParts) {
  auto y = random_problem({.rows = 40, .features = 2, .labels = 9, .label_probability = 0.2}, 5).y;
  const auto mbar = label_transfer(y, Similarity::cosine).mbar;
  ThreadPool pool({2});
  for (const Index parameters : {1024, 1025, 1026, 2500}) {
    const auto weights = random_weights(parameters, 9, 2);
    for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
      const auto low_rank = low_rank_cosine_transfer<double>(y, intercepts, pool);
      Matrix<double> expected(parameters, 9);
      scalar_transfer<double>(mbar, intercepts, pool)->apply(weights, expected);
      for (int again = 0; again < 2; ++again) {
        Matrix<double> actual(parameters, 9);
        low_rank->apply(weights, actual);
        EXPECT_LE(largest_difference(actual, expected), 1e-13) << parameters;
      }
    }
  }
}

TEST(LowRankCosineTransfer, PaysWherePairsOutnumberExamples) {
  const auto few =
      random_problem({.rows = 30, .features = 2, .labels = 400, .label_probability = 0.05}, 5).y;
  const auto many =
      random_problem({.rows = 3000, .features = 2, .labels = 40, .label_probability = 0.05}, 5).y;
  EXPECT_TRUE(low_rank_pays(few, label_transfer(few, Similarity::cosine).mbar));
  EXPECT_FALSE(low_rank_pays(many, label_transfer(many, Similarity::cosine).mbar));
}

TEST(ScheduledTransfer, AlternatingTransferMayCycleForEver) {
  // Two tasks (w - c)^2 / 2 with c = 0 and 1, sigma 1, step 0.3, swapping at every other step: the
  // iterates settle on a cycle of two, not on a point.
  QuadraticTasks tasks({{1}, {1}}, {{0}, {1}});
  ThreadPool pool({1});
  const auto own =
      scalar_transfer<double>(csr_from({{1, 0}, {0, 1}}), Intercepts::transferred, pool);
  const auto swap =
      scalar_transfer<double>(csr_from({{0, 1}, {1, 0}}), Intercepts::transferred, pool);
  const auto run = [&](Index iterations) {
    const auto schedule = scheduled_transfer<double>(
        2, [&](Index t) -> Transfer<double>& { return t % 2 == 0 ? *own : *swap; });
    Matrix<double> w(1, 2);
    run_mgd(tasks, *schedule, w,
            {.sigma = 1.0, .step = 0.3, .stopping = {.tolerance = 0, .max_iterations = iterations}},
            pool);
    return w;
  };
  for (const Index iterations : {1000, 2000}) {
    EXPECT_NEAR(run(iterations)(0, 0), 0.3226, 1e-4);
    EXPECT_NEAR(run(iterations)(0, 1), 0.6774, 1e-4);
    EXPECT_NEAR(run(iterations + 1)(0, 0), 0.2258, 1e-4);
    EXPECT_NEAR(run(iterations + 1)(0, 1), 0.7742, 1e-4);
  }
}

}  // namespace
}  // namespace mugrad
