// SPDX-License-Identifier: MIT
#include "objective/coupled_squares.h"
#include "support/golden.h"
#include "support/plain_squares.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/method/llsf.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>
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
using ::testing::IsEmpty;
using ::testing::Not;
using testing::PlainSquares;
using testing::product;
using testing::sum;
using ::testing::ThrowsMessage;
using testing::transposed;

constexpr double kSolved = 1e-6;

/// Options that leave nothing to be gained.
LlsfOptions exact(double relation, double sparsity) {
  return {.relation = relation, .sparsity = sparsity, .tolerance = 0, .max_iterations = 50000};
}

/// A'A W - A'Y + W R.
Matrix<double> gradient(const PlainSquares& plain, const Matrix<double>& w,
                        const Matrix<double>& r) {
  const Matrix<double> residual = sum(product(plain.a, w), plain.y, -1);
  return sum(product(transposed(plain.a), residual), product(w, r));
}

/// The authors' iteration as they write it; the number of iterations it takes.
struct PlainRelease {
  Matrix<double> w;
  int iterations = 0;

  PlainRelease(const PlainSquares& plain, double alpha, double beta, double ridge) {
    const Matrix<double> gram = product(transposed(plain.a), plain.a);
    const Matrix<double> products = product(transposed(plain.a), plain.y);
    const Matrix<double> r = plain.dissimilarity(alpha);
    const double l = std::sqrt(
        2 * (std::pow(testing::spectral_norm(gram), 2) + std::pow(testing::spectral_norm(r), 2)));
    ThreadPool pool({1});
    w = ridge_regression(gram, products, ridge, pool);
    Matrix<double> before = w;
    double b_before = 1;
    double b = 1;
    double loss = 0;
    while (iterations < 100) {
      ++iterations;
      const Matrix<double> v = sum(w, sum(w, before, -1), (b_before - 1) / b);
      before = w;
      w = testing::softened(sum(v, gradient(plain, v, r), -1 / l), beta / l);
      b_before = b;
      b = (1 + std::sqrt(1 + 4 * b * b)) / 2;
      const Matrix<double> residual = sum(product(plain.a, w), plain.y, -1);
      const double last = loss;
      loss = inner_product(residual, residual) + inner_product(w, product(w, r)) +
             beta * static_cast<double>(testing::nonzeros(w));
      if (std::fabs(loss - last) <= 1e-3 * std::fabs(last) || loss <= 0) return;
    }
  }
};

TEST(Llsf, IsLeastSquaresWithoutRelationsAndCosts) {
  const auto data = testing::random_problem({.rows = 60, .features = 5, .labels = 4}, 3);
  const PlainSquares plain(data);
  ThreadPool pool({1});
  const auto direct = ridge_regression(product(transposed(plain.a), plain.a),
                                       product(transposed(plain.a), plain.y), 0, pool);
  const auto model = fit(data, exact(0, 0));
  EXPECT_EQ(model.contents().report.solve->stop, "converged");
  EXPECT_LT(testing::largest_difference(all_weights(model), direct), kSolved);
}

TEST(Llsf, IsALassoPerLabelWithoutRelations) {
  const auto data = testing::random_problem({.rows = 60, .features = 8, .labels = 4}, 3);
  const PlainSquares plain(data);
  const double price = 2;
  const auto weights = all_weights(fit(data, exact(0, price)));
  const auto slope = gradient(plain, weights, Matrix<double>(4, 4));
  EXPECT_LT(testing::off_minimum(weights, slope, price), kSolved);
  EXPECT_GT(testing::nonzeros(weights), 0);
  EXPECT_LT(testing::nonzeros(weights), weights.size());
}

TEST(Llsf, HasNoWeightsWhereEachCostsMoreThanItCanBring) {
  const auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  const PlainSquares plain(data);
  const double most = testing::largest_entry(product(transposed(plain.a), plain.y));
  EXPECT_EQ(testing::nonzeros(all_weights(fit(data, exact(0, 1.001 * most)))), 0);
  EXPECT_GT(testing::nonzeros(all_weights(fit(data, exact(0, 0.99 * most)))), 0);
}

TEST(Llsf, MeetsTheConditionsOfAMinimumWithRelations) {
  // More features than examples: flat directions that relations do not make concave.
  for (const Index features : {6, 40}) {
    const auto data = testing::random_problem({.rows = 30, .features = features, .labels = 4}, 3);
    const PlainSquares plain(data);
    const auto model = fit(data, exact(5, 0.4));
    const auto weights = all_weights(model);
    const auto slope = gradient(plain, weights, plain.laplacian(5));
    EXPECT_LT(testing::off_minimum(weights, slope, 0.4), 1e-5);
    EXPECT_THAT(model.contents().report.warnings, IsEmpty());
  }
}

TEST(Llsf, TheReportHasTheObjective) {
  const auto data = testing::random_problem({.rows = 30, .features = 6, .labels = 4}, 3);
  const PlainSquares plain(data);
  const auto model = fit(data, exact(5, 0.4));
  const auto weights = all_weights(model);
  const auto residual = sum(product(plain.a, weights), plain.y, -1);
  double cost = 0;
  for (const double weight : weights.values()) cost += 0.4 * std::fabs(weight);
  EXPECT_NEAR(model.contents().report.solve->minimised,
              inner_product(residual, residual) / 2 +
                  inner_product(weights, product(weights, plain.laplacian(5))) / 2 + cost,
              1e-9);
}

TEST(Llsf, StrongRelationsMakeWeightsOfRelatedLabelsAlike) {
  const auto data = testing::random_problem({.rows = 60, .features = 5, .labels = 3}, 3);
  const auto weights = all_weights(fit(data, exact(1e5, 0)));
  for (Index k = 0; k < weights.rows(); ++k) EXPECT_NEAR(weights(k, 0), weights(k, 2), 1e-3);
}

TEST(Llsf, TellsThatTheAuthorsRelationLeavesNoMinimumAndStops) {
  const auto data = testing::random_problem({.rows = 20, .features = 40, .labels = 4}, 3);
  const auto model = fit(data, LlsfOptions{.relation = 10, .sparsity = 0.1, .indefinite = true});
  EXPECT_EQ(model.contents().report.solve->stop, "diverged");
  EXPECT_THAT(model.contents().report.warnings, Contains(HasSubstr("unbounded below")));
  EXPECT_THAT(model.contents().report.warnings,
              Contains(HasSubstr("the relation 1 - cosine between labels is not positive")));
  const auto scores = model.scores(data.x);
  for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
}

TEST(Llsf, SaysThatItReturnsTheRidgeRegressionWhereTheFirstStepFindsNoMinimum) {
  // Two labels of which every example has one: what tells them apart is all that has weights, and
  // 1 - cosine rewards that.
  auto data = testing::random_problem({.rows = 20, .features = 40, .labels = 1}, 3);
  BinaryMatrix both{.cols = 2, .row_start = {0}, .column = {}};
  for (Index i = 0; i < data.rows(); ++i) {
    both.column.push_back(data.y.row(i).empty() ? 1 : 0);
    both.end_row();
  }
  data.y = both;
  const LlsfOptions options{.relation = 1e6, .sparsity = 0, .ridge = 1e-6, .indefinite = true};
  const auto model = fit(data, options);
  EXPECT_EQ(model.contents().report.solve->effort, 1);
  EXPECT_THAT(model.contents().report.warnings,
              Contains(HasSubstr("those of the initial ridge regression")));
  const PlainSquares plain(data);
  auto slope = product(transposed(plain.a), sum(product(plain.a, all_weights(model)), plain.y, -1));
  slope = sum(slope, all_weights(model), 1e-6);
  EXPECT_LT(testing::largest_entry(slope), 1e-6);
}

TEST(Llsf, SaysWhichIterationItReturnsWhereALaterStepFindsNoMinimum) {
  const auto data = testing::random_problem({.rows = 20, .features = 40, .labels = 4}, 3);
  LlsfOptions options{.relation = 10, .sparsity = 0.1, .indefinite = true};
  const auto model = fit(data, options);
  const Index passes = model.contents().report.solve->effort;
  ASSERT_GT(passes, 1);
  EXPECT_THAT(
      model.contents().report.warnings,
      Contains(HasSubstr(fmt::format("those of iteration {} and not a minimum", passes - 1))));
  options.max_iterations = passes - 1;
  EXPECT_EQ(all_weights(fit(data, options)), all_weights(model));
}

TEST(Llsf, AtTheLimitOfIterationsSaysWhatIsLeftOfTheObjective) {
  const auto data = testing::random_problem({.rows = 50, .features = 8, .labels = 4}, 3);
  EXPECT_THAT(fit(data, LlsfOptions{.max_iterations = 3}).contents().report.warnings,
              ElementsAre("not converged: after 3 iterations the objective still decreases by more "
                          "than 1e-06 of itself; more iterations help"));
}

TEST(Llsf, WithParitySaysWhichChoicesItOverrules) {
  const auto data = testing::random_problem({.rows = 50, .features = 8, .labels = 4}, 3);
  const auto warnings = [&](const LlsfOptions& options) {
    return fit(data, options).contents().report.warnings;
  };
  EXPECT_THAT(warnings({.parity = true}), Not(Contains(HasSubstr("overrides"))));
  EXPECT_THAT(warnings({.indefinite = true, .parity = true, .max_iterations = 100}),
              Not(Contains(HasSubstr("overrides"))));
  EXPECT_THAT(warnings({.parity = true, .tolerance = 1e-5, .max_iterations = 7}),
              Contains("parity overrides iterations 7 by 100, objective-tolerance 1e-05 by 0.001"));
  EXPECT_THAT(warnings({.tolerance = 1e-5}), Not(Contains(HasSubstr("overrides"))));
}

TEST(Llsf, FeaturesThatMemoryDoesNotSufficeForAreRefusedBeforeAnythingIsTrained) {
  Dataset data{.name = "wide", .x = CsrMatrix<double>{.cols = 3'000'000}};
  data.y.cols = 1;
  for (LabelId row = 0; row < 2; ++row) {
    data.x.sparse().column.push_back(row);
    data.x.sparse().value.push_back(1);
    data.x.sparse().end_row();
    if (row == 0) data.y.column.push_back(0);
    data.y.end_row();
  }
  for (const char* const name : {"llsf", "llsf-dl", "jfsc"}) {
    EXPECT_THAT([&] { method_named(name).fit(data, {}, {1}, nullptr); },
                ThrowsMessage<MemoryError>(HasSubstr("a copy of the products of features")))
        << name;
  }
}

TEST(Llsf, TheAuthorsRelationHasAMinimumWhereItIsWeak) {
  const auto data = testing::random_problem({.rows = 80, .features = 3, .labels = 3}, 3);
  const PlainSquares plain(data);
  LlsfOptions options = exact(0.5, 0.4);
  options.indefinite = true;
  const auto model = fit(data, options);
  EXPECT_EQ(model.contents().report.solve->stop, "converged");
  const auto weights = all_weights(model);
  const auto slope = gradient(plain, weights, plain.dissimilarity(0.5));
  EXPECT_LT(testing::off_minimum(weights, slope, 0.4), kSolved);
}

TEST(Llsf, WithParityDoesWhatTheAuthorsProgramDoes) {
  const auto data = testing::random_problem({.rows = 50, .features = 8, .labels = 4}, 3);
  const PlainSquares plain(data);
  for (const double alpha : {0.25, 4.0}) {
    const PlainRelease release(plain, alpha, 1, 0.1);
    const auto model =
        fit(data, LlsfOptions{.relation = alpha, .sparsity = 1, .ridge = 0.1, .parity = true});
    EXPECT_EQ(model.contents().report.solve->effort, release.iterations);
    // The bound of the curvature is up to one percent above the authors'.
    EXPECT_LT(testing::largest_difference(all_weights(model), release.w), 0.01);
    EXPECT_EQ(model.contents().options.at("iterations"), "100");
  }
}

TEST(Llsf, WithParityStopsWhereTheLossIsNegativeAndTellsIt) {
  const auto data = testing::random_problem({.rows = 20, .features = 40, .labels = 6}, 3);
  const auto model = fit(data, LlsfOptions{.relation = 1024, .sparsity = 0.1, .parity = true});
  EXPECT_THAT(model.contents().report.warnings, Contains(HasSubstr("unbounded below")));
  const auto scores = model.scores(data.x);
  for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
}

TEST(Llsf, IsTheSameForDenseAndSparseFeaturesHoweverScaled) {
  auto data = testing::random_problem(
      {.rows = 60, .features = 6, .labels = 3, .feature_probability = 0.5}, 3);
  for (const auto representation : representation_kinds()) {
    LlsfOptions options = exact(1, 1);
    options.representation = representation;
    const auto dense = fit(data, options).scores(data.x);
    Dataset sparse = data;
    sparse.x = testing::as_sparse(data.x);
    EXPECT_LT(testing::largest_difference(fit(sparse, options).scores(sparse.x), dense), kSolved);
  }
}

TEST(Llsf, LabelsOfOneClassPredictTheirRateAndChangeNoOther) {
  const auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  Dataset wider = data;
  wider.y = {.cols = 5};
  for (Index i = 0; i < data.rows(); ++i) {
    wider.y.column.push_back(0);  // always there
    for (const LabelId label : data.y.row(i)) wider.y.column.push_back(label + 1);
    wider.y.end_row();
  }
  const auto model = fit(wider, LlsfOptions{});
  const auto scores = model.scores(data.x);
  const auto others = fit(data, LlsfOptions{}).scores(data.x);
  for (Index i = 0; i < data.rows(); ++i) {
    EXPECT_DOUBLE_EQ(scores(i, 0), 40.5 / 41);
    EXPECT_DOUBLE_EQ(scores(i, 4), 0.5 / 41);
    for (Index t = 0; t < 3; ++t) EXPECT_EQ(scores(i, t + 1), others(i, t));
  }
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(0, 4));
  EXPECT_THAT(model.contents().report.warnings, Contains(HasSubstr("only one class")));
}

TEST(Llsf, TrainsOnHardlyAnything) {
  for (const Index rows : {1, 2, 3}) {
    const auto data = testing::random_problem({.rows = rows, .features = 3, .labels = 2}, 3);
    for (const bool parity : {false, true}) {
      const auto model = fit(data, LlsfOptions{.parity = parity});
      const auto scores = model.scores(data.x);
      for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
    }
  }
}

TEST(Llsf, TrainsOnFeaturesThatSayNothing) {
  auto data = testing::random_problem({.rows = 12, .features = 3, .labels = 1}, 3);
  data.x = Matrix<double>(12, 3);
  for (const auto representation : {RepresentationKind::unit_row, RepresentationKind::zscore}) {
    const auto model = fit(data, LlsfOptions{.sparsity = 0, .representation = representation});
    double positives = 0;
    for (Index i = 0; i < 12; ++i) positives += static_cast<double>(data.y.row(i).size());
    EXPECT_NEAR(model.scores(data.x)(0, 0), positives / 12, 1e-3);
  }
}

TEST(Llsf, StopsWhenItsProgressAsksToStop) {
  struct Impatient final : Progress {
    bool update(double) override { return false; }
  } progress;
  const auto data = testing::random_problem({.rows = 40, .features = 5, .labels = 3}, 3);
  for (const bool parity : {false, true}) {
    EXPECT_THROW(fit(data, LlsfOptions{.parity = parity}, &progress), InterruptedError);
  }
}

TEST(Llsf, RefusesUnknownLabelsAndOptionsOutOfRange) {
  auto data = testing::random_problem({.rows = 10, .features = 2, .labels = 2}, 3);
  EXPECT_THROW(fit(data, LlsfOptions{.relation = -1}), UsageError);
  EXPECT_THROW(fit(data, LlsfOptions{.sparsity = -1}), UsageError);
  EXPECT_THROW(fit(data, LlsfOptions{.ridge = 0}), UsageError);
  data.unknown = {.cols = 2, .row_start = std::vector<Index>(11, 1), .column = {0}};
  data.unknown.row_start[0] = 0;
  data.y.column.erase(data.y.column.begin());
  for (std::size_t i = 1; i < data.y.row_start.size(); ++i) --data.y.row_start[i];
  EXPECT_THROW(fit(data, LlsfOptions{}), InputError);
}

TEST(Llsf, RefusesFeaturesTooLargeToBeSquared) {
  auto data = testing::random_problem({.rows = 10, .features = 2, .labels = 2}, 3);
  data.x.dense()(3, 1) = 1e200;
  EXPECT_THROW(fit(data, LlsfOptions{.representation = RepresentationKind::none}), InputError);
}

}  // namespace
}  // namespace mugrad
