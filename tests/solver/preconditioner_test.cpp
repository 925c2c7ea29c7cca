// SPDX-License-Identifier: MIT
#include "solver/preconditioner.h"

#include "support/golden.h"
#include "support/random_problem.h"

#include <mugrad/data/representation.h>
#include <mugrad/objective/linear_tasks.h>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace mugrad {
namespace {

using testing::largest_difference;
using testing::random_weights;

/// Features with means, whose covariance has eigenvalues far apart: each is the one before and
/// some noise.
Dataset related_features(Index features) {
  auto data = testing::random_problem({.rows = 80, .features = features, .labels = 5}, 4);
  Matrix<double> x = data.x.dense();
  for (Index i = 0; i < x.rows(); ++i) {
    double scale = 1;
    for (Index k = 1; k < features; ++k) {
      scale *= 0.4;
      x(i, k) = x(i, k - 1) + scale * x(i, k);
    }
  }
  data.x = x;
  return data;
}

struct Setting {
  Index features = 4;
  LossKind loss = LossKind::squared;
  double rho = 0.05;
  double sigma = 0;
  RepresentationKind representation = RepresentationKind::none;
  Intercepts intercepts = Intercepts::own;
};

struct Problem {
  explicit Problem(const Setting& chosen)
      : setting(chosen),
        data(related_features(chosen.features)),
        matrix(label_transfer(data.y, Similarity::cosine)),
        tasks(linear_tasks<double>(
            data.x, feature_transform(fit_representation(data.x, chosen.representation)), data.y,
            {.loss = chosen.loss, .rho = chosen.rho}, pool)),
        transfer(scalar_transfer<double>(matrix.mbar, chosen.intercepts, pool)),
        preconditioner(tasks->shared_curvature(), tasks->parameters(), *transfer, chosen.sigma,
                       pool) {}

  /// F'(W) v at W = 0.
  Matrix<double> multiplied(const Matrix<double>& v) {
    Matrix<double> product(v.rows(), v.cols());
    Matrix<double> borrowed(v.rows(), v.cols());
    tasks->hessian_product({}, Matrix<double>(v.rows(), v.cols()), v, product);
    transfer->apply(v, borrowed);
    for (std::size_t k = 0; k < product.values().size(); ++k) {
      product.values()[k] += setting.sigma * (v.values()[k] - borrowed.values()[k]);
    }
    return product;
  }
  Matrix<double> applied(const Matrix<double>& in) {
    Matrix<double> out(in.rows(), in.cols());
    preconditioner.apply(in, out);
    return out;
  }

  Setting setting;
  ThreadPool pool{Threads{1}};
  Dataset data;
  TransferMatrix matrix;
  std::unique_ptr<TaskSet<double>> tasks;
  std::unique_ptr<Transfer<double>> transfer;
  Preconditioner<double> preconditioner;
};

double undoing_error(const Setting& setting) {
  Problem problem(setting);
  problem.preconditioner.set_curvatures(std::vector<double>(5, 1));
  const auto* shared = problem.tasks->shared_curvature();
  if (shared == nullptr) throw std::logic_error("linear tasks share their curvature");
  const auto& eigenvalues = shared->eigenvalues;
  for (std::size_t k = 1; k < eigenvalues.size(); ++k) {
    EXPECT_GT(eigenvalues[k - 1], 1.6 * eigenvalues[k]);  // or they would share an inverse
  }
  const auto v = random_weights(problem.tasks->parameters(), 5, 1);
  return largest_difference(problem.applied(problem.multiplied(v)), v);
}

TEST(Preconditioner, InvertsTheHessiansOfSquaredLossesOnFewFeatures) {
  for (const auto representation : {RepresentationKind::none, RepresentationKind::zscore}) {
    EXPECT_LE(undoing_error({.representation = representation}), 1e-9);
  }
}

TEST(Preconditioner, InvertsThemWithTransferToo) {
  for (const double sigma : {0.1, 3.0}) {
    for (const auto representation : {RepresentationKind::none, RepresentationKind::zscore}) {
      EXPECT_LE(undoing_error({.sigma = sigma, .representation = representation}), 1e-9) << sigma;
    }
    EXPECT_LE(undoing_error({.sigma = sigma,
                             .representation = RepresentationKind::zscore,
                             .intercepts = Intercepts::transferred}),
              1e-9);
  }
}

TEST(Preconditioner, InvertsThemWithARidgeOfEachTaskToo) {
  const std::vector<double> ridges = {0.1, 0.7, 0, 3, 20};
  for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
    Problem problem({.representation = RepresentationKind::zscore, .intercepts = intercepts});
    problem.preconditioner.set_curvatures(std::vector<double>(5, 1), ridges);
    const auto v = random_weights(problem.tasks->parameters(), 5, 1);
    auto product = problem.multiplied(v);
    for (Index k = intercepts == Intercepts::own ? 1 : 0; k < v.rows(); ++k) {
      for (Index t = 0; t < 5; ++t) {
        product(k, t) += ridges[static_cast<std::size_t>(t)] * v(k, t);
      }
    }
    EXPECT_LE(largest_difference(problem.applied(product), v), 1e-9);
  }
}

/// sum_i r_i a_i . b_i
double weighted_dot(const Matrix<double>& a, const Matrix<double>& b,
                    const std::vector<double>& r) {
  double sum = 0;
  for (Index t = 0; t < a.cols(); ++t) {
    for (Index k = 0; k < a.rows(); ++k) sum += r[static_cast<std::size_t>(t)] * a(k, t) * b(k, t);
  }
  return sum;
}

void expect_symmetric_and_positive(const Setting& setting, std::uint64_t seed) {
  Problem problem(setting);
  RandomStream random(seed, "bends");
  std::vector<double> curvatures;
  for (int t = 0; t < 5; ++t) curvatures.push_back(std::pow(10, -3 * random.uniform()));
  problem.preconditioner.set_curvatures(curvatures);
  const auto u = random_weights(problem.tasks->parameters(), 5, seed);
  const auto v = random_weights(problem.tasks->parameters(), 5, seed + 50);
  const auto pu = problem.applied(u);
  const auto pv = problem.applied(v);
  const auto& r = problem.matrix.reversing_weights;
  const double size = std::sqrt(weighted_dot(u, pu, r) * weighted_dot(v, pv, r));
  EXPECT_NEAR(weighted_dot(u, pv, r), weighted_dot(pu, v, r), 1e-9 * size);
  EXPECT_GT(weighted_dot(u, pu, r), 0);
  EXPECT_GT(weighted_dot(v, pv, r), 0);
}

TEST(Preconditioner, IsSymmetricAndPositiveInTheInnerProductOfTheTransfer) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const Index features : {3, 90}) {  // all directions are known, and not all
      for (const double sigma : {0.0, 0.2, 5.0}) {
        for (const auto representation : {RepresentationKind::none, RepresentationKind::zscore}) {
          for (const auto intercepts : {Intercepts::own, Intercepts::transferred}) {
            expect_symmetric_and_positive({.features = features,
                                           .loss = LossKind::logistic,
                                           .sigma = sigma,
                                           .representation = representation,
                                           .intercepts = intercepts},
                                          seed);
          }
        }
      }
    }
  }
}

TEST(Preconditioner, FollowsTheCurvatures) {
  for (const double sigma : {0.0, 0.2}) {
    Problem problem({.sigma = sigma, .representation = RepresentationKind::zscore});
    const auto v = random_weights(problem.tasks->parameters(), 5, 1);
    problem.preconditioner.set_curvatures(std::vector<double>(5, 1));
    const auto steep = problem.applied(v);
    problem.preconditioner.set_curvatures(std::vector<double>(5, 0.25));
    const auto flat = problem.applied(v);
    for (Index t = 0; t < 5; ++t) {  // own intercepts depend only on the curvature
      EXPECT_NEAR(steep(0, t), v(0, t), 1e-12);
      EXPECT_NEAR(flat(0, t), 4 * v(0, t), 1e-12);
    }
    EXPECT_GT(largest_difference(steep, flat), 0.1);
  }
}

TEST(Preconditioner, GivesSomeColumnsWhatItGivesThemAmongAll) {
  Problem problem({.features = 6});
  auto v = random_weights(problem.tasks->parameters(), 5, 1);
  problem.preconditioner.set_curvatures(std::vector<double>{1, 0.5, 0.25, 0.1, 0.01});
  auto all = problem.applied(v);
  const std::vector<Index> kept = {0, 3, 4};
  v.keep_columns(kept);
  all.keep_columns(kept);
  problem.preconditioner.set_curvatures(std::vector<double>{1, 0.1, 0.01});
  EXPECT_LE(largest_difference(problem.applied(v), all), 1e-12);
}

TEST(Preconditioner, StaysFiniteWhereNothingCurves) {
  // Twice the same feature, no ridge, and tasks without curvature.
  for (const double sigma : {0.0, 0.2}) {
    auto data = testing::random_problem({.rows = 20, .features = 2, .labels = 3}, 1);
    Matrix<double> x = data.x.dense();
    for (Index i = 0; i < x.rows(); ++i) x(i, 1) = x(i, 0);
    data.x = x;
    ThreadPool pool({1});
    const auto tasks = linear_tasks<double>(data.x, {}, data.y, {.rho = 0}, pool);
    const auto matrix = label_transfer(data.y, Similarity::cosine);
    const auto transfer = scalar_transfer<double>(matrix.mbar, Intercepts::own, pool);
    Preconditioner<double> preconditioner(tasks->shared_curvature(), 3, *transfer, sigma, pool);
    Matrix<double> out(3, 3);
    for (const double curvature : {0.2, 0.0}) {
      preconditioner.set_curvatures(std::vector<double>(3, curvature));
      preconditioner.apply(Matrix<double>(3, 3, 1), out);
      for (const double entry : out.values()) EXPECT_TRUE(std::isfinite(entry));
    }
  }
}

}  // namespace
}  // namespace mugrad
