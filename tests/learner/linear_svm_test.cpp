// SPDX-License-Identifier: MIT
#include "learner/linear_svm.h"

#include "support/label_rows.h"

#include <mugrad/core/random.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using testing::dense_rows;

struct Problem {
  Matrix<double> x;
  std::vector<double> signs;
};

/// Classes that overlap, of which the positive one has the share given.
Problem random_problem(Index rows, Index cols, double share, std::uint64_t seed) {
  RandomStream random(seed, "svm");
  Problem problem{Matrix<double>(rows, cols), {}};
  for (Index i = 0; i < rows; ++i) {
    const bool positive = i == 0 || (i > 1 && random.uniform() < share);
    problem.signs.push_back(positive ? 1 : -1);
    for (double& entry : problem.x.row(i)) entry = 4 + random.normal() + (positive ? 0.8 : 0);
  }
  return problem;
}

double objective(const Problem& problem, const std::vector<double>& weights, double offset,
                 double c) {
  double sum = 0;
  for (const double weight : weights) sum += weight * weight / 2;
  const LinearSvm svm{.weights = weights, .offset = offset};
  for (Index i = 0; i < problem.x.rows(); ++i) {
    const double sign = problem.signs[static_cast<std::size_t>(i)];
    sum += c * std::max(0.0, 1 - sign * svm.decide(problem.x.row(i)));
  }
  return sum;
}

/// Two duals at a time, those that violate the KKT conditions most, until none does by more than
/// 1e-9.
class PairwiseReference {
 public:
  PairwiseReference(const Problem& problem, double c)
      : problem_(problem), alpha_(problem.signs.size()), gradient_(problem.signs.size(), -1) {
    for (int turn = 0; turn < 1000000; ++turn) {
      if (!move_worst_pair(c)) return;
    }
    ADD_FAILURE() << "the reference has not converged";
  }

  std::vector<double> weights() const {
    std::vector<double> result(static_cast<std::size_t>(problem_.x.cols()));
    for (std::size_t i = 0; i < alpha_.size(); ++i) {
      for (std::size_t k = 0; k < result.size(); ++k) {
        result[k] += alpha_[i] * problem_.signs[i] * row(i)[k];
      }
    }
    return result;
  }
  double offset() const { return offset_; }
  const std::vector<double>& alpha() const { return alpha_; }

 private:
  std::span<const double> row(std::size_t i) const { return problem_.x.row(static_cast<Index>(i)); }
  double product(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t k = 0; k < row(i).size(); ++k) sum += row(i)[k] * row(j)[k];
    return sum;
  }

  bool move_worst_pair(double c) {
    const auto& y = problem_.signs;
    std::size_t up = 0, down = 0;
    double most = -std::numeric_limits<double>::infinity(), least = -most;
    for (std::size_t i = 0; i < alpha_.size(); ++i) {
      const double pull = -y[i] * gradient_[i];
      if ((y[i] > 0 ? alpha_[i] < c : alpha_[i] > 0) && pull > most) most = pull, up = i;
      if ((y[i] > 0 ? alpha_[i] > 0 : alpha_[i] < c) && pull < least) least = pull, down = i;
    }
    offset_ = (most + least) / 2;
    if (most - least < 1e-9) return false;
    const double curvature =
        std::max(1e-12, product(up, up) + product(down, down) - 2 * product(up, down));
    double move = (most - least) / curvature;
    move = std::min(move, y[up] > 0 ? c - alpha_[up] : alpha_[up]);
    move = std::min(move, y[down] > 0 ? alpha_[down] : c - alpha_[down]);
    alpha_[up] += y[up] * move;
    alpha_[down] -= y[down] * move;
    for (std::size_t i = 0; i < alpha_.size(); ++i) {
      gradient_[i] += y[i] * move * (product(up, i) - product(down, i));
    }
    return true;
  }

  const Problem& problem_;
  std::vector<double> alpha_, gradient_;
  double offset_ = 0;
};

TEST(LinearSvm, SeparatesTwoPointsHalfwayBetween) {
  const std::vector<double> signs = {1, -1};
  const auto svm = fit_linear_svm(dense_rows({{3}, {1}}), signs, {.c = 10});
  EXPECT_NEAR(svm.weights[0], 1, 1e-4);
  EXPECT_NEAR(svm.offset, -2, 2e-4);
  EXPECT_NEAR(svm.objective, 0.5, 1e-8);
  const auto soft = fit_linear_svm(dense_rows({{3}, {1}}), signs, {.c = 0.1});
  EXPECT_NEAR(soft.weights[0], 0.2, 1e-4);  // both duals are at c
  EXPECT_NEAR(soft.objective, 0.02 + 0.1 * 2 * 0.8, 1e-8);
}

TEST(LinearSvm, IsWhatPairwiseDescentFinds) {
  for (const double c : {0.05, 1.0, 20.0}) {
    for (const double share : {0.5, 0.1}) {
      const auto problem = random_problem(60, 3, share, 5);
      const PairwiseReference reference(problem, c);
      const auto svm = fit_linear_svm(problem.x, problem.signs, {.c = c, .tolerance = 1e-11});
      const auto expected = reference.weights();
      EXPECT_LE(svm.gap, 1e-11);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(svm.weights[k], expected[k], 1e-4) << c << ' ' << share;
      }
      EXPECT_NEAR(svm.objective, objective(problem, expected, reference.offset(), c),
                  1e-7 * svm.objective);
    }
  }
}

TEST(LinearSvm, FulfilsTheKktConditionsWithTheDualsOfTheReference) {
  const auto problem = random_problem(80, 4, 0.4, 6);
  const PairwiseReference reference(problem, 1);
  const auto svm = fit_linear_svm(problem.x, problem.signs, {.tolerance = 1e-12});
  Index free = 0;
  for (std::size_t i = 0; i < problem.signs.size(); ++i) {
    const double margin = problem.signs[i] * svm.decide(problem.x.row(static_cast<Index>(i)));
    const double alpha = reference.alpha()[i];
    if (alpha < 1e-8) {
      EXPECT_GE(margin, 1 - 1e-4);
    } else if (alpha > 1 - 1e-8) {
      EXPECT_LE(margin, 1 + 1e-4);
    } else {
      EXPECT_NEAR(margin, 1, 1e-4);
      ++free;
    }
  }
  EXPECT_GT(free, 0);
}

TEST(LinearSvm, NoOtherWeightsNearbyAreBetter) {
  const auto problem = random_problem(200, 12, 0.3, 7);
  const auto svm = fit_linear_svm(problem.x, problem.signs);
  EXPECT_NEAR(objective(problem, svm.weights, svm.offset, 1), svm.objective, 1e-9 * svm.objective);
  RandomStream random(1, "nearby");
  for (int turn = 0; turn < 200; ++turn) {
    auto weights = svm.weights;
    const double size = std::pow(10, -4 * random.uniform());
    for (double& weight : weights) weight += size * random.normal();
    const double offset = svm.offset + size * random.normal();
    EXPECT_GE(objective(problem, weights, offset, 1), svm.objective * (1 - 1e-8));
  }
}

TEST(LinearSvm, MovingTheFeaturesMovesTheOffsetAlone) {
  const auto problem = random_problem(100, 3, 0.4, 8);
  auto moved = problem;
  for (double& entry : moved.x.values()) entry += 1000;
  const auto svm = fit_linear_svm(problem.x, problem.signs);
  const auto same = fit_linear_svm(moved.x, moved.signs);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(same.weights[k], svm.weights[k], 1e-4);
  EXPECT_NEAR(same.decide(moved.x.row(0)), svm.decide(problem.x.row(0)), 1e-3);
}

TEST(LinearSvm, SeldomClassAmidTheOtherIsGivenUp) {
  Problem problem{Matrix<double>(102, 2), {}};
  for (Index i = 0; i < 102; ++i) {
    // Two positives at the centre of a circle of negatives.
    problem.signs.push_back(i < 2 ? 1 : -1);
    if (i < 2) continue;
    problem.x(i, 0) = 5 * std::cos(static_cast<double>(i));
    problem.x(i, 1) = 5 * std::sin(static_cast<double>(i));
  }
  const auto svm = fit_linear_svm(problem.x, problem.signs);
  for (const double weight : svm.weights) EXPECT_NEAR(weight, 0, 1e-4);
  EXPECT_NEAR(svm.offset, -1, 1e-3);
  EXPECT_NEAR(svm.objective, 4, 1e-6);
}

TEST(LinearSvm, ColumnsThatAreAlikeOrZeroDoNoHarm) {
  const auto problem = random_problem(150, 1, 0.3, 9);
  Problem wide{Matrix<double>(150, 30), problem.signs};
  for (Index i = 0; i < 150; ++i) {
    for (Index k = 0; k < 25; ++k) wide.x(i, k) = problem.x(i, 0) / 5;
  }
  // 25 columns of a fifth each are one column.
  const auto one = fit_linear_svm(problem.x, problem.signs);
  const auto many = fit_linear_svm(wide.x, wide.signs);
  EXPECT_LE(many.gap, 1e-9);
  EXPECT_NEAR(many.objective, one.objective, 1e-7 * one.objective);
  for (std::size_t k = 0; k < 25; ++k) EXPECT_NEAR(many.weights[k], one.weights[0] / 5, 1e-4);
  EXPECT_NEAR(many.weights[29], 0, 1e-9);
}

TEST(LinearSvm, RowsThatAreAllTheSameGiveAFiniteAnswer) {
  const Matrix<double> x(6, 3, 2.5);
  for (const std::vector<double>& signs :
       {std::vector<double>{1, -1, -1, -1, -1, -1}, std::vector<double>{1, 1, 1, -1, -1, -1}}) {
    const auto svm = fit_linear_svm(x, signs);
    EXPECT_LE(svm.gap, 1e-8);
    EXPECT_TRUE(std::isfinite(svm.offset));
    for (const double weight : svm.weights) EXPECT_NEAR(weight, 0, 1e-6);
  }
}

TEST(LinearSvm, SaysWhyItEnded) {
  const auto problem = random_problem(40, 3, 0.4, 1);
  EXPECT_EQ(fit_linear_svm(problem.x, problem.signs).stop, Stop::converged);
  const auto cut = fit_linear_svm(problem.x, problem.signs, {.max_iterations = 1});
  EXPECT_EQ(cut.stop, Stop::iteration_limit);
  EXPECT_EQ(cut.iterations, 1);
  // Nothing is better than the best, so that the run ends where rounding allows no step.
  const SvmOptions impossible{.tolerance = -1, .max_iterations = 100'000};
  EXPECT_EQ(fit_linear_svm(problem.x, problem.signs, impossible).stop, Stop::stalled);
}

TEST(LinearSvm, HasTheWeightsOfTheStartWhereNumbersLeaveTheFiniteOnes) {
  const auto problem = random_problem(40, 3, 0.4, 1);
  const auto svm = fit_linear_svm(problem.x, problem.signs, {.c = 1e300});
  EXPECT_EQ(svm.stop, Stop::diverged);
  EXPECT_EQ(svm.weights, std::vector<double>(3, 0));
  EXPECT_EQ(svm.offset, 0);
}

TEST(LinearSvm, UpdatesItsProgressAtEveryIteration) {
  const auto problem = random_problem(40, 3, 0.4, 1);
  Index passed = 0;
  ProgressFunction progress([&](double) { return ++passed > 0; });
  const auto svm = fit_linear_svm(problem.x, problem.signs, {}, &progress);
  EXPECT_EQ(passed, svm.iterations);
}

}  // namespace
}  // namespace mugrad
