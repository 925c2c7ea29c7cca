// SPDX-License-Identifier: MIT
#include "objective/coupled_squares.h"
#include "support/golden.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/llsf.h>
#include <mugrad/method/llsf_dl.h>
#include <mugrad/method/method.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::all_weights;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::inner_product;
using testing::PlainSquares;
using testing::product;
using testing::sum;
using testing::transposed;

LlsfDlOptions exact(double relation, double sparsity, double label_sparsity) {
  return {.relation = relation,
          .sparsity = sparsity,
          .label_sparsity = label_sparsity,
          .tolerance = 0,
          .max_iterations = 50000};
}

const Matrix<double>& label_weights(const Model& model) {
  return std::get<FeedbackHead>(model.contents().head).label_weights;
}

Matrix<double> residual(const PlainSquares& plain, const Matrix<double>& w,
                        const Matrix<double>& v) {
  return sum(sum(product(plain.a, w), product(plain.y, v)), plain.y, -1);
}

/// The authors' iteration as they write it.
struct PlainRelease {
  Matrix<double> w, v;
  int iterations = 0;

  PlainRelease(const PlainSquares& plain, double alpha, double beta, double gamma, double ridge) {
    const Matrix<double> at = transposed(plain.a);
    const Matrix<double> yt = transposed(plain.y);
    const Matrix<double> r = plain.dissimilarity(alpha);
    const auto squared_norm = [](const Matrix<double>& m) {
      return std::pow(testing::spectral_norm(m), 2);
    };
    const double l =
        std::sqrt(3 * squared_norm(product(at, plain.a)) + 3 * squared_norm(r) +
                  3 * squared_norm(product(at, plain.y)) + 2 * squared_norm(product(yt, plain.y)));
    ThreadPool pool({1});
    w = ridge_regression(product(at, plain.a), product(at, plain.y), ridge, pool);
    v = ridge_regression(product(yt, plain.y), product(yt, plain.y), ridge, pool);
    Matrix<double> w_before = w;
    Matrix<double> v_before = v;
    double b_before = 1;
    double b = 1;
    double loss = 0;
    while (iterations < 100) {
      ++iterations;
      const double momentum = (b_before - 1) / b;
      const Matrix<double> w_ahead = sum(w, sum(w, w_before, -1), momentum);
      const Matrix<double> v_ahead = sum(v, sum(v, v_before, -1), momentum);
      w_before = w;
      v_before = v;
      const Matrix<double> w_slope =
          sum(product(at, residual(plain, w_ahead, v)), product(w_ahead, r));
      w = testing::softened(sum(w_ahead, w_slope, -1 / l), beta / l);
      v = testing::softened(sum(v_ahead, product(yt, residual(plain, w, v_ahead)), -1 / l),
                            gamma / l);
      b_before = b;
      b = (1 + std::sqrt(1 + 4 * b * b)) / 2;
      const Matrix<double> left = residual(plain, w, v);
      const double last = loss;
      loss = inner_product(left, left) + inner_product(w, product(w, r)) +
             beta * static_cast<double>(testing::nonzeros(w)) +
             gamma * static_cast<double>(testing::nonzeros(v));
      if (std::fabs(loss - last) <= 1e-3 * std::fabs(last) || loss <= 0) return;
    }
  }
};

TEST(LlsfDl, IsLlsfWhereWeightsOfLabelsCostTooMuch) {
  const auto data = testing::random_problem({.rows = 50, .features = 6, .labels = 4}, 3);
  const auto model = fit(data, exact(2, 0.5, 1e9));
  const auto llsf = fit(
      data, LlsfOptions{.relation = 2, .sparsity = 0.5, .tolerance = 0, .max_iterations = 50000});
  EXPECT_EQ(testing::nonzeros(label_weights(model)), 0);
  EXPECT_EQ(all_weights(model, 0, 4), all_weights(llsf));
  EXPECT_LT(testing::largest_difference(all_weights(model, 4, 4), all_weights(llsf)), 1e-6);
  EXPECT_LT(testing::largest_difference(model.scores(data.x), llsf.scores(data.x)), 1e-6);
}

TEST(LlsfDl, OfOneLabelIsTheLasso) {
  const auto data = testing::random_problem({.rows = 50, .features = 6, .labels = 1}, 3);
  const PlainSquares plain(data);
  const auto model = fit(data, exact(3, 1.5, 0.01));
  EXPECT_EQ(label_weights(model)(0, 0), 0);
  const auto weights = all_weights(model, 1, 1);
  const auto slope = product(transposed(plain.a), sum(product(plain.a, weights), plain.y, -1));
  EXPECT_LT(testing::off_minimum(weights, slope, 1.5), 1e-6);
}

TEST(LlsfDl, MeetsTheConditionsOfAMinimumAndExplainsNoLabelByItself) {
  const auto data = testing::random_problem({.rows = 60, .features = 6, .labels = 5}, 3);
  const PlainSquares plain(data);
  const auto model = fit(data, exact(2, 0.5, 0.7));
  const Matrix<double> w = all_weights(model, 5, 5);
  const Matrix<double>& v = label_weights(model);
  const Matrix<double> left = residual(plain, w, v);
  const auto w_slope = sum(product(transposed(plain.a), left), product(w, plain.laplacian(2)));
  auto v_slope = product(transposed(plain.y), left);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_EQ(v(i, i), 0);
    v_slope(i, i) = 0;
  }
  EXPECT_GT(testing::nonzeros(v), 0);
  EXPECT_LT(testing::off_minimum(w, w_slope, 0.5), 1e-5);
  EXPECT_LT(testing::off_minimum(v, v_slope, 0.7), 1e-5);
}

TEST(LlsfDl, WithoutZeroDiagonalLabelsExplainThemselves) {
  const auto data = testing::random_problem({.rows = 60, .features = 6, .labels = 4}, 3);
  LlsfDlOptions options = exact(2, 5, 0.01);
  options.zero_diagonal = false;
  const auto model = fit(data, options);
  for (Index i = 0; i < 4; ++i) EXPECT_GT(label_weights(model)(i, i), 0.95);
}

TEST(LlsfDl, ScoresFollowFromTheLabelsLastPredicted) {
  const auto data = testing::random_problem({.rows = 60, .features = 6, .labels = 5}, 3);
  const PlainSquares plain(data);
  const auto model = fit(data, exact(0.1, 0.1, 0.1));
  Matrix<double> scores = product(plain.a, all_weights(model, 0, 5));
  for (int round = 0; round < 3; ++round) {
    Matrix<double> predicted(data.rows(), 5);
    for (std::size_t i = 0; i < scores.values().size(); ++i) {
      predicted.values()[i] = scores.values()[i] >= 0.5 ? 1 : 0;
    }
    scores =
        sum(product(plain.a, all_weights(model, 5, 5)), product(predicted, label_weights(model)));
  }
  EXPECT_LT(testing::largest_difference(model.scores(data.x), scores), 1e-9);
}

TEST(LlsfDl, WithParityDoesWhatTheAuthorsProgramDoes) {
  const auto data = testing::random_problem({.rows = 50, .features = 8, .labels = 4}, 3);
  const PlainSquares plain(data);
  for (const double alpha : {0.25, 4.0}) {
    const PlainRelease release(plain, alpha, 1, 0.5, 0.1);
    const auto model = fit(
        data,
        LlsfDlOptions{
            .relation = alpha, .sparsity = 1, .label_sparsity = 0.5, .ridge = 0.1, .parity = true});
    const auto llsf =
        fit(data, LlsfOptions{.relation = alpha, .sparsity = 1, .ridge = 0.1, .parity = true});
    EXPECT_EQ(model.contents().report.solve->effort,
              llsf.contents().report.solve->effort + release.iterations);
    // The bound of the curvature is up to one percent above the authors'.
    EXPECT_LT(testing::largest_difference(all_weights(model, 4, 4), release.w), 0.01);
    EXPECT_LT(testing::largest_difference(label_weights(model), release.v), 0.01);
    EXPECT_EQ(model.contents().options.at("zero-diagonal"), "false");
  }
}

TEST(LlsfDl, LabelsOfOneClassNeitherGiveNorTake) {
  auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  const auto others = fit(data, LlsfDlOptions{}).scores(data.x);
  data.y.cols = 4;  // the last is never there
  const auto model = fit(data, LlsfDlOptions{});
  const auto scores = model.scores(data.x);
  for (Index i = 0; i < data.rows(); ++i) {
    EXPECT_DOUBLE_EQ(scores(i, 3), 0.5 / 41);
    for (Index t = 0; t < 3; ++t) EXPECT_EQ(scores(i, t), others(i, t));
  }
  for (Index t = 0; t < 4; ++t) {
    EXPECT_EQ(label_weights(model)(3, t), 0);
    EXPECT_EQ(label_weights(model)(t, 3), 0);
  }
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(3));
}

TEST(LlsfDl, TrainsOnHardlyAnything) {
  for (const Index rows : {1, 2, 3}) {
    const auto data = testing::random_problem({.rows = rows, .features = 3, .labels = 2}, 3);
    for (const bool parity : {false, true}) {
      const auto model = fit(data, LlsfDlOptions{.parity = parity});
      const auto scores = model.scores(data.x);
      for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
    }
  }
}

TEST(LlsfDl, RefusesOptionsOutOfRange) {
  const auto data = testing::random_problem({.rows = 10, .features = 2, .labels = 2}, 3);
  EXPECT_THROW(fit(data, LlsfDlOptions{.label_sparsity = -1}), UsageError);
}

TEST(LlsfDl, ReportIsThatOfBothStages) {
  const auto data = testing::random_problem({.rows = 60, .features = 12, .labels = 4}, 3);
  const auto llsf = fit(data, LlsfOptions{.sparsity = 0.01}).contents().report.solve.value();
  ASSERT_EQ(llsf.stop, "converged");
  // Labels do not see each other: the second stage has next to nothing to do.
  LlsfDlOptions options{.sparsity = 0.01, .label_sparsity = 1e9};
  const auto both = fit(data, options).contents().report.solve.value();
  EXPECT_EQ(both.stop, "converged");
  EXPECT_GT(both.effort, llsf.effort);
  options.max_iterations = llsf.effort - 1;
  const auto cut = fit(data, options).contents().report.solve.value();
  EXPECT_EQ(cut.stop, "iteration-limit");
  EXPECT_LT(cut.effort, 2 * options.max_iterations);  // the second stage converged
}

TEST(LlsfDl, WithParitySaysThatItOverrulesTheZeroDiagonal) {
  const auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  const auto model = fit(data, LlsfDlOptions{.parity = true, .max_iterations = 3});
  EXPECT_THAT(model.contents().report.warnings, Contains("parity overrides iterations 3 by 100"));
  EXPECT_EQ(model.contents().options.at("zero-diagonal"), "false");
  for (const auto& info : method_named("llsf-dl").options()) {
    if (info.name == "parity") {
      EXPECT_THAT(info.help, HasSubstr("overrides indefinite, zero-diagonal, objective-tolerance"));
    }
  }
}

}  // namespace
}  // namespace mugrad
