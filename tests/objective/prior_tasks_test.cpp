// SPDX-License-Identifier: MIT
// Equation (23): examples that are known by their curvature alone.
#include "objective/prior_tasks.h"

#include "objective/curvature_sums.h"
#include "objective/plain_reference.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

using testing::random_problem;
using testing::random_weights;

BinaryMatrix some_unknown(const BinaryMatrix& labels) {
  BinaryMatrix unknown{.cols = labels.cols};
  for (Index row = 0; row < labels.rows(); ++row) {
    for (LabelId label = 0; label < labels.cols; ++label) {
      const bool is_one = std::ranges::binary_search(labels.row(row), label);
      if (!is_one && (row * 3 + label) % 7 == 0) unknown.column.push_back(label);
    }
    unknown.end_row();
  }
  return unknown;
}

/// sum over the known examples of c l''(z) a a', of one task, as plain loops.
Matrix<double> plain_hessian(const Dataset& data, const FeatureTransform& transform,
                             const LinearTaskOptions& options, const Matrix<double>& w, LabelId t) {
  Matrix<double> hessian(data.features() + 1, data.features() + 1);
  for (Index i = 0; i < data.rows(); ++i) {
    if (options.unknown != nullptr && testing::has(*options.unknown, i, t)) continue;
    std::vector<double> a = {1};
    for (const double x : testing::plain_row(data.x, transform, i)) a.push_back(x);
    double z = 0;
    for (std::size_t k = 0; k < a.size(); ++k) z += a[k] * w(static_cast<Index>(k), t);
    double c = testing::plain_curvature(options.loss, z);
    if (!options.row_weights.empty()) c *= options.row_weights[static_cast<std::size_t>(i)];
    if (!options.positive_weights.empty() && testing::has(data.y, i, t)) {
      c *= options.positive_weights[static_cast<std::size_t>(t)];
    }
    for (std::size_t k = 0; k < a.size(); ++k) {
      for (std::size_t l = 0; l < a.size(); ++l) {
        hessian(static_cast<Index>(k), static_cast<Index>(l)) += c * a[k] * a[l];
      }
    }
  }
  return hessian;
}

/// Q R Q of one task, and its largest difference to the Hessian.
double largest_error(const CurvatureSums& sums, LabelId t, const Matrix<double>& hessian) {
  double largest = 0;
  for (Index k = 0; k < hessian.rows(); ++k) {
    for (Index l = 0; l < hessian.rows(); ++l) {
      double r = k == l ? 1 : 0;
      for (Index j = 0; j < sums.factor.rows() && k != l; ++j) {
        r += static_cast<double>(sums.factor(j, k)) * static_cast<double>(sums.factor(j, l));
      }
      const double q = std::sqrt(static_cast<double>(sums.diagonal(k, t)) *
                                 static_cast<double>(sums.diagonal(l, t)));
      largest = std::max(largest, std::fabs(q * r - hessian(k, l)));
    }
  }
  return largest;
}

TEST(CurvatureSums, DiagonalIsThatOfTheHessian) {
  auto data = random_problem({.rows = 50, .features = 6, .labels = 19}, 4);
  const auto unknown = some_unknown(data.y);
  const Matrix<double> w = random_weights(7, 19, 5);
  LinearTaskOptions options{.positive_weights = std::vector<double>(19, 2.5), .unknown = &unknown};
  for (Index i = 0; i < data.rows(); ++i) options.row_weights.push_back(i % 3 == 0 ? 0 : 1.5);
  const FeatureTransform transform{.shift = {1, 0, 0.5, -2, 0, 30}, .factor = {1, 2, 1, 1, 3, 1}};
  ThreadPool pool({2});
  for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
    data.x = x;
    for (const LossKind loss : {LossKind::logistic, LossKind::squared}) {
      options.loss = loss;
      const auto sums =
          curvature_sums<double>(x, transform, data.y, options, w, false, pool, nullptr);
      for (LabelId t = 0; t < data.labels(); ++t) {
        const auto hessian = plain_hessian(data, transform, options, w, t);
        for (Index k = 0; k < hessian.rows(); ++k) {
          // It is stored in single precision.
          EXPECT_NEAR(sums.diagonal(k, t), hessian(k, k), 1e-6 * (1 + hessian(k, k)));
        }
      }
    }
  }
}

TEST(CurvatureSums, OfSquaredLossesAndFewFeaturesAreTheHessian) {
  const auto data = random_problem({.rows = 60, .features = 7, .labels = 2}, 6);
  const FeatureTransform transform{.shift = {1, 0, 0.5, -2, 0, 3, 0}, .factor = {}};
  const LinearTaskOptions options{.loss = LossKind::squared};
  const Matrix<double> w(8, 2);
  ThreadPool pool({1});
  const auto sums =
      curvature_sums<double>(data.x, transform, data.y, options, w, true, pool, nullptr);
  EXPECT_LT(largest_error(sums, 1, plain_hessian(data, transform, options, w, 1)), 1e-3);
}

TEST(CurvatureSums, OfTwoPartsAreThoseOfTheWhole) {
  const auto data = random_problem({.rows = 90, .features = 7, .labels = 2}, 8);
  const LinearTaskOptions options{.loss = LossKind::squared};
  const Matrix<double> w(8, 2);
  ThreadPool pool({1});
  const auto of_rows = [&](Index begin, Index end) {
    std::vector<Index> rows;
    for (Index i = begin; i < end; ++i) rows.push_back(i);
    const auto part = select_rows(data, rows);
    return curvature_sums<double>(part.x, {}, part.y, options, w, true, pool, nullptr);
  };
  const auto both = added(of_rows(0, 70), of_rows(70, 90));
  EXPECT_LE(both.factor.rows(), 8);
  EXPECT_LT(largest_error(both, 0, plain_hessian(data, {}, options, w, 0)), 1e-3);
}

/// Tasks of 40 examples with a prior of random numbers.
struct Prepared {
  Dataset data = random_problem({.rows = 40, .features = 5, .labels = 35}, 11);
  ThreadPool pool{Threads{2}};
  QuadraticPrior<double> prior;

  std::unique_ptr<LinearTaskSet<double>> own() {
    LinearTaskOptions options{.rho = 0.1, .examples = std::vector<double>(35, 100)};
    return linear_tasks<double>(data.x, {}, data.y, options, pool);
  }
  explicit Prepared(bool with_factor) {
    prior.centre = random_weights(6, 35, 1);
    prior.slope = random_weights(6, 35, 2);
    prior.root = random_weights(6, 35, 3);
    for (double& entry : prior.root.values()) entry = std::fabs(entry);
    if (with_factor) prior.factor = random_weights(2, 6, 4, 0.3);
    for (int t = 0; t < 35; ++t) prior.ridge.push_back(0.01 * t);
    prior.first_ridged = 1;
    prior.own_share = 0.4;
  }

  /// (Q R Q + ridge) d of task t.
  std::vector<double> product(Index t, const std::vector<double>& d) const {
    std::vector<double> result(6);
    for (Index k = 0; k < 6; ++k) {
      for (Index l = 0; l < 6; ++l) {
        double r = 0;
        for (Index j = 0; j < prior.factor.rows(); ++j)
          r += prior.factor(j, k) * prior.factor(j, l);
        if (k == l) r = 1;
        result[static_cast<std::size_t>(k)] +=
            prior.root(k, t) * r * prior.root(l, t) * d[static_cast<std::size_t>(l)];
      }
      if (k > 0) {
        result[static_cast<std::size_t>(k)] +=
            prior.ridge[static_cast<std::size_t>(t)] * d[static_cast<std::size_t>(k)];
      }
    }
    return result;
  }
};

class PriorTasksTest : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(WithAndWithoutAFactor, PriorTasksTest, ::testing::Bool());

TEST_P(PriorTasksTest, AddTheQuadraticFunctionToTheTasks) {
  Prepared given(GetParam());
  const auto own = given.own();
  PriorTasks<double> tasks(given.own(), given.prior, given.pool);
  const std::vector<Index> which = {0, 3, 33, 34};
  const Matrix<double> w = random_weights(6, 4, 21);
  const Matrix<double> d = random_weights(6, 4, 22);
  Matrix<double> gradient(6, 4), expected(6, 4), product(6, 4), expected_product(6, 4);
  std::vector<double> values(4), own_values(4), curvatures(4), own_curvatures(4);
  tasks.gradient(which, w, gradient, {.values = values, .mean_curvatures = curvatures});
  own->gradient(which, w, expected, {.values = own_values, .mean_curvatures = own_curvatures});
  tasks.hessian_product(which, w, d, product);
  own->hessian_product(which, w, d, expected_product);
  for (Index t = 0; t < 4; ++t) {
    const Index task = which[static_cast<std::size_t>(t)];
    std::vector<double> moved, direction;
    for (Index k = 0; k < 6; ++k) {
      moved.push_back(w(k, t) - given.prior.centre(k, task));
      direction.push_back(d(k, t));
    }
    const auto curved = given.product(task, moved);
    const auto along = given.product(task, direction);
    double value = 0;
    for (Index k = 0; k < 6; ++k) {
      const auto at = static_cast<std::size_t>(k);
      value += moved[at] * (given.prior.slope(k, task) + curved[at] / 2);
      EXPECT_NEAR(gradient(k, t), expected(k, t) + given.prior.slope(k, task) + curved[at], 1e-12);
      EXPECT_NEAR(product(k, t), expected_product(k, t) + along[at], 1e-12);
    }
    const auto at = static_cast<std::size_t>(t);
    EXPECT_NEAR(values[at], own_values[at] + value, 1e-12);
    const double root = given.prior.root(0, task);
    EXPECT_NEAR(curvatures[at], own_curvatures[at] + root * root, 1e-12);
  }
}

TEST_P(PriorTasksTest, CurvatureBoundsTheHessian) {
  Prepared given(GetParam());
  PriorTasks<double> tasks(given.own(), given.prior, given.pool);
  const auto ranges = tasks.curvatures();
  const Matrix<double> w = random_weights(6, 35, 5);
  Matrix<double> d = random_weights(6, 35, 6), product(6, 35);
  for (int power = 0; power < 50; ++power) {
    tasks.hessian_product({}, w, d, product);
    for (Index t = 0; t < 35; ++t) {
      double length = 0;
      for (Index k = 0; k < 6; ++k) length += product(k, t) * product(k, t);
      for (Index k = 0; k < 6; ++k) d(k, t) = product(k, t) / std::sqrt(length);
      if (power == 49) {
        EXPECT_LE(std::sqrt(length), ranges[static_cast<std::size_t>(t)].most * (1 + 1e-9));
      }
    }
  }
}

TEST(PriorTasks, SharedCurvatureIsThatOfBothGroupsOfExamples) {
  const auto data = random_problem({.rows = 100, .features = 6, .labels = 2}, 12);
  std::vector<Index> first, last;
  for (Index i = 0; i < 100; ++i) (i < 70 ? first : last).push_back(i);
  const auto before = select_rows(data, first);
  const auto now = select_rows(data, last);
  ThreadPool pool({1});
  const LinearTaskOptions options{.loss = LossKind::squared, .rho = 0.1};
  const Matrix<double> w(7, 2);
  const auto sums = curvature_sums<double>(before.x, {}, before.y, options, w, true, pool, nullptr);
  QuadraticPrior<double> prior{.centre = w, .slope = w, .root = w, .own_share = 0.3};
  for (Index k = 0; k < 7; ++k) {
    for (Index t = 0; t < 2; ++t) {
      prior.root(k, t) = std::sqrt(static_cast<double>(sums.diagonal(k, t)) / 100);
    }
  }
  prior.factor = Matrix<double>(sums.factor.rows(), sums.factor.cols());
  std::ranges::copy(sums.factor.values(), prior.factor.values().begin());
  LinearTaskOptions of_all = options;
  of_all.examples = {100, 100};
  PriorTasks<double> tasks(linear_tasks<double>(now.x, {}, now.y, of_all, pool), prior, pool);
  const auto whole = linear_tasks<double>(data.x, {}, data.y, options, pool);
  const auto* const found = tasks.shared_curvature();
  const auto* const expected = whole->shared_curvature();
  ASSERT_EQ(found->eigenvalues.size(), expected->eigenvalues.size());
  for (std::size_t j = 0; j < expected->eigenvalues.size(); ++j) {
    EXPECT_NEAR(found->eigenvalues[j], expected->eigenvalues[j], 1e-5);
  }
  for (std::size_t k = 0; k < expected->mean.size(); ++k) {
    EXPECT_NEAR(found->mean[k], expected->mean[k], 1e-5);
  }
  EXPECT_EQ(found->ridge, expected->ridge);
}

}  // namespace
}  // namespace mugrad
