// SPDX-License-Identifier: MIT
#include "objective/softmax_tasks.h"
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/solver/solvers.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

using testing::largest_difference;

/// Classes that the features say something about, in shares that differ.
template <class Real>
struct Regression {
  Regression(Index rows, Index features, Index classes, double rho,
             RepresentationKind representation, int threads = 1)
      : pool({threads}),
        x(testing::random_problem({.rows = rows, .features = features, .labels = 1}, 3).x),
        transform(feature_transform(fit_representation(x, representation))),
        design(x, transform),
        shared(softmax_curvature(design, rho, pool)),
        tasks(design, shared, classes, pool) {
    RandomStream random(7, "noise");
    for (Index row = 0; row < rows; ++row) {
      const double score = x.dense()(row, 0) + 0.5 * random.normal();
      const auto drawn = static_cast<Index>(std::fabs(score) * static_cast<double>(classes) / 2);
      class_of_row.push_back(
          static_cast<std::int32_t>(row < classes ? row : std::min(drawn, classes - 1)));
    }
    tasks.set_classes(class_of_row, classes);
  }

  SolveReport solve(Matrix<Real>& weights, double tolerance) {
    weights = tasks.start();
    return minimise(tasks, weights, {.tolerance = tolerance, .max_iterations = 3000}, nullptr,
                    pool);
  }

  ThreadPool pool;
  Features x;
  FeatureTransform transform;
  Design<Real> design;
  SharedCurvature<Real> shared;
  SoftmaxTasks<Real> tasks;
  std::vector<std::int32_t> class_of_row;
};

/// The plain way: steps of 1 / L down the gradient.
Matrix<double> descended(SoftmaxTasks<double>& tasks) {
  auto weights = tasks.start();
  Matrix<double> gradient(weights.rows(), weights.cols());
  const double step = 1 / tasks.curvature();
  for (int round = 0; round < 20000; ++round) {
    tasks.gradient({}, weights, gradient, {});
    double largest = 0;
    for (std::size_t k = 0; k < weights.values().size(); ++k) {
      weights.values()[k] -= step * gradient.values()[k];
      largest = std::max(largest, std::fabs(gradient.values()[k]));
    }
    if (largest < 1e-12) break;
  }
  return weights;
}

TEST(Minimise, FindsTheMinimumThatPlainDescentDoes) {
  for (const auto representation : {RepresentationKind::zscore, RepresentationKind::none}) {
    for (const Index classes : {2, 3, 7}) {
      Regression<double> problem(120, 4, classes, 0.05, representation);
      Matrix<double> weights;
      const auto report = problem.solve(weights, 1e-10);
      EXPECT_EQ(report.stop, Stop::converged);
      EXPECT_LE(largest_difference(weights, descended(problem.tasks)), 1e-7);
    }
  }
}

TEST(Minimise, NeedsFewPassesAlthoughOneWayIsHardlyCurved) {
  for (const Index classes : {2, 8, 40}) {
    Regression<float> problem(600, 30, classes, 0.01, RepresentationKind::zscore);
    Matrix<float> weights;
    const auto report = problem.solve(weights, 1e-4);
    EXPECT_EQ(report.stop, Stop::converged);
    EXPECT_LE(report.iterations, 40) << classes;
  }
}

TEST(Minimise, WeightsSumToZeroOverTheClasses) {
  Regression<double> problem(200, 5, 6, 0.02, RepresentationKind::none);
  Matrix<double> weights;
  problem.solve(weights, 1e-9);
  for (Index k = 0; k < weights.rows(); ++k) {
    const auto row = weights.row(k);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 0, 1e-12);
  }
}

/// The weights w of a logistic regression are the difference of two that are w/2 and -w/2: their
/// penalty (rho/2) |w|^2 / 2 is that of half the strength.
TEST(Minimise, SoftmaxOfTwoClassesIsALogisticRegressionOfHalfThePenalty) {
  for (const auto representation : {RepresentationKind::zscore, RepresentationKind::none}) {
    Regression<double> problem(150, 5, 2, 0.04, representation);
    Matrix<double> weights;
    problem.solve(weights, 1e-11);

    BinaryMatrix labels{.cols = 1, .row_start = {0}, .column = {}};
    for (const auto own : problem.class_of_row) {
      if (own == 1) labels.column.push_back(0);
      labels.end_row();
    }
    const auto tasks =
        linear_tasks<double>(problem.x, problem.transform, labels, {.rho = 0.02}, problem.pool);
    const auto none = scalar_transfer<double>(no_transfer(1).mbar, Intercepts::own, problem.pool);
    Matrix<double> logistic(6, 1);
    find_equilibrium(*tasks, *none, logistic, {.stopping = {.tolerance = 1e-11}}, problem.pool);
    for (Index k = 0; k < 6; ++k) {
      EXPECT_NEAR(weights(k, 1) - weights(k, 0), logistic(k, 0), 1e-8);
    }
  }
}

TEST(Minimise, ThreadsDoNotChangeABit) {
  for (const Index classes : {3, 120}) {
    Regression<float> one(900, 12, classes, 0.01, RepresentationKind::zscore, 1);
    Regression<float> many(900, 12, classes, 0.01, RepresentationKind::zscore, 4);
    Matrix<float> expected, weights;
    one.solve(expected, 1e-4);
    many.solve(weights, 1e-4);
    EXPECT_EQ(weights, expected);
  }
}

/// f(W) = 1/2 <W, W (I + S)> - <C, W> for a symmetric S: every column's gradient takes all columns.
class CoupledQuadratic final : public TaskSet<double> {
 public:
  explicit CoupledQuadratic(Matrix<double> target) : target_(std::move(target)) {}

  Index tasks() const override { return target_.cols(); }
  Index parameters() const override { return target_.rows(); }
  void gradient(std::span<const Index>, const Matrix<double>& weights, Matrix<double>& gradient,
                const TaskMeasures&) override {
    multiply(weights, gradient);
    for (std::size_t k = 0; k < gradient.values().size(); ++k) {
      gradient.values()[k] -= target_.values()[k];
    }
  }
  void hessian_product(std::span<const Index>, const Matrix<double>&,
                       const Matrix<double>& direction, Matrix<double>& product) override {
    multiply(direction, product);
  }
  std::vector<CurvatureRange> curvatures() override {
    const double most = 1 + static_cast<double>(tasks());
    return std::vector<CurvatureRange>(static_cast<std::size_t>(tasks()),
                                       {.least = 1, .most = most});
  }

 private:
  /// With S = 1 1'.
  static void multiply(const Matrix<double>& from, Matrix<double>& to) {
    for (Index k = 0; k < from.rows(); ++k) {
      const auto row = from.row(k);
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      for (Index c = 0; c < from.cols(); ++c) to(k, c) = from(k, c) + sum;
    }
  }

  Matrix<double> target_;
};

TEST(Minimise, TakesAnyConvexFunctionWhoseColumnsDependOnEachOther) {
  const auto target = testing::random_weights(4, 5, 6);
  CoupledQuadratic tasks(target);
  ThreadPool pool({1});
  Matrix<double> weights(4, 5);
  const auto report = minimise(tasks, weights, {.tolerance = 1e-12}, nullptr, pool);
  EXPECT_EQ(report.stop, Stop::converged);
  for (Index k = 0; k < 4; ++k) {
    const auto row = target.row(k);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (Index c = 0; c < 5; ++c) EXPECT_NEAR(weights(k, c), target(k, c) - sum / 6, 1e-10);
  }
}

}  // namespace
}  // namespace mugrad
