// SPDX-License-Identifier: MIT
// Models with Gaussian features.
#include "support/random_problem.h"
#include "support/small_model.h"

#include <mugrad/core/error.h>
#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace mugrad {
namespace {

using nlohmann::json;
using testing::as_sparse;
using testing::doctored;
using ::testing::HasSubstr;
using testing::random_problem;
using testing::small_model;
using ::testing::ThrowsMessage;

ModelContents gaussian_model() {
  auto contents = small_model();
  testing::add_gaussian(contents);
  return contents;
}

constexpr Index kCentres = 70;  // more than a panel

/// Random centres, projection and weights for these features.
Model random_model(const Features& x, const Head& head, Index columns, Index labels) {
  Representation representation = fit_representation(x, RepresentationKind::gaussian);
  representation.gaussian = {.centres = testing::random_weights(kCentres, x.cols(), 3),
                             .projection = testing::random_weights(kCentres, kCentres, 4),
                             .decay = 0.2};
  CsrMatrix<double> relations{.cols = labels};
  for (Index t = 0; t < labels; ++t) relations.end_row();
  return Model({.representation = representation,
                .weights = testing::random_weights(x.cols() + kCentres, columns, 5),
                .intercepts = std::vector<double>(static_cast<std::size_t>(columns), 0.25),
                .head = head,
                .thresholds = std::vector<double>(static_cast<std::size_t>(labels), 0.5),
                .relations = relations});
}

/// [0.3 z | g(x)] of one row, by the definitions.
std::vector<double> plain_row(const Representation& representation, const Features& x, Index row) {
  std::vector<double> z(static_cast<std::size_t>(x.cols()), 0);
  x.for_each_in_row(row,
                    [&](FeatureId k, double value) { z[static_cast<std::size_t>(k)] = value; });
  std::vector<double> result;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double deviation = representation.deviation[k];
    z[k] = deviation > 0 ? (z[k] - representation.mean[k]) / deviation : 0;
    result.push_back(0.3 * z[k]);
  }
  const auto& [centres, projection, decay] = representation.gaussian;
  for (Index j = 0; j < projection.cols(); ++j) {
    double sum = 0;
    for (Index c = 0; c < centres.rows(); ++c) {
      double distance = 0;
      for (std::size_t k = 0; k < z.size(); ++k) {
        const double gap = z[k] - centres.row(c)[k];
        distance += gap * gap;
      }
      sum += std::exp(-decay * distance) * projection(c, j);
    }
    result.push_back(sum);
  }
  return result;
}

Features random_rows(Index rows) {
  Features x = random_problem({.rows = rows, .features = 6, .feature_probability = 0.5}, 8).x;
  for (Index i = 0; i < rows; ++i) x.dense()(i, 2) = 7;  // constant
  return x;
}

TEST(GaussianModel, ScoresDenseAndSparseRowsAsDefined) {
  const Features dense = random_rows(90);
  const Model model = random_model(dense, IndependentHead{Link::identity}, 5, 5);
  const auto& weights = std::get<Matrix<double>>(model.contents().weights);
  for (const Features& x : {dense, as_sparse(dense)}) {
    const auto scores = model.scores(x, {2});
    for (Index i = 0; i < x.rows(); ++i) {
      const auto row = plain_row(model.contents().representation, x, i);
      for (Index t = 0; t < 5; ++t) {
        double z = 0.25;
        for (std::size_t k = 0; k < row.size(); ++k) {
          z += row[k] * weights(static_cast<Index>(k), t);
        }
        // Some thousand products of numbers near 1, in another order.
        ASSERT_NEAR(scores(i, t), z, 1e-11);
      }
    }
  }
  EXPECT_EQ(model.scores(dense), model.scores(as_sparse(dense)));
}

TEST(GaussianModel, GivesHeadsTheRowsThatTheyMeasure) {
  const Features x = random_rows(20);
  const KernelHead head{.width = 3,
                        .squared_length = {1, 2},
                        .coefficients = {{1, -1}, {0.5, 2}},
                        .offset = {0, 0.25}};
  const Model model = random_model(x, head, 2, 2);
  const auto& weights = std::get<Matrix<double>>(model.contents().weights);
  const auto scores = model.scores(x);
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row = plain_row(model.contents().representation, x, i);
    double expected[] = {0, 0.25};
    for (Index c = 0; c < 2; ++c) {
      double product = 0.25, length = 0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        product += row[k] * weights(static_cast<Index>(k), c);
        length += row[k] * row[k];
      }
      const double apart = std::max(0.0, length - 2 * product + static_cast<double>(c + 1));
      for (Index t = 0; t < 2; ++t) {
        expected[t] += std::exp(-apart / 18) * head.coefficients(c, t);
      }
    }
    for (Index t = 0; t < 2; ++t) EXPECT_NEAR(scores(i, t), expected[t], 1e-11);
  }
}

TEST(GaussianModel, ScoresDependNeitherOnOtherRowsNorOnThreads) {
  const Features dense = random_rows(700);
  const Model model = random_model(dense, IndependentHead{Link::logistic}, 4, 4);
  for (const Features& x : {dense, as_sparse(dense)}) {
    const auto all = model.scores(x, {1});
    EXPECT_EQ(model.scores(x, {3}), all);
    for (const Index begin : {0, 1, 63, 300}) {
      const auto some = model.scores(x, begin, begin + 70, {2});
      for (Index i = 0; i < 70; ++i) {
        for (Index t = 0; t < 4; ++t) ASSERT_EQ(some(i, t), all(begin + i, t));
      }
    }
    const auto predicted = model.predict(x, {2});
    for (Index i = 0; i < x.rows(); ++i) {
      std::vector<LabelId> expected;
      for (LabelId t = 0; t < 4; ++t) {
        if (all(i, t) >= 0.5) expected.push_back(t);
      }
      ASSERT_THAT(predicted.row(i), ::testing::ElementsAreArray(expected));
    }
  }
}

TEST(GaussianModel, OfARowFarFromEveryCentreHasOnlyZScores) {
  const Features x = random_rows(40);
  const Model model = random_model(x, IndependentHead{Link::identity}, 1, 1);
  const auto& representation = model.contents().representation;
  const auto& weights = std::get<Matrix<double>>(model.contents().weights);
  for (const double size : {1e9, 1e160, 1e300}) {
    Matrix<double> far(1, 6, 0);
    far(0, 1) = size;
    double expected = 0.25;
    for (Index k = 0; k < 6; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (representation.deviation[at] == 0) continue;
      expected += 0.3 * (far(0, k) - representation.mean[at]) / representation.deviation[at] *
                  weights(k, 0);
    }
    EXPECT_NEAR(model.scores(far)(0, 0) / expected, 1, 1e-12) << size;
  }
}

TEST(GaussianModel, SaysWhichRowHasNoFiniteScore) {
  Matrix<double> x = random_rows(300).dense();
  const Model model = random_model(x, IndependentHead{Link::logistic}, 3, 3);
  x(271, 4) = std::numeric_limits<double>::quiet_NaN();
  try {
    model.scores(x, 150, 300);
    FAIL();
  } catch (const ScoreError& error) {
    EXPECT_EQ(error.row(), 271);
  }
  EXPECT_THROW(model.predict(x), ScoreError);
}

TEST(GaussianModel, RefusesRowsOfOtherWidths) {
  const Model model = random_model(random_rows(40), IndependentHead{Link::logistic}, 3, 3);
  EXPECT_EQ(model.features(), 6);
  EXPECT_THAT(
      [&] { model.scores(Matrix<double>(2, 76)); },
      ThrowsMessage<UsageError>(HasSubstr("the data has 76 features, the model was trained on 6")));
  const CsrMatrix<double> outside{.cols = 6, .row_start = {0, 1}, .column = {6}, .value = {1}};
  EXPECT_THROW(model.scores(outside), UsageError);
}

TEST(GaussianModel, RefusesFeaturesThatDoNotFit) {
  const auto refused = [](const auto& change, const char* message) {
    auto contents = gaussian_model();
    change(contents.representation.gaussian);
    EXPECT_THAT([&] { Model{contents}; }, ThrowsMessage<InputError>(HasSubstr(message)));
  };
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  refused([](auto& of) { of.decay = 0; }, "cannot fall off at the rate 0");
  refused([](auto& of) { of.decay = kNone; }, "cannot fall off at the rate nan");
  refused([](auto& of) { of.centres(0, 1) = kNone; }, "is nan, which is not within 1e+100");
  refused([](auto& of) { of.centres(0, 1) = 1e200; }, "is 1e+200, which is not within 1e+100");
  refused([](auto& of) { of.projection(1, 1) = -1e200; }, "is -1e+200, which is not within");
  refused([](auto& of) { of.centres = Matrix<double>(2, 3, 1); },
          "the model has 3 features of each centre, 2 expected");
  refused([](auto& of) { of.projection = Matrix<double>(1, 2, 1); },
          "the model has 1 rows of the projection, 2 expected");
  refused([](auto& of) { of.projection = Matrix<double>(2, 3, 1); },
          "the model has 3 columns of the projection, 2 expected");
  refused([](auto& of) { of.centres = Matrix<double>(3, 2, 1); },
          "the model has 4 rows of weights, 5 expected");
  refused([](auto& of) { of.centres = {}; }, "the model has 4 rows of weights, 2 expected");
  auto contents = small_model();
  contents.representation.kind = RepresentationKind::gaussian;
  EXPECT_THAT([&] { Model{contents}; }, ThrowsMessage<InputError>(HasSubstr("without centres")));
  testing::add_gaussian(contents);
  contents.representation.kind = RepresentationKind::zscore;
  EXPECT_THAT([&] { Model{contents}; },
              ThrowsMessage<InputError>(HasSubstr("2 centres of Gaussian features, 0 expected")));
}

TEST(GaussianModel, RefusesDamagedFiles) {
  const auto bytes = Model(gaussian_model()).to_bytes();
  const auto refused = [&](const auto& change, const char* message) {
    const auto damaged = doctored(bytes, [&](json& header, std::string&) { change(header); });
    EXPECT_THAT([&] { Model::from_bytes(damaged, "a file"); },
                ThrowsMessage<InputError>(HasSubstr(message)));
  };
  refused([](json& header) { header["gaussian.centres"]["shape"] = {4}; },
          "the tensor 'gaussian.centres' must have 2 dimensions, not 1");
  refused(
      [](json& header) {
        header["gaussian.projection"]["shape"] = {1, 4};
      },
      "the model has 1 rows of the projection, 2 expected");
  refused([](json& header) { header["gaussian.projection"]["dtype"] = "I64"; },
          "the tensor 'gaussian.projection' must have the type F64, not I64");
  refused([](json& header) { header["__metadata__"]["scaling"] = R"({"kind":"gaussian"})"; },
          "decay");
  refused([](json& header) { header["__metadata__"]["scaling"] = R"({"kind":"zscore"})"; },
          "does not belong in a model");
}

}  // namespace
}  // namespace mugrad
