// SPDX-License-Identifier: MIT
#include "objective/plain_reference.h"
#include "support/every_target.h"
#include "support/golden.h"
#include "support/random_problem.h"
#include "support/task_subsets.h"

#include <mugrad/data/representation.h>
#include <mugrad/objective/linear_tasks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::has;
using testing::largest_difference;
using testing::plain_reference;
using testing::random_problem;
using testing::random_weights;

/// What tasks are tested with: both losses, with and without each of their parts.
struct Variant {
  LossKind loss = LossKind::logistic;
  double l1 = 0;
  bool is_weighted = false;
  bool has_unknown = false;
  bool has_row_weights = false;
  bool has_unused = false;
};

constexpr Variant kVariants[] = {{},
                                 {.l1 = 0.05},
                                 {.is_weighted = true},
                                 {.has_unknown = true},
                                 {.has_row_weights = true},
                                 {.has_unused = true},
                                 {.l1 = 0.05,
                                  .is_weighted = true,
                                  .has_unknown = true,
                                  .has_row_weights = true,
                                  .has_unused = true},
                                 {.loss = LossKind::squared, .l1 = 0.05},
                                 {.loss = LossKind::squared, .is_weighted = true},
                                 {.loss = LossKind::squared, .has_unknown = true},
                                 {.loss = LossKind::squared, .has_row_weights = true},
                                 {.loss = LossKind::squared, .has_unused = true}};

/// Entries that are neither a one nor in the first two rows are unknown now and then.
BinaryMatrix some_unknown(const BinaryMatrix& labels) {
  BinaryMatrix unknown{.cols = labels.cols, .row_start = {0}, .column = {}};
  RandomStream random(1, "unknown");
  for (Index row = 0; row < labels.rows(); ++row) {
    for (LabelId t = 0; t < labels.cols; ++t) {
      const bool drawn = random.uniform() < 0.4;
      if (row > 1 && drawn && !has(labels, row, t)) unknown.column.push_back(t);
    }
    unknown.end_row();
  }
  return unknown;
}

/// Every third feature is not for every other task, the first such feature for none.
BinaryMatrix some_unused(Index features, Index tasks) {
  BinaryMatrix unused{.cols = tasks, .row_start = {0}, .column = {}};
  for (Index k = 0; k < features; ++k) {
    for (LabelId t = 0; t < tasks && k % 3 == 1; ++t) {
      if (k == 1 || t % 2 == 0) unused.column.push_back(t);
    }
    unused.end_row();
  }
  return unused;
}

/// Unknown labels and unused features of a problem, which options point to.
struct Parts {
  explicit Parts(const Dataset& data)
      : unknown(some_unknown(data.y)), unused(some_unused(data.features(), data.labels())) {}
  BinaryMatrix unknown, unused;
};

LinearTaskOptions options_of(const Variant& variant, const Parts& parts) {
  const BinaryMatrix& unknown = parts.unknown;
  LinearTaskOptions options{.loss = variant.loss, .rho = 0.1, .l1 = variant.l1, .l1_sharpness = 20};
  if (variant.has_unknown) options.unknown = &unknown;
  if (variant.has_unused) options.unused = &parts.unused;
  for (Index row = 0; variant.has_row_weights && row < unknown.rows(); ++row) {
    // Runs of equal ones, and some that do not count.
    options.row_weights.push_back(row < 2 ? 1.5 : static_cast<double>(row / 3 % 4));
  }
  for (Index t = 0; variant.is_weighted && t < unknown.cols; ++t) {
    options.positive_weights.push_back(0.5 + static_cast<double>(t % 4));
  }
  return options;
}

/// Shapes at and around where panels and chunks of the pass end.
const testing::ProblemShape kShapes[] = {
    {.rows = 1, .features = 3, .labels = 2},    {.rows = 40, .features = 1, .labels = 1},
    {.rows = 63, .features = 4, .labels = 63},  {.rows = 64, .features = 4, .labels = 64},
    {.rows = 65, .features = 4, .labels = 65},  {.rows = 257, .features = 7, .labels = 129},
    {.rows = 700, .features = 9, .labels = 3},  {.rows = 2100, .features = 3, .labels = 5},
    {.rows = 50, .features = 130, .labels = 6}, {.rows = 30, .features = 3, .labels = 300},
};

void expect_plain_reference(const Dataset& data, RepresentationKind kind, const Variant& variant) {
  const auto weights = random_weights(data.features() + 1, data.labels(), 3);
  const auto transform = feature_transform(fit_representation(data.x, kind));
  const Parts parts(data);
  const auto options = options_of(variant, parts);
  const auto expected = plain_reference(data.x, transform, data.y, options, weights);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    ThreadPool pool({2});
    const auto tasks = linear_tasks<double>(x, transform, data.y, options, pool);
    Matrix<double> gradient(weights.rows(), weights.cols());
    std::vector<double> values(expected.values.size());
    auto curvatures = values;
    tasks->gradient({}, weights, gradient, {.values = values, .mean_curvatures = curvatures});
    // Means of at most 2100 terms of order one.
    EXPECT_LE(largest_difference(gradient, expected.gradient), 1e-12);
    for (std::size_t t = 0; t < values.size(); ++t) {
      EXPECT_NEAR(values[t], expected.values[t], 1e-12);
      EXPECT_NEAR(curvatures[t], expected.mean_curvatures[t], 1e-12);
    }
  }
}

TEST(LinearTasks, EveryPassEqualsThePlainReference) {
  for (auto shape : kShapes) {
    for (const double density : {1.0, 0.2}) {
      shape.feature_probability = density;
      const auto data = random_problem(shape, 11);
      for (const auto kind : representation_kinds()) {
        for (const auto& variant : kVariants) expect_plain_reference(data, kind, variant);
      }
    }
  }
}

void expect_derivative_of_gradient(TaskSet<double>& tasks, const Matrix<double>& weights,
                                   const Matrix<double>& direction) {
  constexpr double kStep = 1e-5;
  auto ahead = weights;
  auto behind = weights;
  for (std::size_t k = 0; k < ahead.values().size(); ++k) {
    ahead.values()[k] += kStep * direction.values()[k];
    behind.values()[k] -= kStep * direction.values()[k];
  }
  Matrix<double> product(weights.rows(), weights.cols());
  auto up = product;
  auto down = product;
  tasks.hessian_product({}, weights, direction, product);
  tasks.gradient({}, ahead, up, {});
  tasks.gradient({}, behind, down, {});
  for (std::size_t k = 0; k < up.values().size(); ++k) {
    // The third derivative of the smoothed L1 is of order l1 a^2 = 20.
    EXPECT_NEAR(product.values()[k], (up.values()[k] - down.values()[k]) / (2 * kStep), 2e-7);
  }
}

TEST(LinearTasks, HessianProductIsTheDerivativeOfTheGradient) {
  const auto data = random_problem({.rows = 90, .features = 6, .labels = 70}, 5);
  const auto transform = feature_transform(fit_representation(data.x, RepresentationKind::zscore));
  const Parts parts(data);
  for (const auto& variant : kVariants) {
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      ThreadPool pool({1});
      const auto tasks =
          linear_tasks<double>(x, transform, data.y, options_of(variant, parts), pool);
      expect_derivative_of_gradient(*tasks, random_weights(7, 70, 1), random_weights(7, 70, 2, 1));
    }
  }
}

TEST(LinearTasks, SquaredLossFromTheGramMatrixEqualsThatOfThePass) {
  for (const auto& shape : kShapes) {
    const auto data = random_problem(shape, 12);
    const auto transform =
        feature_transform(fit_representation(data.x, RepresentationKind::zscore));
    const auto weights = random_weights(shape.features + 1, shape.labels, 9);
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      ThreadPool pool({2});
      LinearTaskOptions options{.loss = LossKind::squared, .rho = 0.1};
      const auto gram = linear_tasks<double>(x, transform, data.y, options, pool);
      options.positive_weights.assign(static_cast<std::size_t>(shape.labels), 1);
      const auto pass = linear_tasks<double>(x, transform, data.y, options, pool);
      std::vector<double> values(static_cast<std::size_t>(shape.labels));
      auto other_values = values;
      Matrix<double> gradient(weights.rows(), weights.cols());
      auto other = gradient;
      gram->gradient({}, weights, gradient, {.values = values});
      pass->gradient({}, weights, other, {.values = other_values});
      EXPECT_LE(largest_difference(gradient, other), 1e-12);
      for (std::size_t t = 0; t < values.size(); ++t)
        EXPECT_NEAR(values[t], other_values[t], 1e-12);
      EXPECT_NEAR(gram->curvature(), pass->curvature(), 1e-9 * pass->curvature());
    }
  }
}

TEST(LinearTasks, SinglePrecisionFollowsDouble) {
  const auto data = random_problem({.rows = 500, .features = 20, .labels = 10}, 8);
  const Parts parts(data);
  const auto weights = random_weights(21, 10, 4);
  Matrix<float> rounded(21, 10);
  for (std::size_t k = 0; k < weights.values().size(); ++k) {
    rounded.values()[k] = static_cast<float>(weights.values()[k]);
  }
  for (const auto& variant : kVariants) {
    ThreadPool pool({1});
    const auto options = options_of(variant, parts);
    const auto exact = linear_tasks<double>(data.x, {}, data.y, options, pool);
    const auto single = linear_tasks<float>(data.x, {}, data.y, options, pool);
    Matrix<double> expected(21, 10);
    Matrix<float> actual(21, 10);
    exact->gradient({}, weights, expected, {});
    single->gradient({}, rounded, actual, {});
    for (std::size_t k = 0; k < expected.values().size(); ++k) {
      EXPECT_NEAR(static_cast<double>(actual.values()[k]), expected.values()[k], 1e-5);
    }
  }
}

TEST(LinearTasks, CallForSomeTasksGivesTheirColumnsOfTheCallForAll) {
  for (auto shape : kShapes) {
    shape.feature_probability = 0.3;
    const auto data = random_problem(shape, 13);
    const auto transform =
        feature_transform(fit_representation(data.x, RepresentationKind::zscore));
    const Parts parts(data);
    const auto weights = random_weights(shape.features + 1, shape.labels, 3);
    const auto direction = random_weights(shape.features + 1, shape.labels, 4);
    for (const auto& variant : kVariants) {
      for (const Features& x : {data.x, as_sparse(data.x)}) {
        ThreadPool pool({2});
        const auto tasks =
            linear_tasks<double>(x, transform, data.y, options_of(variant, parts), pool);
        testing::expect_subsets_are_columns(*tasks, weights, direction, 1e-13);
      }
    }
  }
}

TEST(LinearTasks, PartsOfTheRowsDividedByAllExamplesAddUp) {
  const auto data = random_problem({.rows = 60, .features = 4, .labels = 3}, 5);
  const auto weights = random_weights(5, 3, 6);
  ThreadPool pool(Threads{1});
  const auto gradient_of = [&](const Dataset& rows, const LinearTaskOptions& options) {
    Matrix<double> gradient(5, 3);
    std::vector<double> values(3);
    linear_tasks<double>(rows.x, {}, rows.y, options, pool)
        ->gradient({}, weights, gradient, {.values = values});
    return std::pair(gradient, values);
  };
  const auto [whole, whole_values] = gradient_of(data, {});
  Matrix<double> sum(5, 3);
  std::vector<double> sum_values(3, 0);
  for (const Index begin : {0, 20}) {
    std::vector<Index> rows;
    for (Index row = begin; row < (begin == 0 ? 20 : 60); ++row) rows.push_back(row);
    const auto [part, values] =
        gradient_of(select_rows(data, rows), {.examples = std::vector<double>(3, 60)});
    for (Index k = 0; k < sum.size(); ++k) sum.data()[k] += part.data()[k];
    for (std::size_t t = 0; t < 3; ++t) sum_values[t] += values[t];
  }
  EXPECT_LE(largest_difference(sum, whole), 1e-14);
  for (std::size_t t = 0; t < 3; ++t) EXPECT_NEAR(sum_values[t], whole_values[t], 1e-14);
}

TEST(LinearTasks, BitsFollowFromTheMostTasksOfACallAndNotFromAllTasks) {
  // Rows are cut by the columns that a pass has room for: ten tasks of forty are ten alone.
  const auto data =
      random_problem({.rows = 6000, .features = 9, .labels = 40, .feature_probability = 0.5}, 7);
  const auto x = as_sparse(data.x);
  std::vector<Index> which(10);
  std::iota(which.begin(), which.end(), Index{0});
  BinaryMatrix few{.cols = 10, .row_start = {0}, .column = {}};
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId t : data.y.row(row)) {
      if (t < 10) few.column.push_back(t);
    }
    few.end_row();
  }
  const auto weights = random_weights(10, 10, 8);
  ThreadPool pool(Threads{2});
  Matrix<double> of_few(10, 10), of_all(10, 10);
  linear_tasks<double>(x, {}, few, {.most_at_once = 10}, pool)->gradient({}, weights, of_few, {});
  linear_tasks<double>(x, {}, data.y, {.most_at_once = 10}, pool)
      ->gradient(which, weights, of_all, {});
  EXPECT_EQ(of_few, of_all);
}

TEST(LinearTasks, ThreadsDoNotChangeASingleBit) {
  for (const auto& shape : kShapes) {
    const auto data = random_problem(shape, 21);
    const auto weights = random_weights(shape.features + 1, shape.labels, 9);
    for (const auto loss : {LossKind::logistic, LossKind::squared}) {
      for (const Features& x : {data.x, as_sparse(data.x)}) {
        std::vector<Matrix<double>> results;
        for (const int threads : {1, 2, 4}) {
          ThreadPool pool({threads});
          const auto tasks = linear_tasks<double>(x, {}, data.y, {.loss = loss, .rho = 0.1}, pool);
          results.emplace_back(weights.rows(), weights.cols());
          tasks->gradient({}, weights, results.back(), {});
        }
        EXPECT_EQ(results[0], results[1]);
        EXPECT_EQ(results[0], results[2]);
      }
    }
  }
}

TEST(LinearTasks, SparseCallsForSomeTasksAreTheColumnsOfTheCallForAllToTheBit) {
  for (const auto& shape : kShapes) {
    const auto data = random_problem(shape, 22);
    const auto x = as_sparse(data.x);
    ThreadPool pool({2});
    const auto tasks = linear_tasks<double>(x, {}, data.y, {.rho = 0.1}, pool);
    testing::expect_subsets_are_columns(*tasks, random_weights(shape.features + 1, shape.labels, 9),
                                        random_weights(shape.features + 1, shape.labels, 8), 0);
  }
}

/// Every number of labels up to more than two panels of floats, and of doubles.
template <class Real>
void expect_plain_gradient_at_every_width() {
  const auto all =
      random_problem({.rows = 9, .features = 5, .labels = 130, .feature_probability = 0.5}, 14);
  for (LabelId labels = 1; labels <= 130; ++labels) {
    BinaryMatrix y{.cols = labels, .row_start = {0}, .column = {}};
    for (Index row = 0; row < all.rows(); ++row) {
      for (const LabelId label : all.y.row(row)) {
        if (label < labels) y.column.push_back(label);
      }
      y.end_row();
    }
    const auto weights = random_weights(6, labels, 3);
    Matrix<Real> rounded(6, labels);
    std::ranges::transform(weights.values(), rounded.values().begin(),
                           [](double w) { return static_cast<Real>(w); });
    const LinearTaskOptions options{.rho = 0.1};
    const auto expected = plain_reference(all.x, {}, y, options, weights);
    for (const Features& x : {all.x, as_sparse(all.x)}) {
      ThreadPool pool({1});
      Matrix<Real> gradient(6, labels);
      linear_tasks<Real>(x, {}, y, options, pool)->gradient({}, rounded, gradient, {});
      for (std::size_t k = 0; k < gradient.values().size(); ++k) {
        // Means of nine terms of order one.
        EXPECT_NEAR(static_cast<double>(gradient.values()[k]), expected.gradient.values()[k],
                    16 * static_cast<double>(std::numeric_limits<Real>::epsilon()));
      }
    }
  }
}

TEST(LinearTasks, GradientEqualsThePlainReferenceForEveryNumberOfLabelsOnEveryTarget) {
  testing::for_each_target([] {
    expect_plain_gradient_at_every_width<float>();
    expect_plain_gradient_at_every_width<double>();
  });
}

/// The steepest curvature of each task at a point, found by power steps.
std::vector<double> steepest(TaskSet<double>& tasks, const Matrix<double>& at,
                             Matrix<double> direction) {
  Matrix<double> product(at.rows(), at.cols());
  std::vector<double> largest(static_cast<std::size_t>(at.cols()));
  for (int step = 0; step < 50; ++step) {
    tasks.hessian_product({}, at, direction, product);
    for (Index t = 0; t < at.cols(); ++t) {
      double squares = 0;
      double curvature = 0;
      for (Index k = 0; k < at.rows(); ++k) {
        squares += direction(k, t) * direction(k, t);
        curvature += direction(k, t) * product(k, t);
      }
      auto& so_far = largest[static_cast<std::size_t>(t)];
      so_far = std::max(so_far, curvature / squares);
    }
    direction = product;
  }
  return largest;
}

TEST(LinearTasks, CurvatureBoundsEveryHessian) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto data = random_problem({.rows = 30, .features = 6, .labels = 3}, seed);
    const Parts parts(data);
    const auto direction = random_weights(7, 3, seed + 100, 1);
    ThreadPool pool({1});
    for (const auto& variant : kVariants) {
      for (const Features& x : {data.x, as_sparse(data.x)}) {
        const auto tasks = linear_tasks<double>(x, {}, data.y, options_of(variant, parts), pool);
        const auto ranges = tasks->curvatures();
        for (const auto& at : {random_weights(7, 3, seed, 0.1), Matrix<double>(7, 3)}) {
          const auto found = steepest(*tasks, at, direction);
          for (std::size_t t = 0; t < 3; ++t) EXPECT_LE(found[t], ranges[t].most);
        }
      }
    }
  }
}

TEST(LinearTasks, CurvatureBoundIsReachedAtZero) {
  // There every example weighs as much as it can, and so does the smoothed L1; the bound counts a
  // margin and, for the intercept too, the penalties.
  for (const auto loss : {LossKind::logistic, LossKind::squared}) {
    for (const double l1 : {0.0, 0.01}) {
      const auto data = random_problem({.rows = 30, .features = 6, .labels = 3}, 2);
      ThreadPool pool({1});
      const auto tasks = linear_tasks<double>(
          data.x, {}, data.y, {.loss = loss, .rho = 0.1, .l1 = l1, .l1_sharpness = 20}, pool);
      const auto found = steepest(*tasks, Matrix<double>(7, 3), random_weights(7, 3, 102, 1));
      EXPECT_GE(1.03 * found[0] + 0.1 + 10 * l1, tasks->curvature());
    }
  }
}

TEST(LinearTasks, SquaredLossIsNowhereFlatterThanItsLeastCurvature) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto data = random_problem({.rows = 60, .features = 4, .labels = 2}, seed);
    ThreadPool pool({1});
    const auto tasks =
        linear_tasks<double>(data.x, {}, data.y, {.loss = LossKind::squared, .rho = 0.1}, pool);
    const double least = tasks->curvatures()[0].least;
    EXPECT_GT(least, 0);
    Matrix<double> product(5, 2);
    for (std::uint64_t draw = 0; draw < 200; ++draw) {
      const auto direction = random_weights(5, 2, draw, 1);
      tasks->hessian_product({}, Matrix<double>(5, 2), direction, product);
      double curvature = 0;
      double squares = 0;
      for (Index k = 0; k < 5; ++k) {
        curvature += direction(k, 0) * product(k, 0);
        squares += direction(k, 0) * direction(k, 0);
      }
      EXPECT_GE(curvature, least * squares);
    }
  }
}

}  // namespace
}  // namespace mugrad
