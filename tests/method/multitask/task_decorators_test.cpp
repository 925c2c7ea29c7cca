// SPDX-License-Identifier: MIT
#include "method/multitask/task_decorators.h"

#include "support/label_rows.h"
#include "support/random_problem.h"
#include "support/task_subsets.h"

#include <mugrad/objective/linear_tasks.h>

#include <gtest/gtest.h>

#include <functional>

namespace mugrad {
namespace {

using testing::dense_rows;
using testing::random_weights;

constexpr Index kParameters = 4;
constexpr Index kTasks = 3;

/// Logistic tasks, and what is wrapped around them.
struct Wrapped {
  using Wrap = std::function<std::unique_ptr<TaskSet<double>>(TaskSet<double>&)>;

  explicit Wrapped(const Wrap& wrap)
      : data(testing::random_problem({.rows = 30, .features = 3, .labels = kTasks}, 2)),
        inner(linear_tasks<double>(data.x, {}, data.y, {.rho = 0.1}, pool)),
        tasks(wrap(*inner)) {}

  ThreadPool pool{Threads{1}};
  Dataset data;
  std::unique_ptr<TaskSet<double>> inner, tasks;
};

const auto kPrecision = dense_rows({{2, 1, 0}, {1, 3, -1}, {0, -1, 2}});
const CurvatureRange kPrecisionBounds{.least = 0.9, .most = 4.1};  // Eigenvalues 1, 2 and 4.

const std::vector<Wrapped::Wrap> kWraps = {
    [](auto& tasks) {
      return std::make_unique<RidgedTasks>(tasks, std::vector<double>{0.5, 0, -0.05}, 0);
    },
    [](auto& tasks) {
      return std::make_unique<RidgedTasks>(tasks, std::vector<double>{0.5, 0, -0.05}, 1);
    },
    [](auto& tasks) {
      return std::make_unique<RescaledTasks>(tasks, std::vector<double>{0.3, 1, 2});
    },
    [](auto& tasks) {
      return std::make_unique<FeaturePenaltyTasks>(tasks, kPrecision, kPrecisionBounds, 0.7, 1);
    },
};

Matrix<double> moved(const Matrix<double>& w, const Matrix<double>& direction, double by) {
  auto result = w;
  for (std::size_t k = 0; k < w.values().size(); ++k) {
    result.values()[k] += by * direction.values()[k];
  }
  return result;
}

double column_dot(const Matrix<double>& a, const Matrix<double>& b, Index column) {
  double sum = 0;
  for (Index k = 0; k < a.rows(); ++k) sum += a(k, column) * b(k, column);
  return sum;
}

TEST(TaskDecorators, GradientIsTheDerivativeOfTheValueAndTheHessianThatOfTheGradient) {
  constexpr double kStep = 1e-5;  // Central differences: errors of 1e-10 and rounding of 1e-11.
  for (const auto& wrap : kWraps) {
    const Wrapped wrapped(wrap);
    const auto w = random_weights(kParameters, kTasks, 4);
    const auto direction = random_weights(kParameters, kTasks, 5);
    Matrix<double> gradient(kParameters, kTasks);
    Matrix<double> ahead(kParameters, kTasks);
    Matrix<double> behind(kParameters, kTasks);
    Matrix<double> product(kParameters, kTasks);
    std::vector<double> values_ahead(kTasks);
    std::vector<double> values_behind(kTasks);
    wrapped.tasks->gradient({}, moved(w, direction, kStep), ahead, {.values = values_ahead});
    wrapped.tasks->gradient({}, moved(w, direction, -kStep), behind, {.values = values_behind});
    wrapped.tasks->gradient({}, w, gradient, {});
    wrapped.tasks->hessian_product({}, w, direction, product);
    for (Index i = 0; i < kTasks; ++i) {
      const auto task = static_cast<std::size_t>(i);
      EXPECT_NEAR((values_ahead[task] - values_behind[task]) / (2 * kStep),
                  column_dot(gradient, direction, i), 1e-8);
      for (Index k = 0; k < kParameters; ++k) {
        EXPECT_NEAR((ahead(k, i) - behind(k, i)) / (2 * kStep), product(k, i), 1e-8);
      }
    }
  }
}

TEST(TaskDecorators, CallForSomeTasksGivesTheirColumnsOfTheCallForAll) {
  for (const auto& wrap : kWraps) {
    const Wrapped wrapped(wrap);
    testing::expect_subsets_are_columns(*wrapped.tasks, random_weights(kParameters, kTasks, 4),
                                        random_weights(kParameters, kTasks, 5), 1e-14);
  }
}

TEST(TaskDecorators, CurvatureStaysWithinItsBounds) {
  for (const auto& wrap : kWraps) {
    const Wrapped wrapped(wrap);
    const auto bounds = wrapped.tasks->curvatures();
    Matrix<double> product(kParameters, kTasks);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto w = random_weights(kParameters, kTasks, seed, 1.0);
      const auto direction = random_weights(kParameters, kTasks, 1000 + seed);
      wrapped.tasks->hessian_product({}, w, direction, product);
      for (Index i = 0; i < kTasks; ++i) {
        const double quotient =
            column_dot(direction, product, i) / column_dot(direction, direction, i);
        EXPECT_GE(quotient, bounds[static_cast<std::size_t>(i)].least);
        EXPECT_LE(quotient, bounds[static_cast<std::size_t>(i)].most);
      }
    }
  }
}

}  // namespace
}  // namespace mugrad
