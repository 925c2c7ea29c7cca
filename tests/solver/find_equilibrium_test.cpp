// SPDX-License-Identifier: MIT
#include "method/multitask/signed_transfer.h"
#include "solver/equilibrium_cases.h"
#include "support/golden.h"

#include <mugrad/solver/solvers.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mugrad {
namespace {

using testing::Borrowing;
using testing::Case;
using testing::EquilibriumCase;
using testing::largest_difference;

template <class Real>
struct Solved {
  SolveReport report;
  Matrix<double> weights;
};

template <class Real>
Matrix<double> as_double(const Matrix<Real>& from) {
  Matrix<double> to(from.rows(), from.cols());
  std::ranges::transform(from.values(), to.values().begin(),
                         [](Real entry) { return static_cast<double>(entry); });
  return to;
}

template <class Real>
Solved<Real> solve(const EquilibriumCase& problem, double tolerance) {
  ThreadPool pool({1});
  const auto tasks = problem.tasks<Real>(pool);
  const auto transfer = problem.transfer<Real>(pool);
  Matrix<Real> weights(problem.parameters(), problem.labels());
  const auto report =
      find_equilibrium(*tasks, *transfer, weights,
                       {.sigma = problem.setting().sigma,
                        .stopping = {.tolerance = tolerance, .max_iterations = 2000}},
                       pool);
  return {report, as_double(weights)};
}

Matrix<double> plain_solution(const EquilibriumCase& problem) {
  ThreadPool pool({1});
  const auto tasks = problem.tasks<double>(pool);
  const auto transfer = problem.transfer<double>(pool);
  const double sigma = problem.setting().sigma;
  // Below every limit of equation (10) for so few tasks.
  const double step = 1.9 / (tasks->curvature() + 3.3 * sigma);
  Matrix<double> weights(problem.parameters(), problem.labels());
  const auto report = run_mgd(
      *tasks, *transfer, weights,
      {.sigma = sigma, .step = step, .stopping = {.tolerance = 1e-10, .max_iterations = 100000}},
      pool);
  EXPECT_EQ(report.stop, Stop::converged);
  return weights;
}

void expect_plain_equilibrium(const Case& chosen) {
  const EquilibriumCase problem(chosen);
  const auto expected = plain_solution(problem);
  const auto fine = solve<double>(problem, 1e-10);
  EXPECT_EQ(fine.report.stop, Stop::converged) << to_string(fine.report.stop);
  EXPECT_LE(largest_difference(fine.weights, expected), 1e-7);
  EXPECT_NEAR(fine.report.residual, problem.residual(fine.weights), 1e-13);
  EXPECT_LE(fine.report.residual, 1e-10 * fine.report.first_residual);
  const auto coarse = solve<float>(problem, 1e-5);
  EXPECT_EQ(coarse.report.stop, Stop::converged) << to_string(coarse.report.stop);
  EXPECT_LE(largest_difference(coarse.weights, expected), 2e-3);
}

TEST(FindEquilibrium, EndsWhereThePlainIterationDoesForEveryTransfer) {
  for (const auto borrowing : testing::kEveryBorrowing) {
    for (const double sigma : {0.1, 3.0}) {
      for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
        for (const auto loss : {LossKind::logistic, LossKind::squared}) {
          SCOPED_TRACE(static_cast<int>(borrowing));
          expect_plain_equilibrium({.options = {.loss = loss, .rho = 0.05},
                                    .sigma = sigma,
                                    .borrowing = borrowing,
                                    .intercepts = intercepts});
        }
      }
    }
  }
}

TEST(FindEquilibrium, EndsWhereThePlainIterationDoesForEveryObjective) {
  const std::vector<double> weights = {1, 2, 5, 0.5, 3};
  for (const auto borrowing : {Borrowing::cosine, Borrowing::strongest}) {
    for (const double sigma : {0.0, 0.1}) {
      for (const auto loss : {LossKind::logistic, LossKind::squared}) {
        for (const bool is_sparse : {false, true}) {
          for (const auto representation : {RepresentationKind::none, RepresentationKind::zscore}) {
            const Case plain{.options = {.loss = loss, .rho = 0.05},
                             .sigma = sigma,
                             .borrowing = borrowing,
                             .representation = representation,
                             .is_sparse = is_sparse};
            auto with_l1 = plain;
            with_l1.options.l1 = 0.01;
            with_l1.options.l1_sharpness = 20;
            auto weighted = plain;
            weighted.options.positive_weights = weights;
            auto unknown = plain;
            unknown.some_unknown = true;
            for (const auto& chosen : {plain, with_l1, weighted, unknown}) {
              expect_plain_equilibrium(chosen);
            }
          }
        }
      }
    }
  }
}

TEST(FindEquilibrium, TakesTransferWithSigns) {
  const EquilibriumCase problem({.shape = {.rows = 40, .features = 4, .labels = 3}});
  for (const bool is_symmetric : {true, false}) {
    ThreadPool pool({1});
    const auto tasks = problem.tasks<double>(pool);
    const auto c = testing::matrix_from(
        is_symmetric ? nlohmann::json{{0.5, -0.3, 0.1}, {-0.3, 0.4, 0.2}, {0.1, 0.2, 0.6}}
                     : nlohmann::json{{0.5, -0.3, 0.1}, {0.4, 0.4, -0.2}, {0.1, 0.2, 0.6}});
    SignedTransfer transfer(c, Intercepts::own, pool);
    EXPECT_EQ(transfer.reversing_weights().empty(), !is_symmetric);
    Matrix<double> expected(5, 3);
    Matrix<double> weights(5, 3);
    const double step = 1.9 / (tasks->curvature() + 2 * 0.5);
    const auto slow = run_mgd<double>(
        *tasks, transfer, expected,
        {.sigma = 0.5, .step = step, .stopping = {.tolerance = 1e-10, .max_iterations = 100000}},
        pool);
    const auto fast = find_equilibrium<double>(
        *tasks, transfer, weights, {.sigma = 0.5, .stopping = {.tolerance = 1e-10}}, pool);
    EXPECT_EQ(slow.stop, Stop::converged);
    EXPECT_EQ(fast.stop, Stop::converged);
    EXPECT_LE(largest_difference(weights, expected), 1e-7);
  }
}

Case random_case() {
  Case chosen;
  chosen.shape = {.rows = *rc::gen::inRange<Index>(2, 40),
                  .features = *rc::gen::inRange<Index>(1, 10),
                  .labels = *rc::gen::inRange<Index>(1, 8),
                  .label_probability = *rc::gen::element(0.05, 0.3, 0.6)};
  chosen.seed = *rc::gen::arbitrary<std::uint32_t>();
  chosen.options.loss = *rc::gen::element(LossKind::logistic, LossKind::squared);
  chosen.options.rho = *rc::gen::element(1e-4, 1e-2, 1.0);
  chosen.options.l1 = *rc::gen::element(0.0, 0.0, 0.02);
  chosen.sigma = *rc::gen::element(0.0, 0.1, 3.0, 30.0);
  chosen.borrowing = *rc::gen::elementOf(std::vector<Borrowing>(
      std::begin(testing::kEveryBorrowing), std::end(testing::kEveryBorrowing)));
  // Elementwise transfer may have no equilibrium beyond equation (10).
  if (chosen.borrowing == Borrowing::slices) chosen.sigma = chosen.options.rho;
  chosen.intercepts = *rc::gen::element(Intercepts::own, Intercepts::transferred);
  chosen.representation = *rc::gen::element(RepresentationKind::none, RepresentationKind::zscore,
                                            RepresentationKind::unit_row);
  chosen.is_sparse = *rc::gen::arbitrary<bool>();
  chosen.some_unknown = *rc::gen::arbitrary<bool>();
  return chosen;
}

std::string described(const EquilibriumCase& problem, const SolveReport& report) {
  const auto& chosen = problem.setting();
  return fmt::format(
      "{} loss, borrowing {}, {} intercepts, {}: {} after {} iterations, {} passes, {} of {}",
      to_string(chosen.options.loss), static_cast<int>(chosen.borrowing),
      chosen.intercepts == Intercepts::own ? "own" : "transferred",
      to_string(chosen.representation), to_string(report.stop), report.iterations, report.passes,
      report.residual, report.first_residual);
}

TEST(FindEquilibrium, ConvergesOnRandomProblemsToTheResidualItReports) {
  EXPECT_TRUE(rc::check([] {
    const EquilibriumCase problem(random_case());
    const auto solved = solve<double>(problem, 1e-6);
    RC_LOG(described(problem, solved.report));
    RC_ASSERT(solved.report.stop == Stop::converged);
    RC_ASSERT(solved.report.residual <= 1e-6 * solved.report.first_residual);
    const double start = problem.residual(Matrix<double>(problem.parameters(), problem.labels()));
    RC_ASSERT(std::fabs(solved.report.first_residual - start) <= 1e-14 + 1e-12 * start);
    RC_ASSERT(std::fabs(solved.report.residual - problem.residual(solved.weights)) <=
              1e-14 + 1e-11 * start);
  }));
}

}  // namespace
}  // namespace mugrad
