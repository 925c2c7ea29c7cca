// SPDX-License-Identifier: MIT
#include "support/full_quadratic_tasks.h"
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/core/random.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

namespace mugrad {
namespace {

using testing::csr_from;
using testing::FullQuadraticTasks;
using theory::certify;
using theory::facts_of;

/// Two tasks over two parameters; each takes one of its parameters from the other task.
TransferSlices crossed_slices() {
  return {.matrices = {csr_from({{0, 1}, {0, 1}}), csr_from({{1, 0}, {1, 0}})},
          .of_parameter = {0, 1}};
}

/// The tasks of the counter-example: well conditioned to look at, badly aligned with the transfer.
FullQuadraticTasks crossed_tasks() {
  Matrix<double> first(2, 2);
  Matrix<double> second(2, 2);
  first(0, 0) = second(1, 1) = 0.9;
  first(1, 1) = second(0, 0) = 0.1;
  first(0, 1) = first(1, 0) = second(0, 1) = second(1, 0) = 0.29;
  const double radius = std::hypot(0.4, 0.29);
  const CurvatureRange range{.least = 0.5 - radius, .most = 0.5 + radius};
  return {{first, second}, {{1, 0}, {0, 1}}, {range, range}};
}

TEST(CorollaryOne, AsPrintedItIsFalse) {
  auto tasks = crossed_tasks();
  const double largest = tasks.curvatures()[0].most;
  constexpr double kSigma = 0.5;
  // The printed conditions, T = 2: sigma < L / (T - 1), alpha < 2 / ((T + 1) sigma + L).
  ASSERT_LT(kSigma, largest);
  const double alpha = 0.9 * 2 / (3 * kSigma + largest);
  ThreadPool pool({1});
  const auto transfer = elementwise_transfer<double>(crossed_slices(), pool);
  for (const double step : {alpha, alpha / 10, alpha / 100}) {
    auto weights = testing::random_weights(2, 2, 3, 1);
    const auto report = run_mgd(
        tasks, *transfer, weights,
        {.sigma = kSigma, .step = step, .stopping = {.tolerance = 1e-6, .max_iterations = 1000000}},
        pool);
    EXPECT_EQ(report.stop, Stop::diverged) << step;
  }
}

TEST(CorollaryOne, OurCertificateRefusesTheCounterExample) {
  auto tasks = crossed_tasks();
  const auto facts = facts_of(crossed_slices(), 2);
  EXPECT_NEAR(facts.stretch, std::numbers::sqrt2, 1e-12);
  EXPECT_FALSE(facts.shares_stationary);
  const auto certificate = certify(tasks.curvatures(), 0.5, facts);
  EXPECT_EQ(certificate.safe_step, 0);
  EXPECT_THAT(certificate.statements,
              ::testing::Contains(::testing::HasSubstr("no step is proven safe")));
  // Below xi / (sqrt(s) - 1) it is certified, and converges.
  const double sigma = 0.9 * tasks.curvatures()[0].least / (facts.stretch - 1);
  const auto small = certify(tasks.curvatures(), sigma, facts);
  EXPECT_GT(small.safe_step, 0);
  ThreadPool pool({1});
  const auto transfer = elementwise_transfer<double>(crossed_slices(), pool);
  auto weights = testing::random_weights(2, 2, 3, 1);
  const auto report = run_mgd(tasks, *transfer, weights,
                              {.sigma = sigma,
                               .step = small.step,
                               .stopping = {.tolerance = 1e-6, .max_iterations = 1000000}},
                              pool);
  EXPECT_EQ(report.stop, Stop::converged);
}

/// A rotated diagonal: eigenvalues in the range given.
Matrix<double> random_hessian(RandomStream& random, CurvatureRange range, Index size) {
  Matrix<double> h(size, size);
  for (Index k = 0; k < size; ++k) {
    h(k, k) = range.least + (range.most - range.least) * random.uniform();
  }
  for (Index a = 0; a < size; ++a) {
    for (Index b = a + 1; b < size; ++b) {
      const double angle = 2 * std::numbers::pi * random.uniform();
      for (const bool columns : {false, true}) {
        for (Index k = 0; k < size; ++k) {
          double& first = columns ? h(k, a) : h(a, k);
          double& second = columns ? h(k, b) : h(b, k);
          const double rotated = std::cos(angle) * first - std::sin(angle) * second;
          second = std::sin(angle) * first + std::cos(angle) * second;
          first = rotated;
        }
      }
    }
  }
  return h;
}

CsrMatrix<double> random_stochastic(RandomStream& random, Index tasks) {
  CsrMatrix<double> matrix;
  matrix.cols = tasks;
  for (Index i = 0; i < tasks; ++i) {
    for (LabelId j = 0; j < tasks; ++j) {
      if (random.uniform() < 0.3 && j != i) continue;
      matrix.column.push_back(j);
      matrix.value.push_back(random.uniform() + 0.01);
    }
    matrix.end_row();
  }
  return transfer_from(matrix).mbar;
}

/// Random strongly convex tasks, elementwise or scalar transfer.
struct RandomCase {
  explicit RandomCase(std::uint64_t seed, Index slice_count)
      : random(seed, "certificate"), count(2 + static_cast<Index>(random.below(4))) {
    std::vector<Matrix<double>> hessians;
    std::vector<std::vector<double>> centres;
    for (Index i = 0; i < count; ++i) {
      const double least = 0.05 + random.uniform();
      ranges.push_back({.least = least, .most = least + 5 * random.uniform()});
      hessians.push_back(random_hessian(random, ranges.back(), kParameters));
      centres.push_back({random.normal(), random.normal(), random.normal()});
    }
    tasks.emplace(std::move(hessians), std::move(centres), ranges);
    for (Index k = 0; k < slice_count; ++k) {
      slices.matrices.push_back(random_stochastic(random, count));
      slices.of_parameter.push_back(static_cast<int>(k));
    }
    slices.of_the_rest = 0;
  }

  static constexpr Index kParameters = 3;
  RandomStream random;
  Index count;
  std::vector<CurvatureRange> ranges;
  std::optional<FullQuadraticTasks> tasks;
  TransferSlices slices;
};

/// The largest |w_i - v_i|.
double block_distance(const Matrix<double>& w, const Matrix<double>& v) {
  double largest = 0;
  for (Index i = 0; i < w.cols(); ++i) {
    double squares = 0;
    for (Index k = 0; k < w.rows(); ++k) squares += std::pow(w(k, i) - v(k, i), 2);
    largest = std::max(largest, std::sqrt(squares));
  }
  return largest;
}

/// Runs at the certified step and compares every iteration with the promise.
void expect_promise_kept(RandomCase& example, const theory::Certificate& certificate) {
  ThreadPool pool({1});
  const auto transfer = elementwise_transfer<double>(example.slices, pool);
  const auto run = [&](Matrix<double>& w, Index iterations) {
    run_mgd(*example.tasks, *transfer, w,
            {.sigma = certificate.sigma,
             .step = certificate.step,
             .stopping = {.tolerance = 0, .max_iterations = iterations}},
            pool);
  };
  Matrix<double> equilibrium(RandomCase::kParameters, example.count);
  run(equilibrium, *certificate.iterations_to(1e-14));
  auto w = testing::random_weights(RandomCase::kParameters, example.count, 1, 3);
  for (int iteration = 0; iteration < 10; ++iteration) {
    const double before = block_distance(w, equilibrium);
    run(w, 1);
    RC_ASSERT(block_distance(w, equilibrium) <= certificate.contraction * before + 1e-9);
  }
}

TEST(Certificate, ElementwiseConditionHoldsOnAThousandRandomProblems) {
  // A hundred cases of ten problems each.
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint64_t k = 0; k < 10; ++k) {
      RandomCase example(seed * 16ULL + k, RandomCase::kParameters);
      const auto facts = facts_of(example.slices, RandomCase::kParameters);
      if (facts.shares_stationary) continue;  // all slices the identity, say
      double xi = example.ranges[0].least;
      for (const auto& range : example.ranges) xi = std::min(xi, range.least);
      const double sigma = 0.9 * example.random.uniform() * xi / (facts.stretch - 1);
      const auto certificate = certify(example.ranges, sigma, facts);
      RC_ASSERT(certificate.safe_step > 0);
      expect_promise_kept(example, certificate);
    }
  }));
}

TEST(Certificate, ScalarPromiseHoldsOnAThousandRandomProblems) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint64_t k = 0; k < 10; ++k) {
      RandomCase example(seed * 16ULL + k, 1);
      const double sigma = 10 * example.random.uniform();
      const auto certificate =
          certify(example.ranges, sigma, facts_of(example.slices, RandomCase::kParameters));
      // The automatic step may lie beyond what this norm allows, for a reversible transfer.
      if (!certificate.limit_reversible) RC_ASSERT(certificate.contraction < 1);
      if (certificate.contraction < 1) expect_promise_kept(example, certificate);
    }
  }));
}

/// A reversible matrix from random symmetric similarities; of Gram matrices too.
TransferMatrix random_reversible(RandomStream& random, Index tasks, bool gram) {
  if (gram) {
    BinaryMatrix labels;
    labels.cols = tasks;
    for (int row = 0; row < 12; ++row) {
      for (LabelId j = 0; j < tasks; ++j) {
        if (random.uniform() < 0.5) labels.column.push_back(j);
      }
      labels.end_row();
    }
    return label_transfer(labels, Similarity::cosine);
  }
  Matrix<double> c(tasks, tasks);
  for (Index i = 0; i < tasks; ++i) {
    for (Index j = i; j < tasks; ++j) c(i, j) = c(j, i) = random.uniform() + 0.01;
  }
  CsrMatrix<double> similarity;
  similarity.cols = tasks;
  for (Index i = 0; i < tasks; ++i) {
    for (Index j = 0; j < tasks; ++j) {
      similarity.column.push_back(static_cast<LabelId>(j));
      similarity.value.push_back(c(i, j));
    }
    similarity.end_row();
  }
  return transfer_from(similarity);
}

double weighted_distance(const Matrix<double>& w, const Matrix<double>& v,
                         const std::vector<double>& r) {
  double sum = 0;
  for (Index i = 0; i < w.cols(); ++i) {
    for (Index k = 0; k < w.rows(); ++k) {
      sum += r[static_cast<std::size_t>(i)] * std::pow(w(k, i) - v(k, i), 2);
    }
  }
  return std::sqrt(sum);
}

TEST(Certificate, WeightedPromiseHoldsOnAThousandReversibleProblems) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint64_t k = 0; k < 10; ++k) {
      RandomCase example(seed * 16ULL + k, 1);
      const auto matrix = random_reversible(example.random, example.count, k % 2 == 0);
      RC_ASSERT(!matrix.reversing_weights.empty());
      const auto intercepts = k % 4 < 2 ? Intercepts::own : Intercepts::transferred;
      const auto certificate =
          certify(example.ranges, 10 * example.random.uniform(), facts_of(matrix, intercepts));
      RC_ASSERT(*certificate.contraction_weighted < 1);
      ThreadPool pool({1});
      const auto transfer = scalar_transfer<double>(matrix.mbar, intercepts, pool);
      auto w = testing::random_weights(RandomCase::kParameters, example.count, 1, 3);
      auto v = testing::random_weights(RandomCase::kParameters, example.count, 2, 3);
      for (int iteration = 0; iteration < 10; ++iteration) {
        const double before = weighted_distance(w, v, matrix.reversing_weights);
        for (auto* weights : {&w, &v}) {
          run_mgd(*example.tasks, *transfer, *weights,
                  {.sigma = certificate.sigma,
                   .step = certificate.step,
                   .stopping = {.tolerance = 0, .max_iterations = 1}},
                  pool);
        }
        RC_ASSERT(weighted_distance(w, v, matrix.reversing_weights) <=
                  *certificate.contraction_weighted * before + 1e-9);
      }
    }
  }));
}

TEST(Certificate, OwnInterceptsUnderAnyTransferConvergeBelowTheoremOne) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    for (std::uint64_t k = 0; k < 10; ++k) {
      RandomCase example(seed * 16ULL + k, 1);
      example.slices.of_parameter = {TransferSlices::kOwn};
      const auto certificate = certify(example.ranges, 10 * example.random.uniform(),
                                       facts_of(example.slices, RandomCase::kParameters));
      ThreadPool pool({1});
      const auto transfer = elementwise_transfer<double>(example.slices, pool);
      auto w = testing::random_weights(RandomCase::kParameters, example.count, 1, 3);
      const auto report = run_mgd(*example.tasks, *transfer, w,
                                  {.sigma = certificate.sigma,
                                   .step = certificate.step,
                                   .stopping = {.tolerance = 1e-6, .max_iterations = 100000}},
                                  pool);
      RC_ASSERT(report.stop == Stop::converged);
    }
  }));
}

TEST(Certificate, PromisesNothingForAStepThatIsNotSafe) {
  const std::vector<CurvatureRange> tasks(2, {.least = 0.5, .most = 1});
  const auto certificate =
      certify(tasks, 0.5, facts_of(transfer_from(csr_from({{1, 0.5}, {0.5, 1}}))), 100);
  EXPECT_FALSE(std::isfinite(certificate.contraction));
  EXPECT_EQ(certificate.contraction_weighted, std::nullopt);
  EXPECT_EQ(certificate.iterations_to(1e-3), std::nullopt);
  ASSERT_EQ(certificate.statements.size(), 1U);
  EXPECT_THAT(certificate.statements[0], ::testing::HasSubstr("is not below"));
}

TEST(Certificate, IterationsAreCountedForSensibleTolerancesOnly) {
  const std::vector<CurvatureRange> tasks(2, {.least = 1, .most = 1});
  const auto certificate = certify(tasks, 0, facts_of(no_transfer(2)), 0.5);
  EXPECT_DOUBLE_EQ(certificate.contraction, 0.5);
  EXPECT_EQ(certificate.iterations_to(1.0 / 1024), 10);
  EXPECT_EQ(certificate.iterations_to(0), std::nullopt);
  EXPECT_EQ(certificate.iterations_to(2), 0);
}

TEST(Certificate, TinyWeightsDoNotPassForAStationaryDistribution) {
  constexpr double kTiny = 1e-10;
  const TransferSlices slices{
      .matrices = {csr_from({{1 - 2 * kTiny, kTiny, kTiny}, {1, 0, 0}, {1, 0, 0}}),
                   csr_from({{1, 0, 0}, {0, 0, 1}, {0, 0, 1}}),
                   csr_from({{1, 0, 0}, {0, 1, 0}, {0, 1, 0}})},
      .of_parameter = {0, 1, 2}};
  EXPECT_FALSE(facts_of(slices, 3).shares_stationary);
}

TEST(Certificate, SlicesThatShareAStationaryDistributionTakeAnySigma) {
  const TransferSlices doubly{.matrices = {csr_from({{0, 1}, {1, 0}}), csr_from({{1, 0}, {0, 1}})},
                              .of_parameter = {0, 1}};
  const auto facts = facts_of(doubly, 2);
  EXPECT_TRUE(facts.shares_stationary);
  const std::vector<CurvatureRange> tasks(2, {.least = 0.01, .most = 1});
  EXPECT_DOUBLE_EQ(certify(tasks, 100, facts).safe_step, theory::step_limit(1, 100));
}

TEST(Certificate, SaysWhenNoRateIsPromised) {
  const std::vector<CurvatureRange> tasks(2, {.least = 0, .most = 1});
  const auto certificate =
      certify(tasks, 0.5, facts_of(transfer_from(csr_from({{1, 0.5}, {0.5, 1}}))));
  EXPECT_EQ(certificate.strong_convexity, 0);
  EXPECT_EQ(certificate.iterations_to(1e-3), std::nullopt);
  EXPECT_EQ(certificate.distance_bound(1), std::nullopt);
  EXPECT_THAT(
      certificate.statements,
      ::testing::Contains(::testing::HasSubstr("not every task is known to be strongly convex")));
}

TEST(Certificate, DistanceFromTheOwnMinimisersIsBounded) {
  // Equation (9): centres one apart, curvature one: the equilibrium moves by at most the bound.
  Matrix<double> one(1, 1, 1);
  FullQuadraticTasks tasks({one, one}, {{0}, {1}}, {{1, 1}, {1, 1}});
  const auto matrix = transfer_from(csr_from({{0, 1}, {1, 0}}));
  const auto certificate = certify(tasks.curvatures(), 0.3, facts_of(matrix));
  ThreadPool pool({1});
  const auto transfer = scalar_transfer<double>(matrix.mbar, Intercepts::transferred, pool);
  Matrix<double> w(1, 2);
  run_mgd(tasks, *transfer, w,
          {.sigma = 0.3, .step = certificate.step, .stopping = {.tolerance = 1e-12}}, pool);
  const double moved = std::max(std::fabs(w(0, 0)), std::fabs(w(0, 1) - 1));
  EXPECT_GT(moved, 0.1);
  EXPECT_LE(moved, *certificate.distance_bound(1));
}

}  // namespace
}  // namespace mugrad
