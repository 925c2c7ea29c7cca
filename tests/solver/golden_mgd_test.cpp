// SPDX-License-Identifier: MIT
// Trajectories computed by an independent program: tests/data/golden/mgd.json.
#include "support/golden.h"

#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>

#include <gtest/gtest.h>

namespace mugrad {
namespace {

using testing::binary_from;
using testing::golden;
using testing::largest_difference;
using testing::matrix_from;

/// A golden case with scalar transfer between linear tasks, ready to run.
struct GoldenCase {
  explicit GoldenCase(const nlohmann::json& json)
      : labels(binary_from(json["Y"])),
        tasks(linear_tasks<double>(
            matrix_from(json["X"]), {}, labels,
            {.loss = loss_named(json["loss"].get<std::string>()), .rho = json["rho"]}, pool)),
        matrix(label_transfer(labels, Similarity::cosine)),
        transfer(scalar_transfer<double>(
            matrix.mbar,
            json["transfer_intercept"].get<bool>() ? Intercepts::transferred : Intercepts::own,
            pool)),
        weights(matrix_from(json["W0"])) {}

  ThreadPool pool{Threads{1}};
  BinaryMatrix labels;
  std::unique_ptr<TaskSet<double>> tasks;
  TransferMatrix matrix;
  std::unique_ptr<Transfer<double>> transfer;
  Matrix<double> weights;
};

std::vector<nlohmann::json> scalar_cases() {
  std::vector<nlohmann::json> cases;
  const auto document = golden("mgd.json");
  for (const auto& json : document["cases"]) {
    if (json["transfer"] == "cosine") cases.push_back(json);
  }
  return cases;
}

TEST(GoldenMgd, HasFourScalarCases) { EXPECT_EQ(scalar_cases().size(), 4U); }

TEST(GoldenMgd, CosineTransferIsEquation15) {
  for (const auto& json : scalar_cases()) {
    const GoldenCase example(json);
    const auto expected = matrix_from(json["Mbar"]);
    Matrix<double> actual(expected.rows(), expected.cols());
    const auto& mbar = example.matrix.mbar;
    for (Index i = 0; i < mbar.rows(); ++i) {
      for (std::size_t k = 0; k < mbar.row_columns(i).size(); ++k) {
        actual(i, mbar.row_columns(i)[k]) = mbar.row_values(i)[k];
      }
    }
    EXPECT_LE(largest_difference(actual, expected), 1e-15);
  }
}

TEST(GoldenMgd, PlainIterationFollowsTheTrajectory) {
  for (const auto& json : scalar_cases()) {
    for (const auto& [iterations, expected] : json["W"].items()) {
      GoldenCase example(json);
      const auto report =
          run_mgd(*example.tasks, *example.transfer, example.weights,
                  {.sigma = json["sigma"],
                   .step = json["alpha"],
                   .stopping = {.tolerance = 0, .max_iterations = std::stol(iterations)}},
                  example.pool);
      EXPECT_EQ(report.iterations, std::stol(iterations));
      EXPECT_EQ(report.stop, Stop::iteration_limit);
      EXPECT_LE(largest_difference(example.weights, matrix_from(expected)), 1e-10)
          << "after " << iterations;
    }
  }
}

TEST(GoldenMgd, FindEquilibriumEndsAtTheSamePoint) {
  for (const auto& json : scalar_cases()) {
    GoldenCase example(json);
    const double sigma = json["sigma"];
    const auto report = find_equilibrium(
        *example.tasks, *example.transfer, example.weights,
        {.sigma = sigma, .stopping = {.tolerance = 1e-10, .max_iterations = 5000}}, example.pool);
    EXPECT_EQ(report.stop, Stop::converged);
    EXPECT_LE(report.residual, 1e-10 * report.first_residual);
    EXPECT_LE(largest_difference(example.weights, matrix_from(json["W"]["200000"])), 1e-6);
  }
}

TEST(GoldenMgd, FindEquilibriumTakesAFiftiethOfThePasses) {
  for (const auto& json : scalar_cases()) {
    GoldenCase fast(json);
    GoldenCase slow(json);
    const auto quick = find_equilibrium(
        *fast.tasks, *fast.transfer, fast.weights,
        {.sigma = json["sigma"], .stopping = {.tolerance = 1e-6, .max_iterations = 5000}},
        fast.pool);
    EXPECT_EQ(quick.stop, Stop::converged);
    const auto plain =
        run_mgd(*slow.tasks, *slow.transfer, slow.weights,
                {.sigma = json["sigma"],
                 .step = 0.02,
                 .stopping = {.tolerance = 1e-6, .max_iterations = 50 * quick.passes - 1}},
                slow.pool);
    EXPECT_EQ(plain.stop, Stop::iteration_limit) << quick.passes;
  }
}

TEST(GoldenMgd, CurvatureIsAnUpperBoundThatIsNearlyTight) {
  for (const auto& json : scalar_cases()) {
    const GoldenCase example(json);
    const double loss_curvature = json["loss"] == "logistic" ? 0.25 : 1;
    const double exact =
        loss_curvature * json["lambda_max_XtX_over_n"].get<double>() + json["rho"].get<double>();
    EXPECT_GE(example.tasks->curvature(), exact);
    EXPECT_LE(example.tasks->curvature(), 1.03 * exact);
  }
}

TEST(GoldenMgd, ElementwiseTransferFollowsTheTrajectory) {
  const auto document = golden("mgd.json");
  int cases = 0;
  for (const auto& json : document["cases"]) {
    if (json["transfer"] != "elementwise") continue;
    ++cases;
    TransferSlices slices;
    for (const auto& slice : json["Pbar"]) {
      slices.of_parameter.push_back(static_cast<int>(slices.matrices.size()));
      slices.matrices.push_back(testing::csr_from(slice));
    }
    for (const auto& [iterations, expected] : json["W"].items()) {
      ThreadPool pool({1});
      const BinaryMatrix labels = binary_from(json["Y"]);
      const auto tasks =
          linear_tasks<double>(matrix_from(json["X"]), {}, labels, {.rho = json["rho"]}, pool);
      const auto transfer = elementwise_transfer<double>(slices, pool);
      auto weights = matrix_from(json["W0"]);
      run_mgd(*tasks, *transfer, weights,
              {.sigma = json["sigma"],
               .step = json["alpha"],
               .stopping = {.tolerance = 0, .max_iterations = std::stol(iterations)}},
              pool);
      EXPECT_LE(largest_difference(weights, matrix_from(expected)), 1e-10)
          << "after " << iterations;
    }
  }
  EXPECT_EQ(cases, 1);
}

}  // namespace
}  // namespace mugrad
