// SPDX-License-Identifier: MIT
#include "support/golden.h"
#include "support/random_problem.h"
#include "support/waves.h"

#include <mugrad/core/error.h>
#include <mugrad/method/br.h>
#include <mugrad/method/cc.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::KnownScores;
using testing::random_problem;
using ::testing::ThrowsMessage;

const ChainHead& chains_of(const Model& model) {
  return std::get<ChainHead>(model.contents().head);
}

const Matrix<float>& weights_of(const Model& model) {
  return std::get<Matrix<float>>(model.contents().weights);
}

/// Labels that depend on features and on each other.
Dataset related_problem(Index rows, std::uint64_t seed) {
  auto data = random_problem({.rows = rows, .features = 4, .labels = 1}, seed);
  RandomStream random(seed, "noise");
  BinaryMatrix y{.cols = 3, .row_start = {0}, .column = {}};
  for (Index row = 0; row < rows; ++row) {
    const auto x = data.x.dense().row(row);
    const bool first = x[0] + 0.5 * x[1] + random.normal() > 0;
    const bool second = x[1] - x[2] + (first ? 1 : -1) + random.normal() > 0;
    const bool third = x[3] + (first != second ? 1 : -1) + random.normal() > 0;
    if (first) y.column.push_back(0);
    if (second) y.column.push_back(1);
    if (third) y.column.push_back(2);
    y.end_row();
  }
  data.y = y;
  return data;
}

bool has(const Dataset& data, Index row, LabelId label) {
  return std::ranges::binary_search(data.y.row(row), label);
}

/// One label of a data set, with labels before it as further features.
Dataset with_features(const Dataset& data, LabelId label, const std::vector<LabelId>& before) {
  Matrix<double> x(data.rows(), data.features() + std::ssize(before));
  Dataset result{.name = "appended", .y = {.cols = 1, .row_start = {0}, .column = {}}};
  for (Index row = 0; row < data.rows(); ++row) {
    data.x.for_each_in_row(row, [&](FeatureId k, double value) { x(row, k) = value; });
    for (std::size_t k = 0; k < before.size(); ++k) {
      x(row, data.features() + static_cast<Index>(k)) = has(data, row, before[k]) ? 1 : 0;
    }
    if (has(data, row, label)) result.y.column.push_back(0);
    result.y.end_row();
  }
  result.x = std::move(x);
  return result;
}

/// Weights and intercept of one label for raw features.
std::vector<double> raw_weights(const Model& model) {
  const auto& contents = model.contents();
  const auto transform = feature_transform(contents.representation);
  const auto& weights = std::get<Matrix<double>>(contents.weights);
  std::vector<double> raw = {contents.intercepts[0]};
  for (std::size_t k = 0; k < transform.factor.size(); ++k) {
    raw.push_back(weights(static_cast<Index>(k), 0) * transform.factor[k]);
    raw[0] -= raw.back() * transform.shift[k];
  }
  return raw;
}

/// The same of a label of a chain, the labels before it after the features.
std::vector<double> raw_weights(const Model& chain, LabelId label,
                                const std::vector<LabelId>& before) {
  const auto transform = feature_transform(chain.contents().representation);
  std::vector<double> raw = {chain.contents().intercepts[static_cast<std::size_t>(label)]};
  for (std::size_t k = 0; k < transform.factor.size(); ++k) {
    const auto weight = static_cast<double>(weights_of(chain)(static_cast<Index>(k), label));
    raw.push_back(weight * transform.factor[k]);
    raw[0] -= raw.back() * transform.shift[k];
  }
  for (const LabelId other : before) raw.push_back(chains_of(chain).history(label, other));
  return raw;
}

TEST(Cc, IsALogisticRegressionPerLabelOnFeaturesAndEarlierLabels) {
  const auto data = related_problem(200, 3);
  for (const bool random_order : {false, true}) {
    const CcOptions options{.random_order = random_order, .tolerance = 1e-6, .seed = 5};
    const auto chain = fit(data, options);
    auto sparse = data;
    sparse.x = as_sparse(data.x);
    const auto sparse_chain = fit(sparse, options);
    std::vector<LabelId> before;
    for (const LabelId label : chains_of(chain).order) {
      const auto alone = fit(with_features(data, label, before),
                             MgdOptions{.rho = options.rho,
                                        .sigma = 0,
                                        .tolerance = 1e-9,
                                        .precision = Precision::double_precision});
      const auto expected = raw_weights(alone);
      for (const auto& model : {chain, sparse_chain}) {
        const auto weights = raw_weights(model, label, before);
        ASSERT_EQ(weights.size(), expected.size());
        // Single precision, and a tolerance of a millionth.
        for (std::size_t k = 0; k < weights.size(); ++k) {
          EXPECT_NEAR(weights[k], expected[k], 2e-4) << label << ' ' << k;
        }
      }
      before.push_back(label);
    }
  }
}

TEST(Cc, LabelsNotBeforeALabelHaveNoWeightForIt) {
  const auto data = related_problem(200, 3);
  const auto chain = fit(data, CcOptions{.random_order = true, .seed = 2});
  const auto& head = chains_of(chain);
  for (std::size_t place = 0; place < 3; ++place) {
    for (std::size_t other = 0; other < 3; ++other) {
      const double gain = head.history(head.order[place], head.order[other]);
      EXPECT_EQ(gain != 0, other < place);
    }
  }
}

TEST(Cc, OfOneLabelIsBr) {
  const auto data = random_problem({.rows = 80, .features = 6, .labels = 1}, 3);
  for (const auto representation : representation_kinds()) {
    auto sparse = data;
    sparse.x = as_sparse(data.x);
    for (const auto& either : {data, sparse}) {
      // With as many features as examples, BR would be solved in the space of the rows.
      const GaussianOptions few{.centres = 40};
      const auto chain = fit(either, CcOptions{.representation = representation, .gaussian = few});
      const auto br = fit(either, BrOptions{.representation = representation, .gaussian = few});
      EXPECT_EQ(chain.contents().weights, br.contents().weights);
      EXPECT_EQ(chain.contents().intercepts, br.contents().intercepts);
      EXPECT_LE(testing::largest_difference(chain.scores(either.x), br.scores(either.x)), 1e-14);
    }
  }
}

double largest_gain(Index rows) {
  const auto data = random_problem({.rows = rows, .features = 2, .labels = 4}, 7);
  const auto model = fit(data, CcOptions{});
  double largest = 0;
  for (const double gain : chains_of(model).history.values()) {
    largest = std::max(largest, std::fabs(gain));
  }
  return largest;
}

TEST(Cc, IndependentLabelsGainLessFromEachOtherTheMoreExamplesThereAre) {
  // The deviation of a gain is about 1 / (p (1 - p) sqrt(n)): 0.4 and 0.02.
  EXPECT_GT(largest_gain(100), 0.1);
  EXPECT_LT(largest_gain(40000), 0.1);
}

TEST(Cc, CopyOfAnEarlierLabelIsLearnedPerfectly) {
  auto data = related_problem(300, 9);
  BinaryMatrix y{.cols = 2, .row_start = {0}, .column = {}};
  for (Index row = 0; row < data.rows(); ++row) {
    if (has(data, row, 0)) y.column.insert(y.column.end(), {0, 1});
    y.end_row();
  }
  data.y = y;
  const auto model = fit(data, CcOptions{});
  const auto test = related_problem(300, 10);
  const auto scores = model.scores(test.x);
  for (Index row = 0; row < test.rows(); ++row) {
    EXPECT_EQ(scores(row, 0) >= 0.5, scores(row, 1) >= 0.5);
  }
}

TEST(Cc, SameSeedGivesTheSameModelAndAnotherAnother) {
  const auto data = related_problem(100, 3);
  const CcOptions options{.random_order = true, .seed = 1};
  const auto model = fit(data, options);
  EXPECT_EQ(fit(data, options).contents(), model.contents());
  auto other = options;
  std::vector<LabelId> order;
  do {
    ++other.seed;
    order = chains_of(fit(data, other)).order;
  } while (order == chains_of(model).order && other.seed < 10);
  EXPECT_NE(order, chains_of(model).order);
}

TEST(Cc, LabelsOfOneClassPredictTheirBaseRateAndAreNotLookedAt) {
  auto data = related_problem(50, 3);
  BinaryMatrix y{.cols = 4, .row_start = {0}, .column = {}};  // all, some, none, some
  for (Index row = 0; row < data.rows(); ++row) {
    y.column.push_back(0);
    if (has(data, row, 0)) y.column.push_back(1);
    if (has(data, row, 1)) y.column.push_back(3);
    y.end_row();
  }
  data.y = y;
  const auto model = fit(data, CcOptions{});
  const auto& report = model.contents().report;
  EXPECT_THAT(report.constant_labels, ElementsAre(0, 2));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_THAT(report.warnings[0], HasSubstr("2 of 4 labels have only one class"));
  const auto scores = model.scores(data.x);
  EXPECT_NEAR(scores(0, 0), 50.5 / 51, 1e-12);
  EXPECT_NEAR(scores(0, 2), 0.5 / 51, 1e-12);
  const auto& history = chains_of(model).history;
  for (LabelId label = 0; label < 4; ++label) {
    EXPECT_EQ(history(label, 0), 0);
    EXPECT_EQ(history(label, 2), 0);
  }
  EXPECT_NE(history(3, 1), 0);

  data.y = {.cols = 1, .row_start = std::vector<Index>(51, 0), .column = {}};
  EXPECT_NEAR(fit(data, CcOptions{}).scores(data.x)(0, 0), 0.5 / 51, 1e-12);
}

TEST(Cc, TrainsOnAlmostNothing) {
  for (const Index rows : {1, 2, 3}) {
    for (const auto representation : representation_kinds()) {
      auto data = random_problem({.rows = rows, .features = 2, .labels = 3}, 1);
      std::ranges::fill(data.x.dense().values(), 1.0);  // constant features, equal rows
      const auto scores = fit(data, CcOptions{.representation = representation}).scores(data.x);
      for (const double score : scores.values()) {
        EXPECT_TRUE(std::isfinite(score));
      }
    }
  }
}

TEST(Cc, RefusesUnknownLabels) {
  auto data = random_problem({.rows = 4, .features = 2, .labels = 2}, 5);
  data.y = {.cols = 2, .row_start = {0, 0, 0, 1, 2}, .column = {0, 1}};
  data.unknown = {.cols = 2, .row_start = {0, 1, 1, 1, 1}, .column = {1}};
  EXPECT_THAT([&] { fit(data, CcOptions{}); },
              ThrowsMessage<InputError>(HasSubstr("cc requires all labels to be known")));
}

TEST(Cc, AgreesWithScikitLearn) {
  const auto data = testing::waves();
  const auto scores =
      fit(data,
          CcOptions{.rho = 0.05, .representation = RepresentationKind::none, .tolerance = 1e-6})
          .scores(data.x);
  // scikit-learn 1.2.1: ClassifierChain(LogisticRegression(C=1/(40*0.05), tol=1e-10)).
  for (const auto& expected : {KnownScores{0, {0.771014, 0.774543, 0.524457}},
                               KnownScores{1, {0.869903, 0.909456, 0.128729}},
                               KnownScores{2, {0.763082, 0.215028, 0.650125}},
                               KnownScores{5, {0.196885, 0.119981, 0.195787}},
                               KnownScores{11, {0.640606, 0.839543, 0.262434}},
                               KnownScores{23, {0.759082, 0.204917, 0.663846}},
                               KnownScores{31, {0.770963, 0.855287, 0.124586}}}) {
    for (Index label = 0; label < 3; ++label) {
      EXPECT_NEAR(scores(expected.row, label), expected.scores[static_cast<std::size_t>(label)],
                  1e-4)
          << expected.row << ' ' << label;
    }
  }
}

}  // namespace
}  // namespace mugrad
