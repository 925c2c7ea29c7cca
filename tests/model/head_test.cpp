// SPDX-License-Identifier: MIT
#include "support/linear_representations.h"
#include "support/random_problem.h"
#include "support/row_factor.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/model/head.h>
#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace mugrad {
namespace {

using testing::as_sparse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::random_problem;
using testing::random_weights;
using testing::row_factor;
using ::testing::ThrowsMessage;

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

/// A model of these weights, one row per feature, without scaling unless told.
Model model_of(Matrix<double> weights, std::vector<double> intercepts, Head head, Index labels,
               Representation representation = {}) {
  ModelContents contents;
  const auto features = static_cast<std::size_t>(weights.rows());
  if (representation.mean.empty()) {
    representation = {RepresentationKind::none, std::vector<double>(features, 0),
                      std::vector<double>(features, 1)};
  }
  contents.representation = std::move(representation);
  contents.weights = std::move(weights);
  contents.intercepts = std::move(intercepts);
  contents.head = std::move(head);
  contents.thresholds.assign(static_cast<std::size_t>(labels), 0.5);
  contents.relations.cols = labels;
  for (Index t = 0; t < labels; ++t) contents.relations.end_row();
  return Model(std::move(contents));
}

/// Scores of one row whose linear scores are the intercepts.
std::vector<double> scores_of(std::vector<double> linear, Head head, Index labels) {
  const auto columns = std::ssize(linear);
  const auto model =
      model_of(Matrix<double>(1, columns), std::move(linear), std::move(head), labels);
  const auto scores = model.scores(Features(Matrix<double>(1, 1)));
  return {scores.values().begin(), scores.values().end()};
}

ChainHead two_chains() {
  // The first member goes 1, 0 and the second 0, 1; what comes second gains or loses.
  Matrix<double> history(4, 2);
  history(0, 1) = -3;  // label 0 of member 0, when 1 was predicted
  history(3, 0) = 5;   // label 1 of member 1, when 0 was
  return {.order = {1, 0, 0, 1}, .history = history};
}

TEST(ChainHead, LabelsSeeWhatWasPredictedBeforeThemInTheirMember) {
  const std::vector<double> z = {1, 0.5, 2, -1};
  auto head = two_chains();
  const auto scores = scores_of(z, head, 2);
  EXPECT_NEAR(scores[0], (logistic(1 - 3) + logistic(2)) / 2, 1e-15);
  EXPECT_NEAR(scores[1], (logistic(0.5) + logistic(-1 + 5)) / 2, 1e-15);
  head.vote = Vote::label;
  EXPECT_THAT(scores_of(z, head, 2), ElementsAre(0.5, 1));
}

TEST(ChainHead, WhatWasNotPredictedAddsNothing) {
  const auto scores = scores_of({1, -0.5, -2, -1}, two_chains(), 2);
  EXPECT_NEAR(scores[0], (logistic(1) + logistic(-2)) / 2, 1e-15);
  EXPECT_NEAR(scores[1], (logistic(-0.5) + logistic(-1)) / 2, 1e-15);
}

/// Sets {0, 1} with the classes {}, {0}, {0, 1} and {1, 2} with {1}, {2}; label 3 is in none.
LabelsetHead two_sets(LabelsetScore score) {
  LabelsetHead head{.score = score, .class_start = {0, 3, 5}};
  head.sets = {.cols = 4, .row_start = {0, 2, 4}, .column = {0, 1, 1, 2}};
  head.classes = {.cols = 4, .row_start = {0, 0, 1, 3, 4, 5}, .column = {0, 0, 1, 1, 2}};
  return head;
}

TEST(LabelsetHead, MarginalsVotesAndConfidencesAreMeansOverTheSetsOfALabel) {
  const std::vector<double> z = {std::log(2), std::log(5), std::log(3), std::log(1), std::log(4)};
  const auto marginal = scores_of(z, two_sets(LabelsetScore::marginal), 4);
  EXPECT_NEAR(marginal[0], 0.8, 1e-15);
  EXPECT_NEAR(marginal[1], (0.3 + 0.2) / 2, 1e-15);
  EXPECT_NEAR(marginal[2], 0.8, 1e-15);
  EXPECT_EQ(marginal[3], 0);
  EXPECT_THAT(scores_of(z, two_sets(LabelsetScore::votes), 4), ElementsAre(1, 0, 1, 0));
  const auto confidence = scores_of(z, two_sets(LabelsetScore::confidence), 4);
  EXPECT_NEAR(confidence[0], (1 + 0.5) / 2, 1e-15);
  EXPECT_NEAR(confidence[1], ((1 - 0.5) / 2 + (1 - 0.8) / 2) / 2, 1e-15);
  EXPECT_NEAR(confidence[2], (1 + 0.8) / 2, 1e-15);
}

TEST(LabelsetHead, HugeScoresDoNotOverflow) {
  const auto scores = scores_of({-2000, 2000, 0, 900, 1e5}, two_sets(LabelsetScore::marginal), 4);
  EXPECT_THAT(scores, ElementsAre(1, 0, 1, 0));
}

TEST(PairHead, CountsVotesAgainstThoseOfTheVirtualLabel) {
  const PairHead head{.vote = Vote::label, .first = {0, 0, 1}, .second = {1, 2, 2}};
  // Relevant by themselves: 0 and 2. Pairs: 0 over 1, 2 over 0, 2 over 1; the virtual label has
  // one.
  const auto scores = scores_of({3, -1, 2, 1, -1, -1}, head, 3);
  EXPECT_NEAR(scores[0], 0.5 + (2 - 1) / 6.0, 1e-15);
  EXPECT_NEAR(scores[1], 0.5 + (0 - 1) / 6.0, 1e-15);
  EXPECT_NEAR(scores[2], 0.5 + (3 - 1) / 6.0, 1e-15);
}

TEST(PairHead, VotesAddUpToAllComparisons) {
  for (const auto vote : {Vote::label, Vote::probability}) {
    const PairHead head{.vote = vote, .first = {0, 0, 1}, .second = {1, 2, 2}};
    const auto scores = scores_of({3, -1, 2, 1, -1, 0.3}, head, 3);
    // s = 1/2 + (v - v0) / 6, so that sum v + v0 = 6 gives v0 from the sum of the scores.
    const double sum = 6 * (scores[0] + scores[1] + scores[2] - 1.5);
    const double virtual_votes = (6 - sum) / 4;
    EXPECT_GE(virtual_votes, 0);
    EXPECT_LE(virtual_votes, 3);
    if (vote == Vote::label) {
      EXPECT_NEAR(virtual_votes, 1, 1e-12);
    }
  }
}

TEST(FeedbackHead, GuessesAgainFromWhatWasGuessed) {
  Matrix<double> gains(2, 2);
  gains(0, 1) = 0.4;   // label 1 gains from 0
  gains(1, 0) = -0.3;  // label 0 loses from 1
  // First guess: 0 alone. Then 1 joins, then 0 leaves, then 1 has nothing to join for.
  const std::vector<double> z = {0.9, 0.1, 0.6, 0.2};
  const std::vector<double> after[] = {{0.9, 0.1}, {0.6, 0.6}, {0.3, 0.6}, {0.3, 0.2}};
  for (Index rounds = 0; rounds < 4; ++rounds) {
    const auto scores = scores_of(z, FeedbackHead{.rounds = rounds, .label_weights = gains}, 2);
    EXPECT_NEAR(scores[0], after[rounds][0], 1e-15) << rounds;
    EXPECT_NEAR(scores[1], after[rounds][1], 1e-15) << rounds;
  }
}

/// Rows of x, scaled.
Matrix<double> scaled_rows(const Features& x, const Representation& representation) {
  const auto transform = feature_transform(representation);
  Matrix<double> rows(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    x.for_each_in_row(i, [&](FeatureId k, double value) { rows(i, k) = value; });
    for (Index k = 0; k < x.cols(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double shift = transform.shift.empty() ? 0 : transform.shift[at];
      const double factor = transform.factor.empty() ? 1 : transform.factor[at];
      rows(i, k) = (rows(i, k) * row_factor(transform, x, i, k) - shift) * factor;
    }
  }
  return rows;
}

double squared_distance(std::span<const double> a, const Matrix<double>& columns, Index c) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = a[k] - columns(static_cast<Index>(k), c);
    sum += difference * difference;
  }
  return sum;
}

std::vector<double> squared_lengths(const Matrix<double>& columns) {
  const std::vector<double> origin(static_cast<std::size_t>(columns.rows()), 0);
  std::vector<double> lengths;
  for (Index c = 0; c < columns.cols(); ++c)
    lengths.push_back(squared_distance(origin, columns, c));
  return lengths;
}

/// Calls expect(model scores, scaled rows) for dense and sparse features and every scaling.
void for_each_representation(
    const Matrix<double>& columns, const Head& head, Index labels,
    const std::function<void(const Matrix<double>&, const Matrix<double>&)>& expect) {
  const auto data = random_problem({.rows = 30, .features = columns.rows(), .labels = 2}, 4);
  for (const auto kind : testing::linear_representations()) {
    for (const Features& x : {data.x, as_sparse(data.x)}) {
      const auto representation = fit_representation(x, kind);
      const auto model =
          model_of(columns, std::vector<double>(static_cast<std::size_t>(columns.cols()), 0), head,
                   labels, representation);
      expect(model.scores(x, {2}), scaled_rows(x, representation));
    }
  }
}

TEST(DistanceHead, ScoresFollowFromDistancesToTheCentresInScaledSpace) {
  const auto centres = random_weights(5, 3, 9);
  const DistanceHead head{.centre_start = {0, 2, 3},
                          .squared_length = squared_lengths(centres),
                          .weight = {0.5, -1, 2},
                          .offset = {0.1, -3},
                          .slope = {-1.5, -0.5},
                          .shift = {0.2, 0.3}};
  for_each_representation(centres, head, 2, [&](const auto& scores, const auto& rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
      const auto distance = [&](Index c) {
        return std::sqrt(squared_distance(rows.row(i), centres, c));
      };
      const double first = 0.1 + 0.5 * distance(0) - distance(1);
      const double second = -3 + 2 * distance(2);
      EXPECT_NEAR(scores(i, 0), logistic(1.5 * first - 0.2), 1e-7);
      EXPECT_NEAR(scores(i, 1), logistic(0.5 * second - 0.3), 1e-7);
    }
  });
}

TEST(DistanceHead, OfAModelWithoutColumnsOfWeightsScoresAllTheSame) {
  const DistanceHead head{
      .centre_start = {0, 0, 0}, .offset = {0.5, -3}, .slope = {-2, 1}, .shift = {0, 1}};
  const Model saved = model_of(Matrix<double>(3, 0), {}, head, 2);
  const Model model = Model::from_bytes(saved.to_bytes(), "it");
  EXPECT_EQ(model.contents(), saved.contents());
  const auto data = random_problem({.rows = 5, .features = 3, .labels = 2}, 4);
  for (const Features& x : {data.x, as_sparse(data.x)}) {
    const auto scores = model.scores(x);
    for (Index row = 0; row < x.rows(); ++row) {
      EXPECT_NEAR(scores(row, 0), logistic(1), 1e-15);
      EXPECT_NEAR(scores(row, 1), logistic(2), 1e-15);
    }
  }
}

TEST(KernelHead, ScoresAreLinearInTheLikenessToExamples) {
  const auto examples = random_weights(5, 4, 9);
  const auto coefficients = random_weights(4, 2, 3);
  const KernelHead head{.width = 1.7,
                        .squared_length = squared_lengths(examples),
                        .coefficients = coefficients,
                        .offset = {0.25, -1}};
  for_each_representation(examples, head, 2, [&](const auto& scores, const auto& rows) {
    for (Index i = 0; i < rows.rows(); ++i) {
      for (Index label = 0; label < 2; ++label) {
        double expected = head.offset[static_cast<std::size_t>(label)];
        for (Index e = 0; e < 4; ++e) {
          expected += coefficients(e, label) *
                      std::exp(-squared_distance(rows.row(i), examples, e) / (2 * 1.7 * 1.7));
        }
        EXPECT_NEAR(scores(i, label), expected, 1e-12);
      }
    }
  });
}

/// Examples at 0, 1 and 4 on a line, of which the first two have label 0 and the last two label 1;
/// the two nearest vote.
NeighbourHead three_examples() {
  NeighbourHead head{.labels = {.cols = 2, .row_start = {0, 1, 3, 4}, .column = {0, 0, 1, 1}},
                     .probability = Matrix<double>(2, 3)};
  Matrix<double> rows(3, 1);
  rows(1, 0) = 1;
  rows(2, 0) = 4;
  head.rows = rows;
  for (Index j = 0; j < 3; ++j) {
    head.probability(0, j) = 0.1 + 0.2 * static_cast<double>(j);
    head.probability(1, j) = 0.2 + 0.3 * static_cast<double>(j);
  }
  return head;
}

Model model_of(const NeighbourHead& head) { return model_of(Matrix<double>(1, 0), {}, head, 2); }

TEST(NeighbourHead, ScoresByHowManyOfTheNearestExamplesHaveALabel) {
  auto head = three_examples();
  Matrix<double> rows(4, 1);
  std::ranges::copy(std::vector<double>{-5, 0.4, 2.5, 1e300}, rows.data());
  for (const Features& x : {Features(rows), as_sparse(rows)}) {
    for (const Features& examples : {head.rows, as_sparse(head.rows)}) {
      head.rows = examples;
      const auto scores = model_of(head).scores(x);
      for (const Index row : {0, 1}) {  // nearest to the first two examples
        EXPECT_EQ(scores(row, 0), head.probability(0, 2));
        EXPECT_EQ(scores(row, 1), head.probability(1, 1));
      }
      for (const Index row : {2, 3}) {  // nearest to the last two
        EXPECT_EQ(scores(row, 0), head.probability(0, 1));
        EXPECT_EQ(scores(row, 1), head.probability(1, 2));
      }
    }
  }
}

TEST(NeighbourHead, AddsItsShiftToRows) {
  auto head = three_examples();
  head.shift = {3};
  Matrix<double> rows(2, 1);
  rows(0, 0) = -2.6;
  const auto scores = model_of(head).scores(as_sparse(rows));
  EXPECT_EQ(scores(0, 0), head.probability(0, 2));
  EXPECT_EQ(scores(1, 0), head.probability(0, 1));
}

std::vector<Model> one_of_each() {
  const auto lengths = squared_lengths(Matrix<double>(1, 3));
  std::vector<Model> models;
  const auto add = [&](Index columns, Index labels, Head head) {
    models.push_back(model_of(random_weights(1, columns, 1),
                              std::vector<double>(static_cast<std::size_t>(columns), 0.5),
                              std::move(head), labels));
  };
  add(4, 2, two_chains());
  add(5, 4, two_sets(LabelsetScore::votes));
  add(6, 3, PairHead{.first = {0, 0, 1}, .second = {1, 2, 2}});
  add(3, 2, DistanceHead{{0, 2, 3}, lengths, {1, 2, 3}, {1, 2}, {-1, -1}, {0, 1}});
  add(4, 2, FeedbackHead{.rounds = 2, .label_weights = random_weights(2, 2, 1)});
  add(3, 2, KernelHead{0.5, lengths, random_weights(3, 2, 1), {0, 1}});
  add(0, 2, three_examples());
  return models;
}

TEST(Heads, AreTheSameAfterSavingAndLoading) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "a.mugrad";
  for (const Model& model : one_of_each()) {
    model.save(path);
    EXPECT_EQ(Model::load(path).contents(), model.contents()) << kind_of(model.contents().head);
  }
}

TEST(Heads, ThatDoNotFitTheirModelAreRefused) {
  const auto refused = [](std::size_t which, const std::function<void(Head&)>& change,
                          const char* words) {
    auto contents = one_of_each()[which].contents();
    change(contents.head);
    EXPECT_THAT([&] { const Model model(contents); }, ThrowsMessage<InputError>(HasSubstr(words)));
  };
  const auto get = []<class Kind>(Head& head, Kind*) -> Kind& { return std::get<Kind>(head); };
  constexpr ChainHead* kChain = nullptr;
  constexpr LabelsetHead* kSets = nullptr;
  constexpr PairHead* kPairs = nullptr;
  constexpr DistanceHead* kDistance = nullptr;
  constexpr FeedbackHead* kFeedback = nullptr;
  constexpr KernelHead* kKernel = nullptr;
  constexpr NeighbourHead* kNeighbours = nullptr;
  refused(
      0, [&](Head& h) { get(h, kChain).order[1] = 1; }, "chain 1 of the model has a label twice");
  refused(
      0, [&](Head& h) { get(h, kChain).order[1] = 7; }, "order names label 7, but there are 2");
  refused(
      0, [&](Head& h) { get(h, kChain).history = Matrix<double>(4, 3); },
      "3 columns of history, 2 expected");
  refused(
      0, [&](Head& h) { get(h, kChain).history(0, 0) = NAN; }, "history of the model is nan");
  refused(
      1,
      [&](Head& h) {
        get(h, kSets).class_start = {0, 0, 5};
      },
      "labelset 1 of the model has no");
  refused(
      1, [&](Head& h) { get(h, kSets).classes.column[0] = 3; }, "class 2 of the model has labels");
  refused(
      1,
      [&](Head& h) {
        get(h, kSets).sets.row_start = {0, 5, 4};
      },
      "sets are not ascending");
  refused(
      2, [&](Head& h) { get(h, kPairs).second[0] = 0; }, "pair 1 of the model has label 0 twice");
  refused(
      2, [&](Head& h) { get(h, kPairs).second.pop_back(); }, "2 second labels of pairs");
  refused(
      3,
      [&](Head& h) {
        get(h, kDistance).centre_start = {0, 3};
      },
      "2 starts of centres, 3");
  refused(
      3, [&](Head& h) { get(h, kDistance).slope.pop_back(); }, "1 numbers per label, 2");
  refused(
      4, [&](Head& h) { get(h, kFeedback).rounds = -1; }, "the model has -1 feedback rounds");
  refused(
      4, [&](Head& h) { get(h, kFeedback).rounds = Index{1} << 62; },
      "the model has 4611686018427387904 feedback rounds, from 0 to 100 expected");
  refused(
      5, [&](Head& h) { get(h, kKernel).width = 0; }, "width 0, from 1e-150 to 1e+150 expected");
  refused(
      5, [&](Head& h) { get(h, kKernel).width = 1e-200; }, "width 1e-200, from 1e-150");
  refused(
      5, [&](Head& h) { get(h, kKernel).offset.clear(); }, "0 offsets, 2 expected");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).rows = Matrix<double>(3, 2); },
      "2 columns of examples, 1 expected");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).rows = Matrix<double>(4, 1); },
      "3 examples with labels, 4 expected");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).rows = Matrix<float>(3, 1); },
      "rows are in single precision");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).rows = Matrix<double>(3, 1, NAN); },
      "rows of the model is nan");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).rows = Matrix<double>(3, 1, 1e150); },
      "an example of the model has the squared length 1e+300, at most 1e+280 expected");
  refused(
      6,
      [&](Head& h) {
        get(h, kNeighbours).rows =
            CsrMatrix<double>{.cols = 1, .row_start = {0, 1, 1, 1}, .column = {1}, .value = {1}};
      },
      "columns of the model's rows do not ascend, or are not all below 1");
  refused(
      6,
      [&](Head& h) {
        get(h, kNeighbours).shift = {1, 2};
      },
      "2 shifts, 1 expected");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).shift = {1e150}; }, "the shift of the model has the");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).probability(1, 2) = 1.5; },
      "a probability of the model is 1.5, a number in [0, 1] expected");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).probability = Matrix<double>(2, 5); },
      "3 examples and 5 probabilities of a label, from 1 to 4 expected");
  refused(
      6, [&](Head& h) { get(h, kNeighbours).probability = Matrix<double>(2, 0); },
      "0 probabilities of a label");
}

}  // namespace
}  // namespace mugrad
