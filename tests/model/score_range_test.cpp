// SPDX-License-Identifier: MIT
// Scores of rows, and of models, whose numbers leave the range of double.
#include "model/score_kernels.h"
#include "support/every_target.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kMost = std::numeric_limits<double>::max();

TEST(AllWithin, FindsOneNumberThatIsBeyondWhereverItIsOnEveryTarget) {
  testing::for_each_target([] {
    for (std::size_t count = 0; count < 40; ++count) {
      std::vector<double> numbers(count + 1, -1);  // the first is left out: not on a cache line
      const std::span all = std::span(numbers).subspan(1);
      EXPECT_TRUE(all_within(all, 1));
      for (std::size_t k = 0; k < count; ++k) {
        for (const double beyond : {1.5, -1.5, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
          all[k] = beyond;
          EXPECT_FALSE(all_within(all, 1)) << k << " of " << count;
        }
        all[k] = 1;
      }
    }
  });
}

/// Two features and as many columns as there are weights in a row; labels are called a, b, ...
ModelContents contents_of(const Matrix<double>& weights, Head head, Index labels,
                          RepresentationKind representation = RepresentationKind::none) {
  ModelContents contents{
      .representation = {.kind = representation,
                         .mean = {0, 0},
                         .deviation = {1, 1},
                         .row_length = has_row_length(representation) ? 1.0 : 0.0},
      .weights = weights,
      .intercepts = std::vector<double>(static_cast<std::size_t>(weights.cols())),
      .head = std::move(head),
      .thresholds = std::vector<double>(static_cast<std::size_t>(labels), 0.5),
      .relations = {.cols = labels}};
  for (Index t = 0; t < labels; ++t) {
    contents.label_names.emplace_back(1, static_cast<char>('a' + t));
    contents.relations.end_row();
  }
  return contents;
}

Matrix<double> matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix<double> result(std::ssize(rows), std::ssize(*rows.begin()));
  auto to = result.values().begin();
  for (const auto& row : rows) to = std::ranges::copy(row, to).out;
  return result;
}

/// Of the rows given, dense and sparse.
void expect_scores(const Model& model, const Matrix<double>& rows, const Matrix<double>& expected) {
  for (const Features& x : {Features(rows), as_sparse(rows)}) {
    EXPECT_EQ(model.scores(x), expected);
    BinaryMatrix predicted{.cols = expected.cols()};
    for (Index row = 0; row < rows.rows(); ++row) {
      for (Index t = 0; t < expected.cols(); ++t) {
        if (expected(row, t) >= 0.5) predicted.column.push_back(static_cast<LabelId>(t));
      }
      predicted.end_row();
    }
    EXPECT_EQ(model.predict(x), predicted);
  }
}

TEST(ScoreRange, SumsThatLeaveItAndComeBackHaveTheRightSign) {
  // 3 big - 2 big, and the other way round; in double both are infinite before they come back.
  const Model model(contents_of(matrix({{3, -3}, {-2, 2}}), IndependentHead{}, 2));
  expect_scores(model, matrix({{1e308, 1e308}, {-1e308, -1e308}, {0, 0}}),
                matrix({{1, 0}, {0, 1}, {0.5, 0.5}}));
}

TEST(ScoreRange, RowsBesideOneThatLeavesItHaveTheScoresTheyHaveAlone) {
  const auto data = testing::random_problem({.rows = 700, .features = 2, .labels = 3}, 1);
  const Model model(contents_of(matrix({{1, -2, 0.5}, {-1, 3, 2}}), IndependentHead{}, 3));
  const auto alone = model.scores(data.x);
  auto spoiled = data.x;
  for (const Index row : {0, 255, 256, 699}) spoiled.dense().row(row)[0] = kMost;
  const auto beside = model.scores(spoiled, {3});
  const auto predicted = model.predict(spoiled, {3});
  for (Index row = 0; row < data.x.rows(); ++row) {
    if (row == 0 || row == 255 || row == 256 || row == 699) {
      EXPECT_THAT(beside.row(row), ::testing::ElementsAre(1, 0, 1));
      EXPECT_THAT(predicted.row(row), ::testing::ElementsAre(0, 2));
    } else {
      EXPECT_TRUE(std::ranges::equal(beside.row(row), alone.row(row)));
    }
  }
}

TEST(ScoreRange, UnitRowsOfAnyLengthAreOfUnitLength) {
  const Model model(contents_of(matrix({{3, 0}, {4, 1}}), IndependentHead{Link::identity}, 2,
                                RepresentationKind::unit_row));
  for (const double length : {1.0, 1e-320, 1e-300, 1e200, 1e308}) {
    for (const auto& x :
         {Features(matrix({{length, length}})), as_sparse(matrix({{length, length}}))}) {
      const auto scores = model.scores(x);
      // A subnormal length has few digits.
      EXPECT_NEAR(scores(0, 0), 7 / std::sqrt(2), 1e-3) << length;
      EXPECT_NEAR(scores(0, 1), 1 / std::sqrt(2), 1e-3) << length;
    }
  }
}

TEST(ScoreRange, ChainsSeeWhatWasPredictedBefore) {
  // The second label has what the first takes away, unless the row is larger than both.
  ChainHead head{.order = {0, 1}, .history = Matrix<double>(2, 2)};
  head.history(1, 0) = -1e300;
  const Model model(contents_of(matrix({{1, 1}, {0, 0}}), head, 2));
  expect_scores(model, matrix({{1e290, 0}, {1e308, 0}, {-1e308, 0}}),
                matrix({{1, 0}, {1, 1}, {0, 0}}));
}

TEST(ScoreRange, TheLikeliestClassOfALabelsetWins) {
  LabelsetHead head{.sets = {.cols = 2, .row_start = {0, 2}, .column = {0, 1}},
                    .classes = {.cols = 2, .row_start = {0, 0, 1, 3}, .column = {0, 0, 1}},
                    .class_start = {0, 3}};
  for (const auto score :
       {LabelsetScore::marginal, LabelsetScore::votes, LabelsetScore::confidence}) {
    head.score = score;
    const Model model(contents_of(matrix({{1, 3, 2}, {0, 0, 0}}), head, 2));
    expect_scores(model, matrix({{1.7e308, 0}, {-1.7e308, 0}}), matrix({{1, 0}, {0, 0}}));
  }
}

TEST(ScoreRange, DistancesOfFarRowsHaveSquaresThatDoNot) {
  // f is the distance to the first centre; squares of 1e200 are infinite in double.
  DistanceHead head{.centre_start = {0, 2},
                    .squared_length = {0, 1},
                    .weight = {1, 0},
                    .offset = {0},
                    .slope = {-1},
                    .shift = {0}};
  const auto weights = matrix({{0, 1}, {0, 0}});
  expect_scores(Model(contents_of(weights, head, 1)), matrix({{1e200, 1e200}, {-1.7e308, 1e308}}),
                matrix({{1}, {1}}));
  head.slope = {1};
  expect_scores(Model(contents_of(weights, head, 1)), matrix({{1e200, 1e200}, {-1.7e308, 1e308}}),
                matrix({{0}, {0}}));
  // Two that cancel.
  head.weight = {1e300, -1e300};
  head.squared_length = {0, 0};
  expect_scores(Model(contents_of(matrix({{0, 0}, {0, 0}}), head, 1)), matrix({{1e200, 1e200}}),
                matrix({{0.5}}));
}

TEST(ScoreRange, FarRowsAreLikeNoExample) {
  const KernelHead head{
      .squared_length = {1, 4}, .coefficients = matrix({{5, 6}, {7, 8}}), .offset = {0.25, -3}};
  const Model model(contents_of(matrix({{1, 0}, {0, 2}}), head, 2));
  expect_scores(model, matrix({{1e200, 0}, {1.7e308, -1.7e308}}), matrix({{0.25, -3}, {0.25, -3}}));
}

TEST(ScoreRange, AScoreThatIsNotFiniteIsAnErrorThatNamesRowAndLabel) {
  const Model model(contents_of(matrix({{0, 2}, {0, 0}}), IndependentHead{Link::identity}, 2));
  Matrix<double> rows(600, 2, 1);
  EXPECT_NO_THROW(model.scores(rows));
  rows(599, 0) = -1e308;
  rows(401, 0) = 1e308;
  for (const Features& x : {Features(rows), as_sparse(rows)}) {
    for (const int threads : {1, 3}) {
      const std::string message =
          "row 401: the score of label 'b' is inf, not a finite number: "
          "values of the row, or numbers of the model, are too large";
      EXPECT_THAT([&] { model.scores(x, {threads}); }, ThrowsMessage<ScoreError>(message));
      EXPECT_THAT([&] { model.predict(x, {threads}); }, ThrowsMessage<ScoreError>(message));
      EXPECT_THAT([&] { model.linear_scores(x, {threads}); }, ThrowsMessage<InputError>(message));
    }
  }
  try {
    model.scores(rows);
    FAIL();
  } catch (const ScoreError& error) {
    EXPECT_EQ(error.row(), 401);
    EXPECT_THAT(error.reason(), ::testing::StartsWith("the score of label 'b' is inf"));
  }
}

TEST(ScoreRange, LogOddsThatAreNotFiniteAreAnErrorAndTheirProbabilitiesAreNot) {
  const Model model(contents_of(matrix({{-2}, {0}}), IndependentHead{}, 1));
  EXPECT_EQ(model.scores(matrix({{1.7e308, 0}}))(0, 0), 0);
  EXPECT_THAT(
      [&] {
        model.linear_scores(matrix({{1.7e308, 0}}));
      },
      ThrowsMessage<ScoreError>(HasSubstr("the score of label 'a' is -inf")));
}

TEST(ScoreRange, FeaturesThatAreNoNumbersAreAnErrorWhateverTheHead) {
  const std::vector<Head> heads = {
      IndependentHead{}, IndependentHead{Link::identity},
      ChainHead{.order = {0}, .history = Matrix<double>(1, 1)}, PairHead{.vote = Vote::probability},
      KernelHead{.squared_length = {1}, .coefficients = matrix({{1}}), .offset = {0}}};
  for (const Head& head : heads) {
    const Model model(contents_of(matrix({{1}, {1}}), head, 1));
    EXPECT_THAT(
        [&] {
          model.scores(matrix({{1, 1}, {std::nan(""), 0}}));
        },
        ThrowsMessage<ScoreError>(HasSubstr(std::holds_alternative<IndependentHead>(head)
                                                ? "row 1: the score of label 'a' is nan"
                                                : "row 1: no label has a finite score")))
        << kind_of(head);
  }
}

TEST(ScoreRange, NumbersOfAModelThatLeaveItAreAnErrorForAnyRow) {
  FeedbackHead head{.label_weights = matrix({{1e308, 1e308}, {1e308, 1e308}})};
  const Model model(contents_of(matrix({{1, 1, 1, 1}, {1, 1, 1, 1}}), head, 2));
  EXPECT_THAT(
      [&] {
        model.scores(matrix({{1, 1}}));
      },
      ThrowsMessage<ScoreError>(HasSubstr("row 0: the score of label 'a' is inf")));
}

}  // namespace
}  // namespace mugrad
