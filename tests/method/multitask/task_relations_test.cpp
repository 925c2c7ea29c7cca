// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "method/multitask/relation_step.h"
#include "support/golden.h"
#include "support/label_rows.h"
#include "support/quadratic_tasks.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/task_relations.h>
#include <mugrad/objective/linear_tasks.h>

#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::dense_rows;
using testing::largest_difference;
using testing::QuadraticTasks;
using testing::random_weights;

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> c(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = 0; k < a.cols(); ++k) {
      for (Index j = 0; j < b.cols(); ++j) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

Matrix<double> transposed(const Matrix<double>& a) {
  Matrix<double> t(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) t(j, i) = a(i, j);
  }
  return t;
}

double trace(const Matrix<double>& a) {
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) sum += a(i, i);
  return sum;
}

/// A 3 x 2 matrix with these singular values.
Matrix<double> with_singular_values(double first, double second) {
  const auto left = dense_rows({{0.6, 0}, {0.8, 0}, {0, 1}});
  const auto right = dense_rows({{std::cos(0.7), -std::sin(0.7)}, {std::sin(0.7), std::cos(0.7)}});
  return product(product(left, dense_rows({{first, 0}, {0, second}})), right);
}

/// f_i(w) = |w - column i of centre|^2 / 2.
QuadraticTasks around(const Matrix<double>& centre) {
  std::vector<std::vector<double>> columns;
  for (Index i = 0; i < centre.cols(); ++i) {
    columns.emplace_back();
    for (Index k = 0; k < centre.rows(); ++k) columns.back().push_back(centre(k, i));
  }
  const auto size = static_cast<std::size_t>(centre.rows());
  return {std::vector(columns.size(), std::vector<double>(size, 1.0)), columns};
}

const RelationOptions kTight{.solve = {.tolerance = 1e-11},
                             .least_eigenvalue = 1e-3,
                             .tolerance = 1e-15,
                             .max_rounds = 1000};

TEST(SymmetricEigen, RebuildsTheMatrixFromAscendingEigenvalues) {
  const auto w = random_weights(9, 6, 4);
  const auto gram = product(transposed(w), w);
  const auto eigen = symmetric_eigen(gram);
  EXPECT_TRUE(std::ranges::is_sorted(eigen.values));
  EXPECT_LE(largest_difference(eigen.apply([](double value) { return value; }), gram), 1e-13);
  const auto inverse = eigen.apply([](double value) { return 1 / value; });
  const auto identity = eigen.apply([](double) { return 1.0; });
  EXPECT_LE(largest_difference(product(gram, inverse), identity), 1e-10);
}

TEST(RelationStep, PenaltyIsTheNuclearNormSquared) {
  const auto w = with_singular_values(3, 0.5);
  const auto gram = product(transposed(w), w);
  const auto relation = best_relation(gram, 1e-6);
  EXPECT_NEAR(trace(relation.matrix), 1, 1e-14);
  EXPECT_NEAR(penalty_of(gram, relation.inverse), 3.5 * 3.5, 1e-12);
  // Of weights of low rank too, up to the least eigenvalue.
  const auto flat = with_singular_values(3, 0);
  const auto flat_gram = product(transposed(flat), flat);
  EXPECT_NEAR(penalty_of(flat_gram, best_relation(flat_gram, 1e-6).inverse), 9, 1e-4);
}

TEST(RelationStep, NoOtherRelationOfTraceOneHasALowerPenalty) {
  constexpr double kLeast = 0.05;
  const auto w = random_weights(3, 5, 7);  // rank 3: two eigenvalues have to be raised
  const auto gram = product(transposed(w), w);
  const auto best = best_relation(gram, kLeast);
  EXPECT_NEAR(trace(best.matrix), 1, 1e-14);
  EXPECT_NEAR(symmetric_eigen(best.matrix).values.front(), kLeast, 1e-14);
  EXPECT_NEAR(best.inverse_bounds.most, 1 / kLeast, 1e-10);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    // Mixtures stay feasible: the trace is 1 and no eigenvalue is below the least.
    const auto v = random_weights(6, 5, 100 + seed);
    const auto other = best_relation(product(transposed(v), v), kLeast);
    for (const double share : {0.01, 0.3, 1.0}) {
      auto mixed = best.matrix;
      for (std::size_t k = 0; k < mixed.values().size(); ++k) {
        mixed.values()[k] += share * (other.matrix.values()[k] - best.matrix.values()[k]);
      }
      const auto inverse = symmetric_eigen(mixed).apply([](double value) { return 1 / value; });
      EXPECT_GE(penalty_of(gram, inverse), penalty_of(gram, best.inverse) - 1e-12);
    }
  }
}

TEST(RelationStep, NothingIsRelatedWhileWeightsAreZero) {
  EXPECT_LE(largest_difference(best_relation(Matrix<double>(2, 2), 1e-6).matrix,
                               dense_rows({{0.5, 0}, {0, 0.5}})),
            1e-15);
}

TEST(TaskCovariance, ShrinksSingularValuesAsTheNuclearNormSquaredDoes) {
  // min |W - C|^2 / 2 + (lambda/2) |W|_*^2 lowers every singular value of C by lambda |W|_*:
  // for 3 and 0.5 and lambda 0.1 that is t = 3.5 - 0.2 t.
  const double shrinkage = 0.1 * 3.5 / 1.2;
  auto tasks = around(with_singular_values(3, 0.5));
  Matrix<double> weights(3, 2);
  const auto learned = learn_task_covariance(tasks, 0.1, weights, kTight);
  EXPECT_EQ(learned.stop, Stop::converged);
  EXPECT_LE(largest_difference(weights, with_singular_values(3 - shrinkage, 0.5 - shrinkage)),
            1e-5);
  EXPECT_NEAR(trace(learned.relation), 1, 1e-14);
}

TEST(TaskCovariance, ObjectiveFallsInEveryRoundToTheSameValueFromAnyStart) {
  const auto data = testing::random_problem({.rows = 60, .features = 4, .labels = 6}, 5);
  ThreadPool pool({1});
  const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.rho = 0.01}, pool);
  const RelationOptions options{.solve = {.intercepts = Intercepts::own},
                                .least_eigenvalue = 1e-3,
                                .tolerance = 1e-7,
                                .max_rounds = 1000};
  std::vector<double> ends;
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    auto weights = random_weights(5, 6, seed, seed == 0 ? 0.0 : 1.0);
    const auto learned = learn_task_covariance(*tasks, 0.05, weights, options);
    EXPECT_EQ(learned.stop, Stop::converged);
    EXPECT_GE(learned.objective.size(), 3U);
    for (std::size_t k = 1; k < learned.objective.size(); ++k) {
      EXPECT_LE(learned.objective[k], learned.objective[k - 1]) << "round " << k;
    }
    ends.push_back(learned.objective.back());
  }
  // The tail of rounds that lower it by less than 1e-7 each.
  EXPECT_NEAR(ends[0], ends[1], 1e-4);
}

TEST(FeatureRelations, AreTheTaskCovarianceOfTheTransposedProblem) {
  const auto centre = with_singular_values(3, 0.5);
  auto tasks = around(transposed(centre));
  Matrix<double> weights(2, 3);
  const auto features = learn_feature_relations(tasks, 0.1, weights, kTight);
  EXPECT_EQ(features.stop, Stop::converged);
  auto other_tasks = around(centre);
  Matrix<double> other_weights(3, 2);
  const auto between_tasks = learn_task_covariance(other_tasks, 0.1, other_weights, kTight);
  EXPECT_LE(largest_difference(transposed(weights), other_weights), 1e-5);
  EXPECT_LE(largest_difference(features.relation, between_tasks.relation), 1e-5);
  for (std::size_t k = 1; k < features.objective.size(); ++k) {
    EXPECT_LE(features.objective[k], features.objective[k - 1]);
  }
}

TEST(FeatureRelations, LeaveTheInterceptAlone) {
  const auto centre = with_singular_values(3, 0.5);
  auto tasks = around(centre);
  Matrix<double> weights(3, 2);
  auto options = kTight;
  options.solve.intercepts = Intercepts::own;
  const auto learned = learn_feature_relations(tasks, 0.1, weights, options);
  EXPECT_EQ(learned.relation.rows(), 2);
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(weights(0, i), centre(0, i), 1e-8);
  EXPECT_GT(std::fabs(weights(1, 0) - centre(1, 0)), 1e-3);
}

TEST(TaskRelations, RefuseOptionsOutOfRange) {
  auto tasks = around(with_singular_values(3, 0.5));
  Matrix<double> weights(3, 2);
  EXPECT_THROW(learn_task_covariance(tasks, -1, weights), UsageError);
  EXPECT_THROW(learn_task_covariance(tasks, 1, weights, {.least_eigenvalue = 0}), UsageError);
  EXPECT_THROW(learn_task_covariance(tasks, 1, weights, {.least_eigenvalue = 0.6}), UsageError);
  EXPECT_THROW(learn_feature_relations(tasks, 1, weights, {.max_rounds = -1}), UsageError);
  Matrix<double> misshapen(2, 2);
  EXPECT_THROW(learn_feature_relations(tasks, 1, misshapen), UsageError);
}

}  // namespace
}  // namespace mugrad
