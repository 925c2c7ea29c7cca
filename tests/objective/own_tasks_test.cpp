// SPDX-License-Identifier: MIT
#include "objective/logistic.h"
#include "support/golden.h"
#include "support/quadratic_tasks.h"
#include "support/random_problem.h"
#include "support/task_subsets.h"

#include <mugrad/core/error.h>
#include <mugrad/objective/linear_tasks.h>
#include <mugrad/objective/own_tasks.h>
#include <mugrad/solver/solvers.h>
#include <mugrad/theory/certificate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using testing::largest_difference;
using testing::QuadraticTasks;
using testing::random_problem;
using testing::random_weights;

/// f(w) = 1/2 sum_k h_k (w_k - c_k)^2.
class QuadraticTask final : public Task<double> {
 public:
  QuadraticTask(std::vector<double> curvature, std::vector<double> centre)
      : curvature_(std::move(curvature)), centre_(std::move(centre)) {}

  Index parameters() const override { return std::ssize(centre_); }
  double evaluate(std::span<const double> w, std::span<double> gradient) override {
    double value = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
      const double distance = w[k] - centre_[k];
      gradient[k] = curvature_[k] * distance;
      value += curvature_[k] * distance * distance / 2;
    }
    return value;
  }
  bool hessian_product(std::span<const double>, std::span<const double> direction,
                       std::span<double> product) override {
    for (std::size_t k = 0; k < product.size(); ++k) product[k] = curvature_[k] * direction[k];
    return true;
  }
  CurvatureRange curvature() override {
    return {.least = std::ranges::min(curvature_), .most = std::ranges::max(curvature_)};
  }

 private:
  std::vector<double> curvature_, centre_;
};

/// One label of a data set by plain loops over equation (1).
class OneLabel final : public Task<double> {
 public:
  OneLabel(const Dataset& data, LabelId label, double rho) : x_(data.x.dense()), rho_(rho) {
    for (Index row = 0; row < data.rows(); ++row) {
      positive_.push_back(std::ranges::binary_search(data.y.row(row), label));
    }
  }

  Index parameters() const override { return x_.cols() + 1; }
  double evaluate(std::span<const double> w, std::span<double> gradient) override {
    double value = 0;
    std::ranges::fill(gradient, 0.0);
    for (std::size_t j = 0; j < positive_.size(); ++j) {
      const double z = score(j, w);
      value += LogisticLoss::value(z, positive_[j]) / examples();
      add_row(j, LogisticLoss::derivative(z, positive_[j]) / examples(), gradient);
    }
    for (std::size_t k = 1; k < w.size(); ++k) {
      value += rho_ / 2 * w[k] * w[k];
      gradient[k] += rho_ * w[k];
    }
    return value;
  }
  bool hessian_product(std::span<const double> w, std::span<const double> direction,
                       std::span<double> product) override {
    std::ranges::fill(product, 0.0);
    for (std::size_t j = 0; j < positive_.size(); ++j) {
      const double second = LogisticLoss::second_derivative(score(j, w));
      add_row(j, second * score(j, direction) / examples(), product);
    }
    for (std::size_t k = 1; k < w.size(); ++k) product[k] += rho_ * direction[k];
    return true;
  }
  CurvatureRange curvature() override { return {.least = 0, .most = 10}; }

 private:
  double examples() const { return static_cast<double>(positive_.size()); }
  double score(std::size_t row, std::span<const double> w) const {
    double z = w[0];
    for (std::size_t k = 1; k < w.size(); ++k) {
      z += x_(static_cast<Index>(row), static_cast<Index>(k) - 1) * w[k];
    }
    return z;
  }
  void add_row(std::size_t row, double times, std::span<double> to) const {
    to[0] += times;
    for (std::size_t k = 1; k < to.size(); ++k) {
      to[k] += times * x_(static_cast<Index>(row), static_cast<Index>(k) - 1);
    }
  }

  const Matrix<double>& x_;
  double rho_;
  std::vector<bool> positive_;
};

/// Its gradient is all there is.
class GradientOnly final : public Task<double> {
 public:
  Index parameters() const override { return 1; }
  double evaluate(std::span<const double> w, std::span<double> gradient) override {
    gradient[0] = w[0];
    return w[0] * w[0] / 2;
  }
  CurvatureRange curvature() override { return {.least = 2, .most = 1}; }
};

using Tasks = std::vector<std::unique_ptr<Task<double>>>;

const std::vector<std::vector<double>> kCurvature = {{1, 2, 0.5}, {0.3, 4, 1}, {2, 2, 2}};
const std::vector<std::vector<double>> kCentre = {{1, -1, 2}, {0, 3, 1}, {-2, 0.5, 0}};

Tasks quadratic_tasks() {
  Tasks tasks;
  for (std::size_t i = 0; i < kCentre.size(); ++i) {
    tasks.push_back(std::make_unique<QuadraticTask>(kCurvature[i], kCentre[i]));
  }
  return tasks;
}

Tasks logistic_labels(const Dataset& data, double rho) {
  Tasks tasks;
  for (LabelId label = 0; label < data.y.cols; ++label) {
    tasks.push_back(std::make_unique<OneLabel>(data, label, rho));
  }
  return tasks;
}

template <class Exception, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(OwnTasks, EqualTheMultiLabelLogisticTasks) {
  const auto data = random_problem({.rows = 50, .features = 6, .labels = 7}, 3);
  ThreadPool pool({2});
  const auto own = own_tasks(logistic_labels(data, 0.1), pool);
  const auto built_in = linear_tasks<double>(data.x, {}, data.y, {.rho = 0.1}, pool);
  ASSERT_EQ(own->tasks(), built_in->tasks());
  ASSERT_EQ(own->parameters(), built_in->parameters());

  const auto weights = random_weights(7, 7, 5);
  const auto direction = random_weights(7, 7, 6);
  Matrix<double> a(7, 7);
  Matrix<double> b(7, 7);
  std::vector<double> a_values(7);
  std::vector<double> b_values(7);
  own->gradient({}, weights, a, {.values = a_values});
  built_in->gradient({}, weights, b, {.values = b_values});
  // Sums over 50 rows in another order.
  EXPECT_LE(largest_difference(a, b), 1e-14);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(a_values[i], b_values[i], 1e-14);
  own->hessian_product({}, weights, direction, a);
  built_in->hessian_product({}, weights, direction, b);
  EXPECT_LE(largest_difference(a, b), 1e-14);
}

TEST(OwnTasks, EqualQuadraticTasksInEveryCallAndAtTheEquilibrium) {
  ThreadPool pool({2});
  const auto own = own_tasks(quadratic_tasks(), pool);
  QuadraticTasks together(kCurvature, kCentre);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(own->curvatures()[i].least, together.curvatures()[i].least);
    EXPECT_EQ(own->curvatures()[i].most, together.curvatures()[i].most);
  }
  const CsrMatrix<double> mbar{.cols = 3,
                               .row_start = {0, 2, 5, 7},
                               .column = {0, 1, 0, 1, 2, 1, 2},
                               .value = {0.5, 0.5, 0.25, 0.5, 0.25, 0.5, 0.5}};
  const auto transfer = scalar_transfer<double>(mbar, Intercepts::transferred, pool);
  Matrix<double> a(3, 3);
  Matrix<double> b(3, 3);
  find_equilibrium(*own, *transfer, a, {.sigma = 0.7, .stopping = {.tolerance = 1e-8}}, pool);
  find_equilibrium<double>(together, *transfer, b, {.sigma = 0.7, .stopping = {.tolerance = 1e-8}},
                           pool);
  EXPECT_EQ(a, b);
}

TEST(OwnTasks, CallForSomeTasksGivesTheirColumnsOfTheCallForAll) {
  const auto data = random_problem({.rows = 30, .features = 4, .labels = 9}, 8);
  ThreadPool pool({2});
  const auto own = own_tasks(logistic_labels(data, 0.1), pool);
  testing::expect_subsets_are_columns(*own, random_weights(5, 9, 1), random_weights(5, 9, 2), 0);
}

TEST(OwnTasks, ThreadsDoNotChangeABit) {
  const auto data = random_problem({.rows = 30, .features = 4, .labels = 9}, 8);
  const auto weights = random_weights(5, 9, 5);
  const auto gradient_with = [&](int threads) {
    ThreadPool pool({threads});
    Matrix<double> gradient(5, 9);
    std::vector<double> values(9);
    own_tasks(logistic_labels(data, 0.1), pool)
        ->gradient({}, weights, gradient, {.values = values});
    return std::pair(gradient, values);
  };
  EXPECT_EQ(gradient_with(1), gradient_with(4));
}

TEST(OwnTasks, RefuseTasksOfDifferentLengthsByNameAndLength) {
  ThreadPool pool({1});
  auto tasks = quadratic_tasks();
  tasks.push_back(std::make_unique<QuadraticTask>(std::vector<double>{1.0, 1.0},
                                                  std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(message_of<UsageError>([&] { own_tasks(std::move(tasks), pool); }),
            "task 3 has 2 parameters and task 0 has 3; all tasks must have the same number");
  EXPECT_EQ(message_of<UsageError>([&] { own_tasks(Tasks{}, pool); }),
            "there must be at least one task, got none");
  EXPECT_EQ(message_of<UsageError>([&] { own_tasks(Tasks(1), pool); }), "task 0 is a null pointer");
}

TEST(OwnTasks, SayWhatATaskLacks) {
  ThreadPool pool({1});
  Tasks tasks;
  tasks.push_back(std::make_unique<GradientOnly>());
  const auto own = own_tasks(std::move(tasks), pool);
  Matrix<double> w(1, 1);
  EXPECT_EQ(message_of<Error>([&] { own->hessian_product({}, w, w, w); }),
            "task 0 has no Hessian product");
  EXPECT_EQ(message_of<UsageError>([&] { own->curvatures(); }),
            "task 0 has curvature bounds 2 and 1, expected 0 <= least <= most");
}

}  // namespace
}  // namespace mugrad
