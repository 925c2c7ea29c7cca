// SPDX-License-Identifier: MIT
// A head that scores scaled rows by itself is given these, and no linear scores.
#include "model/block_scorer.h"

#include "support/linear_representations.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>
#include <mugrad/parallel/thread_pool.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Index kFeatures = 6, kLabels = 2;

/// The product of the row with each column of some weights, divided by the length of the row.
class Projections final : public RowHeadScores<Projections, HeadInput::scaled_row> {
 public:
  explicit Projections(const Matrix<double>& weights) : weights_(weights) {}

  template <class Real>
  void score_row(const HeadRow<Real>& row, const RowWork&, std::span<double> scores) const {
    EXPECT_TRUE(row.linear.empty());
    Real squares = 0;
    for (const Real value : row.values) squares += value * value;
    EXPECT_NEAR(static_cast<double>(row.squared_length / squares), 1, 1e-9);
    for (std::size_t label = 0; label < scores.size(); ++label) {
      Real sum = 0;
      for (std::size_t k = 0; k < row.values.size(); ++k) {
        sum += row.values[k] * weights_(row.features[k], static_cast<Index>(label));
      }
      scores[label] = static_cast<double>(sum / std::sqrt(squares));
    }
  }

 private:
  const Matrix<double>& weights_;
};

/// A model whose linear scores are the products that Projections computes.
Model linear_model(const Matrix<double>& weights, const Representation& representation) {
  ModelContents contents{.representation = representation,
                         .weights = weights,
                         .intercepts = std::vector<double>(kLabels, 0),
                         .head = IndependentHead{Link::identity},
                         .thresholds = std::vector<double>(kLabels, 0.5),
                         .relations = {.cols = kLabels}};
  for (Index label = 0; label < kLabels; ++label) contents.relations.end_row();
  return Model(std::move(contents));
}

Matrix<double> projections(const Model& model, const Matrix<double>& weights, const Features& x) {
  ThreadPool pool(Threads{1});
  const BlockScorer scorer({.linear = std::make_shared<PanelScores>(model, pool),
                            .label_names = std::make_shared<std::vector<std::string>>(),
                            .head = std::make_unique<Projections>(weights),
                            .is_logistic = false},
                           model.contents().thresholds);
  auto scratch = scorer.scratch();
  const RowRange rows{x, 0, x.rows()};
  scorer.linear().make_room(rows, x.rows(), scratch.panels);
  Matrix<double> scores(x.rows(), kLabels);
  ProgressFunction progress([](double) { return true; });
  scorer.score(rows, scratch, progress, scores.data());
  return scores;
}

TEST(BlockScorer, GivesScaledRowsToAHeadThatAsksForThem) {
  const auto weights = testing::random_weights(kFeatures, kLabels, 5);
  const auto data = testing::random_problem(
      {.rows = 20, .features = kFeatures, .labels = 2, .feature_probability = 0.6}, 3);
  for (const auto kind : testing::linear_representations()) {
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      const Model model = linear_model(weights, fit_representation(x, kind));
      const auto expected = model.linear_scores(x);
      const auto found = projections(model, weights, x);
      for (Index row = 0; row < x.rows(); ++row) {
        // Both labels are divided by the same length, so that ratios are those of linear scores.
        EXPECT_NEAR(found(row, 0) * expected(row, 1), found(row, 1) * expected(row, 0), 1e-12);
        EXPECT_GT(found(row, 0) * expected(row, 0), 0);
      }
    }
  }
}

TEST(BlockScorer, GivesRowsThatLeaveTheRangeOfDoubleInLongDouble) {
  const auto weights = testing::random_weights(kFeatures, kLabels, 5);
  const Matrix<double> near(1, kFeatures, 1), far(1, kFeatures, 1e300);
  const std::vector<double> zeros(kFeatures, 0), ones(kFeatures, 1);
  const Model model = linear_model(weights, {RepresentationKind::none, zeros, ones});
  const auto expected = projections(model, weights, Features(near));
  for (const Features& x : {Features(far), as_sparse(far)}) {
    const auto found = projections(model, weights, x);
    for (Index label = 0; label < kLabels; ++label) {
      EXPECT_NEAR(found(0, label), expected(0, label), 1e-12);
    }
  }
}

TEST(BlockScorer, RefusesRowsThatAreNoNumbersBeforeAHeadMakesScoresOfThem) {
  const auto weights = testing::random_weights(kFeatures, kLabels, 5);
  const std::vector<double> zeros(kFeatures, 0), ones(kFeatures, 1);
  const Model model = linear_model(weights, {RepresentationKind::none, zeros, ones});
  const Matrix<double> x(1, kFeatures, std::numeric_limits<double>::infinity());
  EXPECT_THAT([&] { projections(model, weights, Features(x)); },
              ThrowsMessage<ScoreError>(HasSubstr("no label has a finite score")));
}

}  // namespace
}  // namespace mugrad
