// SPDX-License-Identifier: MIT
// Data that leave little to hold on to.
#include "solver/equilibrium_cases.h"

#include <mugrad/solver/solvers.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::Borrowing;
using testing::Case;
using testing::EquilibriumCase;

struct Outcome {
  SolveReport report;
  Matrix<double> weights;
};

Outcome solved(const EquilibriumCase& problem, double tolerance = 1e-6) {
  ThreadPool pool({1});
  const auto tasks = problem.tasks<double>(pool);
  const auto transfer = problem.transfer<double>(pool);
  Matrix<double> weights(problem.parameters(), problem.labels());
  const auto report =
      find_equilibrium(*tasks, *transfer, weights,
                       {.sigma = problem.setting().sigma,
                        .stopping = {.tolerance = tolerance, .max_iterations = 3000}},
                       pool);
  for (const double w : weights.values()) EXPECT_TRUE(std::isfinite(w));
  return {report, weights};
}

/// Solves the case every way, and expects the tolerance to be met at the weights returned.
void expect_solved(Case chosen) {
  for (const double sigma : {0.0, 0.1, 3.0}) {
    for (const auto borrowing : {Borrowing::cosine, Borrowing::given}) {
      for (const auto representation : {RepresentationKind::zscore, RepresentationKind::none}) {
        chosen.sigma = sigma;
        chosen.borrowing = borrowing;
        chosen.representation = representation;
        const EquilibriumCase problem(chosen);
        const auto [report, weights] = solved(problem);
        EXPECT_EQ(report.stop, Stop::converged) << to_string(report.stop) << ' ' << sigma;
        EXPECT_LE(problem.residual(weights), 1.001e-6 * report.first_residual);
      }
    }
  }
}

TEST(HardCases, SeparableLabelsWithHardlyARidge) {
  expect_solved({.shape = {.rows = 20, .features = 30, .labels = 5}, .options = {.rho = 1e-8}});
}

TEST(HardCases, MoreFeaturesThanExamplesWithoutARidge) {
  expect_solved({.shape = {.rows = 20, .features = 30, .labels = 5},
                 .options = {.loss = LossKind::squared, .rho = 0}});
  expect_solved({.shape = {.rows = 20, .features = 30, .labels = 5}, .options = {.rho = 0}});
}

TEST(HardCases, NothingGrowsInSinglePrecisionWhereOnlyRoundingPushes) {
  // Directions along which no feature varies, without a ridge: all tasks may move there together.
  for (const double sigma : {0.1, 3.0}) {
    const EquilibriumCase problem({.shape = {.rows = 20, .features = 30, .labels = 5},
                                   .options = {.loss = LossKind::squared, .rho = 0},
                                   .sigma = sigma});
    ThreadPool pool({1});
    const auto tasks = problem.tasks<float>(pool);
    const auto transfer = problem.transfer<float>(pool);
    Matrix<float> weights(31, 5);
    const auto report = find_equilibrium(*tasks, *transfer, weights,
                                         {.sigma = sigma, .stopping = {.tolerance = 1e-5}}, pool);
    EXPECT_EQ(report.stop, Stop::converged) << to_string(report.stop);
    for (const float w : weights.values()) EXPECT_LE(std::fabs(w), 2);
  }
}

TEST(HardCases, LabelsWithASinglePositive) {
  expect_solved({.shape = {.rows = 200, .features = 10, .labels = 5, .label_probability = 0},
                 .options = {.rho = 1e-3}});
}

TEST(HardCases, ConstantFeatures) {
  for (const double rho : {0.0, 0.1}) {
    expect_solved({.shape = {.rows = 30, .features = 3, .labels = 3, .feature_probability = 0},
                   .options = {.rho = rho}});
  }
}

TEST(HardCases, DuplicatedFeaturesShareTheirWeight) {
  auto data = testing::random_problem({.rows = 40, .features = 4, .labels = 3}, 2);
  Matrix<double> x = data.x.dense();
  for (Index i = 0; i < x.rows(); ++i) x(i, 3) = x(i, 1);
  data.x = x;
  ThreadPool pool({1});
  const auto matrix = label_transfer(data.y, Similarity::cosine);
  for (const double rho : {0.0, 0.1}) {
    const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.rho = rho}, pool);
    const auto transfer = scalar_transfer<double>(matrix.mbar, Intercepts::own, pool);
    Matrix<double> weights(5, 3);
    const auto report = find_equilibrium(*tasks, *transfer, weights,
                                         {.sigma = 0.1, .stopping = {.tolerance = 1e-8}}, pool);
    EXPECT_EQ(report.stop, Stop::converged);
    // Without a penalty nothing but symmetry makes them equal, and rounding may move them apart.
    const double tolerance = rho > 0 ? 1e-6 : 1e-4;
    for (Index t = 0; t < 3; ++t) EXPECT_NEAR(weights(2, t), weights(4, t), tolerance);
  }
}

TEST(HardCases, OneFeatureAndOneLabel) {
  expect_solved({.shape = {.rows = 30, .features = 1, .labels = 1}});
}

TEST(HardCases, NoFeatures) { expect_solved({.shape = {.rows = 30, .features = 0, .labels = 3}}); }

TEST(HardCases, OneExampleWhoseLabelsHaveNoMinimiser) {
  expect_solved({.shape = {.rows = 1, .features = 3, .labels = 2}});
}

TEST(HardCases, PositiveWeightsOfAllSizes) {
  expect_solved({.shape = {.rows = 100, .features = 30, .labels = 5},
                 .options = {.rho = 1e-3, .positive_weights = {1e4, 1e-4, 1, 100, 0.01}}});
}

TEST(HardCases, ASmoothedL1ThatIsSharp) {
  expect_solved({.shape = {.rows = 100, .features = 30, .labels = 5},
                 .options = {.rho = 1e-3, .l1 = 0.05, .l1_sharpness = 1000}});
}

}  // namespace
}  // namespace mugrad
