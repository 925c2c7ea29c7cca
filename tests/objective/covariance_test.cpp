// SPDX-License-Identifier: MIT
#include "linalg/dense/eigenvalues.h"
#include "linalg/pass/design.h"
#include "objective/gram_tasks.h"
#include "objective/plain_reference.h"
#include "objective/smoothed_l1.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::random_problem;

/// Mean and covariance of the transformed features, as plain sums.
struct PlainMoments {
  PlainMoments(const Features& x, const FeatureTransform& transform)
      : mean(static_cast<std::size_t>(x.cols())), covariance(x.cols(), x.cols()) {
    const auto n = static_cast<double>(x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
      const auto row = testing::plain_row(x, transform, i);
      for (std::size_t k = 0; k < row.size(); ++k) mean[k] += row[k] / n;
      for (const double entry : row) mean_square += entry * entry / n;
    }
    for (Index i = 0; i < x.rows(); ++i) {
      const auto row = testing::plain_row(x, transform, i);
      for (std::size_t k = 0; k < row.size(); ++k) {
        for (std::size_t l = 0; l < row.size(); ++l) {
          covariance(static_cast<Index>(k), static_cast<Index>(l)) +=
              (row[k] - mean[k]) * (row[l] - mean[l]) / n;
        }
      }
    }
  }
  /// Descending.
  std::vector<double> eigenvalues() const {
    auto values = symmetric_eigen(covariance).values;
    std::ranges::reverse(values);
    return values;
  }

  std::vector<double> mean;
  Matrix<double> covariance;
  double mean_square = 0;
};

/// Calls work(features, transform) for dense and sparse features, raw and z-scored.
void for_each_form(const Dataset& data,
                   const std::function<void(const Features&, const FeatureTransform&)>& work) {
  for (const auto representation : {RepresentationKind::none, RepresentationKind::zscore}) {
    const auto transform = feature_transform(fit_representation(data.x, representation));
    work(data.x, transform);
    work(as_sparse(data.x), transform);
  }
}

template <class Real>
const SharedCurvature<Real>& shared(TaskSet<Real>& tasks) {
  const auto* curvature = tasks.shared_curvature();
  if (curvature == nullptr) throw std::logic_error("linear tasks share their curvature");
  return *curvature;
}

Dataset some_data(Index features) {
  return random_problem({.rows = 70, .features = features, .labels = 3, .feature_probability = 0.6},
                        8);
}

TEST(Design, MeanSquaresAddUpToThatOfAllFeaturesTogether) {
  const auto data = some_data(9);
  const auto sum = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
  };
  for_each_form(data, [&](const Features& x, const FeatureTransform& transform) {
    const PlainMoments plain(x, transform);
    EXPECT_NEAR(sum(Design<double>(x, transform).mean_squares()), plain.mean_square, 1e-12);
    EXPECT_NEAR(sum(Design<float>(x, transform).mean_squares()), plain.mean_square, 1e-5);
  });
}

TEST(SharedCurvature, HasTheEigenvaluesOfTheCovariance) {
  const auto data = some_data(9);
  for_each_form(data, [&](const Features& x, const FeatureTransform& transform) {
    const PlainMoments plain(x, transform);
    const auto exact = plain.eigenvalues();
    ThreadPool pool({1});
    const auto tasks = linear_tasks<double>(x, transform, data.y, {.rho = 0.1}, pool);
    const auto& curvature = shared(*tasks);
    ASSERT_EQ(curvature.eigenvalues.size(), exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k) {
      EXPECT_NEAR(curvature.eigenvalues[k], exact[k], 1e-10);
      // C v = lambda v
      const auto v = curvature.eigenvectors.row(static_cast<Index>(k));
      for (Index i = 0; i < 9; ++i) {
        const auto row = plain.covariance.row(i);
        EXPECT_NEAR(std::inner_product(row.begin(), row.end(), v.begin(), 0.0),
                    exact[k] * v[static_cast<std::size_t>(i)], 1e-10);
      }
    }
    EXPECT_EQ(curvature.passes, 1);
  });
}

TEST(SharedCurvature, KnowsAllDirectionsOfFewFeatures) {
  const auto data = some_data(150);
  ThreadPool pool({1});
  const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.rho = 0.1}, pool);
  EXPECT_EQ(shared(*tasks).eigenvalues.size(), 150u);
}

TEST(SharedCurvature, HasNoMeanWhereFeaturesAreCentred) {
  const auto data = some_data(9);
  for_each_form(data, [&](const Features& x, const FeatureTransform& transform) {
    const PlainMoments plain(x, transform);
    ThreadPool pool({1});
    const auto tasks = linear_tasks<double>(x, transform, data.y, {.rho = 0.1}, pool);
    const auto rough = linear_tasks<float>(x, transform, data.y, {.rho = 0.1}, pool);
    const auto& mean = shared(*tasks).mean;
    if (!transform.shift.empty()) {
      EXPECT_TRUE(mean.empty());
      EXPECT_TRUE(shared(*rough).mean.empty());
      return;
    }
    ASSERT_EQ(mean.size(), plain.mean.size());
    for (std::size_t k = 0; k < mean.size(); ++k) EXPECT_NEAR(mean[k], plain.mean[k], 1e-14);
  });
}

TEST(SharedCurvature, TakesTheMeanOfTheEigenvaluesItDoesNotKnow) {
  const auto data = some_data(300);
  for_each_form(data, [&](const Features& x, const FeatureTransform& transform) {
    const auto exact = PlainMoments(x, transform).eigenvalues();
    ThreadPool pool({1});
    const auto tasks = linear_tasks<double>(x, transform, data.y, {.rho = 0.1}, pool);
    const auto& curvature = shared(*tasks);
    const auto sum = [](const std::vector<double>& v) {
      return std::accumulate(v.begin(), v.end(), 0.0);
    };
    const auto known = curvature.eigenvalues.size();
    ASSERT_LT(known, 300U);
    EXPECT_NEAR(curvature.rest * static_cast<double>(300 - known),
                sum(exact) - sum(curvature.eigenvalues), 1e-9);
    EXPECT_GE(curvature.rest, 0);
    EXPECT_GT(curvature.passes, 1);
    for (std::size_t k = 0; k < known; ++k) EXPECT_LE(curvature.eigenvalues[k], exact[k] + 1e-9);
  });
}

TEST(SharedCurvature, CountsTheSmoothedL1AsARidge) {
  const auto data = some_data(5);
  ThreadPool pool({1});
  for (const auto loss : {LossKind::logistic, LossKind::squared}) {
    const LinearTaskOptions options{.loss = loss, .rho = 0.1, .l1 = 0.02, .l1_sharpness = 30};
    const auto tasks = linear_tasks<double>(data.x, {}, data.y, options, pool);
    EXPECT_DOUBLE_EQ(shared(*tasks).ridge, 0.1 + 0.02 * SmoothedL1{30}.curvature());
  }
}

TEST(SharedCurvature, IsTheSameFromTheGramMatrix) {
  const auto data = some_data(9);
  for_each_form(data, [&](const Features& x, const FeatureTransform& transform) {
    ThreadPool pool({1});
    const LinearTaskOptions options{.loss = LossKind::squared, .rho = 0.1};
    const auto gram = gram_tasks(Design<double>(x, transform), data.y, options, pool);
    const auto passing = linear_tasks<double>(
        x, transform, data.y,
        {.loss = LossKind::squared, .rho = 0.1, .positive_weights = {1, 1, 1}}, pool);
    const auto& a = shared(*gram);
    const auto& b = shared(*passing);
    ASSERT_EQ(a.eigenvalues.size(), b.eigenvalues.size());
    for (std::size_t k = 0; k < a.eigenvalues.size(); ++k) {
      EXPECT_NEAR(a.eigenvalues[k], b.eigenvalues[k], 1e-10);
    }
    ASSERT_EQ(a.mean.size(), b.mean.size());
    for (std::size_t k = 0; k < a.mean.size(); ++k) EXPECT_NEAR(a.mean[k], b.mean[k], 1e-14);
    EXPECT_EQ(a.ridge, b.ridge);
    EXPECT_NEAR(a.rest, b.rest, 1e-12);
  });
}

}  // namespace
}  // namespace mugrad
