// SPDX-License-Identifier: MIT
#include "method/camel/collaborative_fit.h"

#include "linalg/dense/gaussian_kernel.h"
#include "linalg/dense/lapack.h"
#include "method/camel/label_lasso.h"
#include "support/random_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

using testing::random_problem;
using testing::random_weights;

Matrix<double> times(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> result(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = 0; k < a.cols(); ++k) {
      for (Index j = 0; j < b.cols(); ++j) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}
Matrix<double> flipped(const Matrix<double>& a) {
  Matrix<double> result(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) result(j, i) = a(i, j);
  }
  return result;
}
/// a + factor b.
Matrix<double> sum(Matrix<double> a, double factor, const Matrix<double>& b) {
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) a(i, j) += factor * b(i, j);
  }
  return a;
}
Matrix<double> identity(Index n) {
  Matrix<double> result(n, n);
  for (Index i = 0; i < n; ++i) result(i, i) = 1;
  return result;
}
Matrix<double> inverse(Matrix<double> a) {
  invert(a);
  return a;
}
double squared(const Matrix<double>& a) {
  double total = 0;
  for (const double entry : a.values()) total += entry * entry;
  return total;
}

Matrix<double> correlations(const BinaryMatrix& labels, ThreadPool& pool) {
  Stages stages(nullptr);
  return label_correlations(labels, stages, pool);
}

/// A problem of some examples, and a kernel machine in plain loops.
struct Plain {
  explicit Plain(double share, std::uint64_t seed = 3, Index labels = 4)
      : data(random_problem({.rows = 30, .features = 3, .labels = labels}, seed)),
        kernel(gaussian_kernel(random_weights(30, 3, seed), pool).values),
        y(30, labels, -1),
        g(correlations(data.y, pool)) {
    for (Index i = 0; i < 30; ++i) {
      for (const LabelId label : data.y.row(i)) y(i, label) = 1;
    }
    for (double& entry : g.values()) entry *= share;
    for (Index t = 0; t < labels; ++t) g(t, t) += 1 - share;
  }

  CollaborativeFit solve() {
    Stages stages(nullptr);
    return solve_collaboratively({kernel, data.y, g, lambda1, lambda2}, stages, pool);
  }
  /// H = K / lambda2 + I.
  Matrix<double> h() const { return sum(identity(30), 1 / lambda2, kernel); }
  /// H^-1 - H^-1 1 1' H^-1 / (1' H^-1 1).
  Matrix<double> q() const {
    auto result = inverse(h());
    const auto sums = times(result, Matrix<double>(30, 1, 1));
    double total = 0;
    for (const double entry : sums.values()) total += entry;
    return sum(result, -1 / total, times(sums, flipped(sums)));
  }
  /// The objective of A, b and Z, W being Phi' A / lambda2.
  double objective(const Matrix<double>& a, const Matrix<double>& b,
                   const Matrix<double>& z) const {
    const auto ka = times(kernel, a);
    auto outputs = times(Matrix<double>(30, 1, 1), b);
    outputs = sum(outputs, 1 / lambda2, ka);
    double weights = 0;
    for (Index i = 0; i < a.rows(); ++i) {
      for (Index j = 0; j < a.cols(); ++j) weights += a(i, j) * ka(i, j) / (lambda2 * lambda2);
    }
    return squared(sum(outputs, -1, z)) / 2 + lambda1 / 2 * squared(sum(times(z, g), -1, y)) +
           lambda2 / 2 * weights;
  }

  ThreadPool pool{{1}};
  Dataset data;
  Matrix<double> kernel, y, g;
  double lambda1 = 0.7, lambda2 = 0.2;
};

/// What belongs to a fit whose G has an inverse.
struct Parts {
  Parts(const Plain& plain, const CollaborativeFit& fit) : b(1, plain.g.rows()) {
    const auto back = inverse(plain.g);
    a = times(fit.coefficients, back);
    for (double& entry : a.values()) entry *= plain.lambda2;
    Matrix<double> offset(1, plain.g.rows());
    std::ranges::copy(fit.offset, offset.values().begin());
    b = times(offset, back);
    z = sum(times(plain.h(), a), 1, times(Matrix<double>(30, 1, 1), b));
  }
  Matrix<double> a, b, z;
};

TEST(CollaborativeFit, IsWhereTheAlternatingIterationEnds) {
  for (const double share : {0.0, 0.3, 0.5, 0.8}) {
    Plain plain(share);
    const auto fit = plain.solve();
    const auto h_inverse = inverse(plain.h());
    const auto ones = Matrix<double>(30, 1, 1);
    const auto sums = times(h_inverse, ones);
    double total = 0;
    for (const double entry : sums.values()) total += entry;
    auto mixing = sum(identity(4), plain.lambda1, times(plain.g, flipped(plain.g)));
    invert(mixing);
    const auto pulled = times(plain.y, flipped(plain.g));
    Matrix<double> z = plain.y, a, b;
    for (int round = 0; round < 20000; ++round) {
      b = times(flipped(sums), z);
      for (double& entry : b.values()) entry /= total;
      a = times(h_inverse, sum(z, -1, times(ones, b)));
      const auto outputs = sum(z, -1, a);
      const auto next = times(sum(outputs, plain.lambda1, pulled), mixing);
      const double change = squared(sum(next, -1, z));
      z = next;
      if (change < 1e-26) break;
    }
    const auto coefficients = times(a, plain.g);
    const auto offset = times(b, plain.g);
    for (Index i = 0; i < 30; ++i) {
      for (Index t = 0; t < 4; ++t) {
        EXPECT_NEAR(fit.coefficients(i, t), coefficients(i, t) / plain.lambda2, 1e-7) << share;
      }
    }
    for (Index t = 0; t < 4; ++t) {
      EXPECT_NEAR(fit.offset[static_cast<std::size_t>(t)], offset(0, t), 1e-7) << share;
    }
  }
}

TEST(CollaborativeFit, WithoutCollaborationTargetsAreShrunkLabels) {
  Plain plain(0);
  const Parts parts(plain, plain.solve());
  const auto left = sum(times(plain.q(), parts.z), plain.lambda1, parts.z);
  for (Index i = 0; i < 30; ++i) {
    for (Index t = 0; t < 4; ++t) EXPECT_NEAR(left(i, t), plain.lambda1 * plain.y(i, t), 1e-8);
  }
}

TEST(CollaborativeFit, NoPointNearbyHasALesserObjective) {
  for (const double share : {0.0, 0.4, 0.7}) {
    Plain plain(share);
    const auto fit = plain.solve();
    const Parts parts(plain, fit);
    const double least = plain.objective(parts.a, parts.b, parts.z);
    EXPECT_NEAR(fit.objective, least, 1e-8 * least);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto a = sum(parts.a, 1e-3, random_weights(30, 4, 3 * seed));
      const auto b = sum(parts.b, 1e-3, random_weights(1, 4, 3 * seed + 1));
      const auto z = sum(parts.z, 1e-3, random_weights(30, 4, 3 * seed + 2));
      EXPECT_GT(plain.objective(a, parts.b, parts.z), least);
      EXPECT_GT(plain.objective(parts.a, b, parts.z), least);
      EXPECT_GT(plain.objective(parts.a, parts.b, z), least);
      EXPECT_GT(plain.objective(a, b, z), least);
    }
  }
}

TEST(CollaborativeFit, ScoresOfTheExamplesHaveTheMeansOfTheLabels) {
  Plain plain(0.6);
  const auto fit = plain.solve();
  const auto scores = times(plain.kernel, fit.coefficients);
  for (Index t = 0; t < 4; ++t) {
    double mean = fit.offset[static_cast<std::size_t>(t)], label_mean = 0;
    for (Index i = 0; i < 30; ++i) {
      mean += scores(i, t) / 30;
      label_mean += plain.y(i, t) / 30;
    }
    EXPECT_NEAR(mean, label_mean, 1e-9);
  }
}

TEST(CollaborativeFit, CollaborationWithoutAnInverseIsNoObstacle) {
  Plain plain(0.5);
  for (Index t = 0; t < 4; ++t) plain.g(t, 3) = plain.g(t, 2);  // two labels share their outputs
  const auto fit = plain.solve();
  for (const double entry : fit.coefficients.values()) EXPECT_TRUE(std::isfinite(entry));
  for (Index i = 0; i < 30; ++i) EXPECT_NEAR(fit.coefficients(i, 2), fit.coefficients(i, 3), 1e-8);
  EXPECT_NEAR(fit.offset[2], fit.offset[3], 1e-8);
  plain.g = Matrix<double>(4, 4);  // and nothing reaches any label
  const auto nothing = plain.solve();
  EXPECT_NEAR(nothing.objective, plain.lambda1 / 2 * 30 * 4, 1e-9);
  for (const double entry : nothing.coefficients.values()) EXPECT_EQ(entry, 0);
}

}  // namespace
}  // namespace mugrad
