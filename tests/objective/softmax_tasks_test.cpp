// SPDX-License-Identifier: MIT
#include "objective/softmax_tasks.h"

#include "objective/plain_reference.h"
#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::largest_difference;
using testing::random_weights;

constexpr double kRho = 0.07;

struct Shape {
  Index rows, features, classes;
};
/// At and around where panels, chunks and strips of rows end.
constexpr Shape kShapes[] = {{2, 3, 2},    {40, 1, 2},    {63, 4, 7},   {64, 4, 8},   {65, 4, 9},
                             {300, 5, 15}, {300, 5, 16},  {300, 5, 17}, {700, 9, 3},  {2100, 3, 5},
                             {150, 70, 6}, {140, 6, 129}, {600, 3, 65}, {400, 3, 300}};

Features features_of(const Shape& shape, double density) {
  return testing::random_problem({.rows = shape.rows,
                                  .features = shape.features,
                                  .labels = 1,
                                  .feature_probability = density},
                                 9)
      .x;
}

/// Every class has an example.
std::vector<std::int32_t> classes_of(const Shape& shape) {
  RandomStream random(5, "classes");
  std::vector<std::int32_t> classes;
  for (Index row = 0; row < shape.rows; ++row) {
    const auto drawn = random.below(static_cast<std::uint64_t>(shape.classes));
    classes.push_back(static_cast<std::int32_t>(row < shape.classes ? row : Index(drawn / 2)));
  }
  return classes;
}

/// Weights that sum to zero over the classes.
Matrix<double> centred_weights(Index rows, Index cols, std::uint64_t seed) {
  auto weights = random_weights(rows, cols, seed);
  for (Index k = 0; k < rows; ++k) {
    const auto row = weights.row(k);
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(cols);
    for (double& entry : row) entry -= mean;
  }
  return weights;
}

struct Plain {
  Matrix<double> gradient;
  std::vector<double> values, curvatures;
};

Plain plain_softmax(const Features& x, const FeatureTransform& transform,
                    const std::vector<std::int32_t>& classes, const Matrix<double>& w) {
  const auto cols = static_cast<std::size_t>(w.cols());
  const auto n = static_cast<double>(x.rows());
  Plain result{Matrix<double>(w.rows(), w.cols()), std::vector<double>(cols),
               std::vector<double>(cols)};
  std::vector<double> others(cols, 0);
  for (Index i = 0; i < x.rows(); ++i) {
    const auto features = testing::plain_row(x, transform, i);
    std::vector<double> row(features.size() + 1, 1);
    std::ranges::copy(features, row.begin() + 1);
    std::vector<double> p(cols, 0);
    for (std::size_t c = 0; c < cols; ++c) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        p[c] += row[k] * w(static_cast<Index>(k), static_cast<Index>(c));
      }
      p[c] = std::exp(p[c]);
    }
    const double total = std::accumulate(p.begin(), p.end(), 0.0);
    const auto own = static_cast<std::size_t>(classes[static_cast<std::size_t>(i)]);
    result.values[own] -= std::log(p[own] / total) / n;
    for (std::size_t c = 0; c < cols; ++c) {
      p[c] /= total;
      result.curvatures[c] += p[c] * (1 - p[c]) / n;
      others[c] += (1 - p[c]) / n;
      for (std::size_t k = 0; k < row.size(); ++k) {
        result.gradient(static_cast<Index>(k), static_cast<Index>(c)) +=
            (p[c] - (c == own ? 1 : 0)) * row[k] / n;
      }
    }
  }
  for (std::size_t c = 0; c < cols; ++c) result.curvatures[c] /= others[c];
  for (Index k = 1; k < w.rows(); ++k) {
    for (Index c = 0; c < w.cols(); ++c) {
      result.gradient(k, c) += kRho * w(k, c);
      result.values[static_cast<std::size_t>(c)] += kRho / 2 * w(k, c) * w(k, c);
    }
  }
  return result;
}

template <class Real>
struct Problem {
  Problem(const Features& x, const FeatureTransform& transform, std::vector<std::int32_t> of_row,
          Index classes, int threads = 1)
      : pool({threads}),
        design(x, transform),
        shared(softmax_curvature(design, kRho, pool)),
        class_of_row(std::move(of_row)),
        tasks(design, shared, classes, pool) {
    tasks.set_classes(class_of_row, classes);
  }

  ThreadPool pool;
  Design<Real> design;
  SharedCurvature<Real> shared;
  std::vector<std::int32_t> class_of_row;
  SoftmaxTasks<Real> tasks;
};

template <class To, class From>
Matrix<To> converted(const Matrix<From>& from) {
  Matrix<To> to(from.rows(), from.cols());
  for (std::size_t k = 0; k < from.values().size(); ++k) {
    to.values()[k] = static_cast<To>(from.values()[k]);
  }
  return to;
}

template <class Real>
void expect_plain(const Shape& shape, double density, RepresentationKind representation) {
  SCOPED_TRACE(shape.classes);
  const auto dense = features_of(shape, density);
  const auto classes = classes_of(shape);
  const auto transform = feature_transform(fit_representation(dense, representation));
  const auto weights = random_weights(shape.features + 1, shape.classes, 3);
  const auto expected = plain_softmax(dense, transform, classes, weights);
  const double allowed = std::is_same_v<Real, float> ? 2e-5 : 1e-12;
  for (const Features& x : {dense, as_sparse(dense)}) {
    Problem<Real> problem(x, transform, classes, shape.classes, 2);
    Matrix<Real> gradient(weights.rows(), weights.cols());
    std::vector<double> values(expected.values.size());
    auto curvatures = values;
    problem.tasks.gradient({}, converted<Real>(weights), gradient,
                           {.values = values, .mean_curvatures = curvatures});
    EXPECT_LE(largest_difference(converted<double>(gradient), expected.gradient), allowed);
    for (std::size_t c = 0; c < values.size(); ++c) {
      EXPECT_NEAR(values[c], expected.values[c], 10 * allowed);
      EXPECT_NEAR(curvatures[c], expected.curvatures[c], 10 * allowed);
    }
  }
}

TEST(SoftmaxTasks, EveryPassEqualsThePlainReference) {
  for (const Shape& shape : kShapes) {
    for (const double density : {1.0, 0.2}) {
      for (const auto representation : representation_kinds()) {
        expect_plain<double>(shape, density, representation);
        expect_plain<float>(shape, density, representation);
      }
    }
  }
}

TEST(SoftmaxTasks, GradientIsTheDerivativeOfTheSumOfTheValues) {
  constexpr double kStep = 1e-5;
  const Shape shape{90, 4, 6};
  Problem<double> problem(features_of(shape, 1), {}, classes_of(shape), shape.classes);
  auto weights = random_weights(5, 6, 1);
  Matrix<double> gradient(5, 6), ignored(5, 6);
  std::vector<double> values(6);
  const auto value_at = [&](const Matrix<double>& at) {
    problem.tasks.gradient({}, at, ignored, {.values = values});
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  problem.tasks.gradient({}, weights, gradient, {});
  for (std::size_t k = 0; k < weights.values().size(); ++k) {
    const double here = weights.values()[k];
    weights.values()[k] = here + kStep;
    const double up = value_at(weights);
    weights.values()[k] = here - kStep;
    const double down = value_at(weights);
    weights.values()[k] = here;
    EXPECT_NEAR(gradient.values()[k], (up - down) / (2 * kStep), 1e-8);
  }
}

TEST(SoftmaxTasks, HessianProductIsTheDerivativeOfTheGradient) {
  constexpr double kStep = 1e-5;
  for (const Index classes : {2, 6, 70}) {
    const Shape shape{90, 4, classes};
    const auto dense = features_of(shape, 0.5);
    for (const Features& x : {dense, as_sparse(dense)}) {
      Problem<double> problem(x,
                              feature_transform(fit_representation(x, RepresentationKind::zscore)),
                              classes_of(shape), classes);
      const auto weights = random_weights(5, classes, 1);
      const auto direction = random_weights(5, classes, 2, 1);
      auto ahead = weights, behind = weights, product = weights, up = weights, down = weights;
      for (std::size_t k = 0; k < ahead.values().size(); ++k) {
        ahead.values()[k] += kStep * direction.values()[k];
        behind.values()[k] -= kStep * direction.values()[k];
      }
      problem.tasks.hessian_product({}, weights, direction, product);
      problem.tasks.gradient({}, ahead, up, {});
      problem.tasks.gradient({}, behind, down, {});
      for (std::size_t k = 0; k < up.values().size(); ++k) {
        EXPECT_NEAR(product.values()[k], (up.values()[k] - down.values()[k]) / (2 * kStep), 1e-8);
      }
    }
  }
}

TEST(SoftmaxTasks, GradientsSumToZeroOverTheClassesWhereWeightsDo) {
  const Shape shape{200, 6, 9};
  Problem<double> problem(features_of(shape, 1), {}, classes_of(shape), shape.classes);
  const auto weights = centred_weights(7, 9, 4);
  Matrix<double> gradient(7, 9);
  problem.tasks.gradient({}, weights, gradient, {});
  for (Index k = 0; k < 7; ++k) {
    const auto row = gradient.row(k);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 0, 1e-14);
  }
}

TEST(SoftmaxTasks, StartGivesEveryClassItsShare) {
  const Shape shape{100, 3, 4};
  Problem<double> problem(features_of(shape, 1), {}, classes_of(shape), shape.classes);
  const auto start = problem.tasks.start();
  Matrix<double> gradient(4, 4);
  problem.tasks.gradient({}, start, gradient, {});
  double sum = 0;
  for (Index c = 0; c < 4; ++c) {
    EXPECT_NEAR(gradient(0, c), 0, 1e-14);
    sum += start(0, c);
  }
  EXPECT_NEAR(sum, 0, 1e-13);
}

TEST(SoftmaxTasks, NoHessianCurvesMoreThanTheBound) {
  const Shape shape{120, 5, 2};
  Problem<double> problem(features_of(shape, 1), {}, classes_of(shape), shape.classes);
  const double bound = problem.tasks.curvature();
  // With two classes and weights of zero the bound is met along the leading direction.
  auto v = centred_weights(6, 2, 3);
  auto product = v;
  double ratio = 0;
  for (int round = 0; round < 200; ++round) {
    problem.tasks.hessian_product({}, Matrix<double>(6, 2), v, product);
    double squared = 0, length = 0;
    for (std::size_t k = 0; k < v.values().size(); ++k) {
      squared += product.values()[k] * product.values()[k];
      length += v.values()[k] * v.values()[k];
    }
    ratio = std::sqrt(squared / length);
    for (std::size_t k = 0; k < v.values().size(); ++k) {
      v.values()[k] = product.values()[k] / std::sqrt(squared);
    }
  }
  EXPECT_LE(ratio, bound);
  EXPECT_GE(ratio, 0.9 * (bound - kRho));
}

/// Whether a pass goes over rows alone or together with others changes nothing.
TEST(SoftmaxTasks, NeitherThreadsNorSharingChangeABit) {
  for (const Shape& shape : {Shape{900, 40, 150}, Shape{1500, 60, 7}}) {
    const auto dense = features_of(shape, 0.3);
    for (const Features& x : {dense, as_sparse(dense)}) {
      const auto weights = converted<float>(random_weights(shape.features + 1, shape.classes, 2));
      Problem<float> one(x, {}, classes_of(shape), shape.classes, 1);
      Problem<float> many(x, {}, classes_of(shape), shape.classes, 4);
      ThreadPool own_pool({1});
      SoftmaxTasks<float> sharing(many.tasks, own_pool);
      sharing.set_classes(many.class_of_row, shape.classes);
      std::vector<double> values(static_cast<std::size_t>(shape.classes));
      auto curvatures = values, other_values = values, other_curvatures = values;
      auto expected = weights, gradient = weights;
      one.tasks.gradient({}, weights, expected, {.values = values, .mean_curvatures = curvatures});
      for (auto* tasks : {&many.tasks, &sharing}) {
        tasks->gradient({}, weights, gradient,
                        {.values = other_values, .mean_curvatures = other_curvatures});
        EXPECT_EQ(gradient, expected);
        EXPECT_EQ(other_values, values);
        EXPECT_EQ(other_curvatures, curvatures);
      }
    }
  }
}

TEST(SoftmaxTasks, FewerClassesThanThereIsRoomForAreServedAsWell) {
  const Shape shape{300, 6, 5};
  const auto x = features_of(shape, 1);
  Problem<double> exact(x, {}, classes_of(shape), 5);
  Problem<double> roomy(x, {}, classes_of({300, 6, 40}), 40);
  const auto classes = classes_of(shape);
  Matrix<double> large(7, 40);
  roomy.tasks.gradient({}, random_weights(7, 40, 1), large, {});
  roomy.tasks.set_classes(classes, 5);
  const auto weights = random_weights(7, 5, 2);
  auto expected = weights, gradient = weights;
  exact.tasks.gradient({}, weights, expected, {});
  roomy.tasks.gradient({}, weights, gradient, {});
  EXPECT_LE(largest_difference(gradient, expected), 1e-14);
}

}  // namespace
}  // namespace mugrad
