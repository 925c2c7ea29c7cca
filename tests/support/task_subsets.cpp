// SPDX-License-Identifier: MIT
#include "support/task_subsets.h"

#include <gtest/gtest.h>

namespace mugrad::testing {
namespace {

/// What every call gives for the tasks listed.
struct Answers {
  Answers(TaskSet<double>& tasks, std::span<const Index> which, const Matrix<double>& weights,
          const Matrix<double>& direction)
      : gradient(weights.rows(), weights.cols()),
        product(weights.rows(), weights.cols()),
        values(static_cast<std::size_t>(weights.cols())),
        mean_curvatures(values.size()) {
    tasks.gradient(which, weights, gradient,
                   {.values = values, .mean_curvatures = mean_curvatures});
    tasks.hessian_product(which, weights, direction, product);
  }
  Matrix<double> gradient, product;
  std::vector<double> values, mean_curvatures;
};

Matrix<double> columns_of(const Matrix<double>& all, std::span<const Index> which) {
  Matrix<double> some(all.rows(), std::ssize(which));
  for (Index k = 0; k < all.rows(); ++k) {
    for (Index t = 0; t < some.cols(); ++t) some(k, t) = all(k, task_of(which, t));
  }
  return some;
}

void expect_near(const Matrix<double>& actual, const Matrix<double>& expected, double tolerance) {
  for (std::size_t k = 0; k < actual.values().size(); ++k) {
    EXPECT_NEAR(actual.values()[k], expected.values()[k], tolerance);
  }
}

std::vector<std::vector<Index>> lists_of(Index tasks) {
  std::vector<std::vector<Index>> lists = {{0}, {tasks - 1}, {}, {}, {}};
  for (Index i = 0; i < tasks; ++i) {
    if (i % 3 == 0) lists[2].push_back(i);
    if (2 * i >= tasks - 1) lists[3].push_back(i);
    lists[4].push_back(i);
  }
  return lists;
}

}  // namespace

void expect_subsets_are_columns(TaskSet<double>& tasks, const Matrix<double>& weights,
                                const Matrix<double>& direction, double tolerance) {
  const Answers all(tasks, {}, weights, direction);
  for (const auto& which : lists_of(tasks.tasks())) {
    const Answers some(tasks, which, columns_of(weights, which), columns_of(direction, which));
    expect_near(some.gradient, columns_of(all.gradient, which), tolerance);
    expect_near(some.product, columns_of(all.product, which), tolerance);
    for (std::size_t t = 0; t < which.size(); ++t) {
      const auto task = static_cast<std::size_t>(which[t]);
      EXPECT_NEAR(some.values[t], all.values[task], tolerance);
      EXPECT_NEAR(some.mean_curvatures[t], all.mean_curvatures[task], tolerance);
    }
  }
}

}  // namespace mugrad::testing
