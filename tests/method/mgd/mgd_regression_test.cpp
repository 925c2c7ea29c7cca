// SPDX-License-Identifier: MIT
#include "linalg/dense/lapack.h"
#include "support/lent_features.h"
#include "support/random_problem.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd_regression.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Shape {
  Index rows = 60;
  Index features = 5;
  Index targets = 3;
};

/// Targets that are linear in the features and in each other, with noise and offsets.
RegressionData some_data(const Shape& shape = {}, std::uint64_t seed = 3) {
  const auto problem = testing::random_problem(
      {.rows = shape.rows, .features = shape.features, .labels = 1, .feature_probability = 0.8},
      seed);
  const auto weights = testing::random_weights(shape.features, shape.targets, seed + 1);
  RegressionData data{.x = problem.x, .y = Matrix<double>(shape.rows, shape.targets)};
  RandomStream random(seed, "targets");
  for (Index i = 0; i < shape.rows; ++i) {
    const double common = random.normal();
    for (Index t = 0; t < shape.targets; ++t) {
      double y = 10 * static_cast<double>(t) + common + 0.3 * random.normal();
      for (Index k = 0; k < shape.features; ++k) y += problem.x.dense()(i, k) * weights(k, t);
      data.y(i, t) = y;
    }
  }
  return data;
}

RegressionOptions exact(double sigma) {
  return {
      .rho = 0.05, .sigma = sigma, .representation = RepresentationKind::none, .tolerance = 1e-12};
}

Matrix<double> weights_of(const Model& model) {
  return std::get<Matrix<double>>(model.contents().weights);
}

double weight_of(const RegressionData& data, Index row) {
  return data.row_weights.empty() ? 1 : data.row_weights[static_cast<std::size_t>(row)];
}

std::vector<double> row_of(const Features& x, Index row) {
  std::vector<double> values(static_cast<std::size_t>(x.cols()), 0);
  x.for_each_in_row(row, [&](FeatureId k, double v) { values[static_cast<std::size_t>(k)] = v; });
  return values;
}

/// Equation (11) written out for features as they are: the gradient of each task's mean over the
/// examples that know it, the intercept first, and what transfer pulls.
Matrix<double> plain_field(const RegressionData& data, const Model& model, double rho,
                           double sigma) {
  const auto w = weights_of(model);
  const auto& b = model.contents().intercepts;
  const auto& mbar = model.contents().relations;
  Matrix<double> field(w.rows() + 1, w.cols());
  for (Index t = 0; t < w.cols(); ++t) {
    double known = 0;
    for (Index i = 0; i < data.x.rows(); ++i) {
      if (std::isnan(data.y(i, t))) continue;
      known += weight_of(data, i);
      const auto x = row_of(data.x, i);
      double error = b[static_cast<std::size_t>(t)] - data.y(i, t);
      for (Index k = 0; k < w.rows(); ++k) error += x[static_cast<std::size_t>(k)] * w(k, t);
      error *= weight_of(data, i);
      field(0, t) += error;
      for (Index k = 0; k < w.rows(); ++k) {
        field(k + 1, t) += error * x[static_cast<std::size_t>(k)];
      }
    }
    for (Index k = 0; k < field.rows(); ++k) field(k, t) /= known;
    for (Index k = 0; k < w.rows(); ++k) {
      double borrowed = 0;
      for (Index j = 0; j < w.cols(); ++j) borrowed += mbar.at(t, j) * w(k, j);
      field(k + 1, t) += rho * w(k, t) + sigma * (w(k, t) - borrowed);
    }
  }
  return field;
}

double largest(const Matrix<double>& matrix) {
  double result = 0;
  for (const double entry : matrix.values()) result = std::max(result, std::fabs(entry));
  return result;
}

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double result = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) {
    result = std::max(result, std::fabs(a.values()[k] - b.values()[k]));
  }
  return result;
}

/// Ridge regression of one target on centred data: (Xc'Xc / n + rho I) w = Xc'yc / n.
std::vector<double> ridge(const RegressionData& data, Index target, double rho) {
  const Index n = data.x.rows();
  const Index p = data.x.cols();
  std::vector<double> mean(static_cast<std::size_t>(p), 0);
  double mean_y = 0;
  for (Index i = 0; i < n; ++i) {
    const auto x = row_of(data.x, i);
    for (std::size_t k = 0; k < x.size(); ++k) mean[k] += x[k] / static_cast<double>(n);
    mean_y += data.y(i, target) / static_cast<double>(n);
  }
  Matrix<double> a(p, p);
  std::vector<double> b(mean.size(), 0);
  for (Index i = 0; i < n; ++i) {
    const auto x = row_of(data.x, i);
    for (std::size_t k = 0; k < x.size(); ++k) {
      b[k] += (x[k] - mean[k]) * (data.y(i, target) - mean_y) / static_cast<double>(n);
      for (std::size_t j = 0; j < x.size(); ++j) {
        a(static_cast<Index>(k), static_cast<Index>(j)) +=
            (x[k] - mean[k]) * (x[j] - mean[j]) / static_cast<double>(n);
      }
    }
  }
  for (Index k = 0; k < p; ++k) a(k, k) += rho;
  EXPECT_TRUE(factor_positive_definite(a));
  solve_factored(a, b);
  return b;
}

TEST(MgdRegression, IsRidgeRegressionWithoutTransfer) {
  // Computed from X'X, and, where features outnumber examples, by passes.
  for (const Shape& shape : {Shape{}, Shape{.rows = 20, .features = 50, .targets = 4}}) {
    auto data = some_data(shape);
    for (const Features& x : {data.x, testing::as_sparse(data.x)}) {
      data.x = x;
      const auto model = fit_regression(data, exact(0));
      const auto weights = weights_of(model);
      for (Index t = 0; t < shape.targets; ++t) {
        const auto expected = ridge(data, t, 0.05);
        for (Index k = 0; k < shape.features; ++k) {
          EXPECT_NEAR(weights(k, t), expected[static_cast<std::size_t>(k)], 1e-8);
        }
      }
      EXPECT_EQ(model.contents().report.solve->stop, "converged");
      EXPECT_LT(largest(plain_field(data, model, 0.05, 0)), 1e-9);
    }
  }
}

TEST(MgdRegression, IsAtTheEquilibriumUnderTransfer) {
  TransferMatrix ring;  // not reversible
  ring.mbar.cols = 3;
  for (std::int32_t i = 0; i < 3; ++i) {
    const std::int32_t next = (i + 1) % 3;
    for (const auto j : {std::min(i, next), std::max(i, next)}) {
      ring.mbar.column.push_back(j);
      ring.mbar.value.push_back(0.5);
    }
    ring.mbar.end_row();
  }
  for (const Shape& shape : {Shape{}, Shape{.rows = 20, .features = 50}}) {
    for (const bool with_unknown : {false, true}) {
      for (const bool is_own : {false, true}) {
        auto data = some_data(shape);
        if (with_unknown) {
          for (Index i = 0; i < shape.rows; i += 3) data.y(i, i % 2) = kUnknown;
        }
        auto options = exact(0.7);
        if (is_own) options.transfer = ring;
        const auto model = fit_regression(data, options);
        EXPECT_LT(largest(plain_field(data, model, 0.05, 0.7)), 1e-9) << with_unknown << is_own;
        EXPECT_GT(model.contents().relations.nonzeros(), 3);
      }
    }
  }
}

TEST(MgdRegression, UnknownTargetsAreExamplesLeftOutOfThatTask) {
  auto data = some_data();
  for (Index i = 0; i < 60; i += 4) data.y(i, 1) = kUnknown;
  const auto model = fit_regression(data, exact(0));
  std::vector<Index> known;
  for (Index i = 0; i < 60; ++i) {
    if (i % 4 != 0) known.push_back(i);
  }
  RegressionData part{.x = select_rows(data.x, known), .y = Matrix<double>(45, 1)};
  for (std::size_t i = 0; i < known.size(); ++i)
    part.y(static_cast<Index>(i), 0) = data.y(known[i], 1);
  const auto alone = fit_regression(part, exact(0));
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(weights_of(model)(k, 1), weights_of(alone)(k, 0), 1e-9);
  EXPECT_NEAR(model.contents().intercepts[1], alone.contents().intercepts[0], 1e-9);
}

TEST(MgdRegression, TakesAnExampleThatCountsTwiceForTwo) {
  for (const bool with_unknown : {false, true}) {
    for (const auto representation : {RepresentationKind::none, RepresentationKind::zscore}) {
      auto data = some_data();
      if (with_unknown) {
        for (Index i = 0; i < 60; i += 5) data.y(i, 2) = kUnknown;
      }
      std::vector<Index> rows;
      for (Index i = 0; i < 60; ++i) {
        data.row_weights.push_back(static_cast<double>((i * 7) % 4));
        for (Index times = 0; times < (i * 7) % 4; ++times) rows.push_back(i);
      }
      RegressionData repeated{.x = select_rows(data.x, rows),
                              .y = Matrix<double>(std::ssize(rows), 3)};
      for (std::size_t i = 0; i < rows.size(); ++i) {
        std::ranges::copy(data.y.row(rows[i]), repeated.y.row(static_cast<Index>(i)).begin());
      }
      auto options = exact(0.4);
      options.representation = representation;
      const auto weighted = fit_regression(data, options);
      const auto plain = fit_regression(repeated, options);
      EXPECT_LT(largest_difference(weighted.scores(data.x), plain.scores(data.x)), 1e-8);
    }
  }
}

TEST(MgdRegression, InterceptsAbsorbTheMeansOfTargets) {
  auto data = some_data();
  auto options = exact(0.3);
  options.precision = Precision::single_precision;
  options.tolerance = 1e-5;
  const auto near = fit_regression(data, options);
  for (double& y : data.y.values()) y += 1e6;
  const auto far = fit_regression(data, options);
  const auto near_scores = near.scores(data.x);
  const auto far_scores = far.scores(data.x);
  for (std::size_t k = 0; k < near_scores.values().size(); ++k) {
    EXPECT_NEAR(far_scores.values()[k] - 1e6, near_scores.values()[k], 1e-3);
  }
}

TEST(MgdRegression, LearnsTheSameFromFeaturesThatItBorrowsAndOnAnyThreads) {
  auto data = some_data();
  for (double& value : data.x.dense().values()) value = static_cast<float>(value);
  const auto expected = fit_regression(data, {.threads = {1}});
  EXPECT_EQ(fit_regression(data, {.threads = {3}}).contents(), expected.contents());
  const Features owned = data.x;
  for (const Features& lent : testing::every_loan(owned)) {
    data.x = lent;
    EXPECT_EQ(fit_regression(data).contents(), expected.contents());
  }
}

TEST(MgdRegression, ModelSavesLoadsAndNamesItsTargets) {
  auto data = some_data();
  data.target_names = {"height", "width", "depth"};
  const auto model = fit_regression(data);
  const testing::TemporaryFolder folder;
  model.save(folder / "targets.mugrad");
  const auto loaded = Model::load(folder / "targets.mugrad");
  EXPECT_EQ(loaded.contents(), model.contents());
  EXPECT_EQ(loaded.label_name(1), "width");
  EXPECT_EQ(loaded.scores(data.x), model.scores(data.x));
  EXPECT_EQ(std::get<IndependentHead>(loaded.contents().head).link, Link::identity);
}

TEST(MgdRegression, StartAtTheAnswerStopsAtOnce) {
  const auto data = some_data();
  RegressionOptions options{.sigma = 0.5};
  const auto cold = fit_regression(data, options);
  options.initial = std::make_shared<const Model>(cold);
  const auto warm = fit_regression(data, options);
  EXPECT_LE(warm.contents().report.solve->effort, 3);
  EXPECT_LT(largest_difference(weights_of(warm), weights_of(cold)), 1e-12);
  options.representation = RepresentationKind::none;
  options.rho = 0.2;
  options.tolerance = 1e-12;
  const auto other = fit_regression(data, options);
  EXPECT_LT(largest(plain_field(data, other, 0.2, 0.5)), 1e-9);
}

TEST(MgdRegression, BorrowsFromPositivelyCorrelatedTargetsThatBothAreKnownOf) {
  auto data = some_data({.rows = 12, .features = 2, .targets = 3});
  for (Index i = 0; i < 12; ++i) {
    data.y(i, 0) = static_cast<double>(i % 5);
    data.y(i, 1) = 2 * static_cast<double>(i % 5) + 7;  // in step
    data.y(i, 2) = -static_cast<double>(i % 5);         // against it
  }
  data.y(3, 0) = kUnknown;
  data.y(4, 1) = kUnknown;
  const auto relations = fit_regression(data).contents().relations;
  EXPECT_NEAR(relations.at(0, 1), 0.5, 1e-9);
  EXPECT_NEAR(relations.at(1, 0), 0.5, 1e-9);
  EXPECT_EQ(relations.at(0, 2), 0);
  EXPECT_EQ(relations.at(2, 2), 1);
}

TEST(MgdRegression, RefusesWhatCannotBeTrained) {
  const auto refused = [](const RegressionData& data, const std::string& message) {
    EXPECT_THAT([&] { fit_regression(data); }, ThrowsMessage<InputError>(HasSubstr(message)));
  };
  auto data = some_data();
  data.target_names = {"a", "b"};
  refused(data, "there are 2 names for 3 targets");
  data.target_names = {"a", "b", "c"};
  data.y(7, 1) = std::numeric_limits<double>::infinity();
  refused(data, "target 'b' of example 7 is infinite");
  for (Index i = 0; i < 60; ++i) data.y(i, 1) = kUnknown;
  refused(data, "no example of positive weight has a known target 'b'");
  data.y = Matrix<double>(59, 3);
  refused(data, "features of 60 examples and targets of 59");
  data = some_data();
  data.row_weights.assign(60, 0);
  refused(data, "every example of the data has weight 0");
  EXPECT_THROW(fit_regression(some_data(), {.rho = -1}), UsageError);
  EXPECT_THROW(fit_regression(some_data(), {.sigma = kUnknown}), UsageError);
  EXPECT_THROW(fit_regression(some_data(), {.neighbours = 0}), UsageError);
  EXPECT_THROW(target_similarity_named("cosine"), UsageError);
}

}  // namespace
}  // namespace mugrad
