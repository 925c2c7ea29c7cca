// SPDX-License-Identifier: MIT
#include "linalg/scaled_rows.h"
#include "method/pairs/label_pairs.h"
#include "support/label_rows.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/method/br.h>
#include <mugrad/method/clr.h>
#include <mugrad/method/mgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using testing::as_sparse;
using testing::binary_rows;
using ::testing::ElementsAre;
using testing::random_problem;

const Matrix<float>& weights_of(const Model& model) {
  return std::get<Matrix<float>>(model.contents().weights);
}
const PairHead& head_of(const Model& model) { return std::get<PairHead>(model.contents().head); }

/// The linear scores of a model, a column per column of its weights.
Matrix<double> linear_scores(const Model& model, const Features& x) {
  const auto rows = dense_rows(x, feature_transform(model.contents().representation));
  const auto& weights = weights_of(model);
  Matrix<double> z(x.rows(), weights.cols());
  for (Index i = 0; i < z.rows(); ++i) {
    for (Index c = 0; c < z.cols(); ++c) {
      z(i, c) = model.contents().intercepts[static_cast<std::size_t>(c)];
      for (Index k = 0; k < rows.cols(); ++k) {
        z(i, c) += rows(i, k) * static_cast<double>(weights(k, c));
      }
    }
  }
  return z;
}

/// Features at random for the labels given.
Dataset data_of(const std::vector<std::vector<int>>& labels, Index features = 3) {
  auto data = random_problem({.rows = std::ssize(labels), .features = features, .labels = 1}, 12);
  data.y = binary_rows(labels);
  return data;
}

TEST(LabelPairs, AreThoseThatSomeExampleTellsApart) {
  const auto data = data_of({{1, 1, 0, 0}, {0, 0, 1, 0}, {1, 1, 1, 0}});
  const LabelPairs pairs(data);
  EXPECT_THAT(pairs.first(), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(pairs.second(), ElementsAre(2, 3, 2, 3, 3));
  LabelPairs::Examples examples;
  pairs.find_examples(0, examples);
  EXPECT_THAT(examples.with_first, ElementsAre(0));
  EXPECT_THAT(examples.with_second, ElementsAre(1));
}

TEST(LabelPairs, UnknownLabelsTellNothingApart) {
  auto data = data_of({{1, 0}, {0, 1}, {1, 0}});
  data.unknown = binary_rows({{0, 1}, {0, 0}, {0, 0}});
  LabelPairs::Examples examples;
  LabelPairs(data).find_examples(0, examples);
  EXPECT_THAT(examples.with_first, ElementsAre(2));
  EXPECT_THAT(examples.with_second, ElementsAre(1));
}

TEST(Clr, VotesOfLabelsAndTheVirtualOneAddUpToAllThatVote) {
  auto data = random_problem({.rows = 80, .features = 5, .labels = 6}, 3);
  BinaryMatrix copied{.cols = 6};  // label 5 is a copy of 4
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : data.y.row(row)) {
      if (label < 5) copied.column.push_back(label);
      if (label == 4) copied.column.push_back(5);
    }
    copied.end_row();
  }
  data.y = copied;
  for (const auto vote : {Vote::label, Vote::probability}) {
    const auto model = fit(data, ClrOptions{.vote = vote});
    const auto z = linear_scores(model, data.x);
    const auto scores = model.scores(data.x);
    for (Index i = 0; i < data.rows(); ++i) {
      double virtual_votes = 0;
      for (Index a = 0; a < 6; ++a) {
        const double against =
            vote == Vote::label ? (z(i, a) >= 0 ? 0 : 1) : 1 / (1 + std::exp(z(i, a)));
        virtual_votes += against;
      }
      double all = virtual_votes;
      for (Index a = 0; a < 6; ++a) all += 12 * (scores(i, a) - 0.5) + virtual_votes;
      // Labels 4 and 5 are never told apart; the rows above are rounded to single precision.
      EXPECT_NEAR(all, 6 * 7 / 2 - 1, vote == Vote::label ? 1e-12 : 1e-6);
    }
  }
}

TEST(Clr, OneLabelIsBinaryRelevance) {
  const auto data = random_problem({.rows = 50, .features = 4, .labels = 1}, 5);
  const auto clr = fit(data, ClrOptions{.vote = Vote::probability});
  const auto br = fit(data, BrOptions{});
  EXPECT_EQ(clr.contents().weights, br.contents().weights);
  EXPECT_EQ(clr.contents().intercepts, br.contents().intercepts);
  const auto scores = clr.scores(data.x);
  const auto expected = br.scores(data.x);
  for (Index i = 0; i < data.rows(); ++i) EXPECT_NEAR(scores(i, 0), expected(i, 0), 1e-14);
  EXPECT_EQ(fit(data, ClrOptions{}).predict(data.x), br.predict(data.x));
}

TEST(Clr, TwoLabelsByHand) {
  const auto data = random_problem({.rows = 70, .features = 3, .labels = 2}, 6);
  const auto model = fit(data, ClrOptions{});
  const auto z = linear_scores(model, data.x);
  ASSERT_EQ(z.cols(), 3);
  const auto scores = model.scores(data.x);
  for (Index i = 0; i < data.rows(); ++i) {
    const bool first = z(i, 0) >= 0, second = z(i, 1) >= 0, prefers_first = z(i, 2) >= 0;
    const int virtual_votes = (first ? 0 : 1) + (second ? 0 : 1);
    const int votes[] = {(first ? 1 : 0) + (prefers_first ? 1 : 0),
                         (second ? 1 : 0) + (prefers_first ? 0 : 1)};
    for (Index a = 0; a < 2; ++a) {
      EXPECT_NEAR(scores(i, a), 0.5 + (votes[a] - virtual_votes) / 4.0, 1e-15);
      EXPECT_EQ(scores(i, a) >= 0.5, votes[a] >= virtual_votes);
    }
  }
}

/// The regression of a pair by the method for all labels, on a data set of its rows alone that are
/// scaled already.
Model pair_alone(const Dataset& data, const Representation& representation, LabelId a, LabelId b,
                 double rho) {
  std::vector<Index> rows;
  Dataset alone{.name = "pair"};
  alone.y.cols = 1;
  for (Index i = 0; i < data.rows(); ++i) {
    const bool has_a = std::ranges::binary_search(data.y.row(i), a);
    if (has_a == std::ranges::binary_search(data.y.row(i), b)) continue;
    rows.push_back(i);
    if (has_a) alone.y.column.push_back(0);
    alone.y.end_row();
  }
  alone.x = dense_rows(select_rows(data.x, rows), feature_transform(representation));
  return fit(alone, MgdOptions{.rho = rho,
                               .sigma = 0,
                               .representation = RepresentationKind::none,
                               .tolerance = 1e-10,
                               .precision = Precision::double_precision});
}

TEST(Clr, EachPairIsALogisticRegressionOnTheExamplesThatTellItApart) {
  auto data =
      random_problem({.rows = 60, .features = 6, .labels = 4, .feature_probability = 0.6}, 9);
  for (const bool sparse : {false, true}) {
    if (sparse) data.x = as_sparse(data.x);
    const auto model = fit(data, ClrOptions{.rho = 0.03, .tolerance = 1e-9});
    ASSERT_EQ(head_of(model).first.size(), 6U);
    for (std::size_t pair = 0; pair < 6; ++pair) {
      const auto alone = pair_alone(data, model.contents().representation,
                                    head_of(model).first[pair], head_of(model).second[pair], 0.03);
      const auto& expected = std::get<Matrix<double>>(alone.contents().weights);
      for (Index k = 0; k < 6; ++k) {
        EXPECT_NEAR(weights_of(model)(k, 4 + static_cast<Index>(pair)), expected(k, 0), 2e-6);
      }
      EXPECT_NEAR(model.contents().intercepts[4 + pair], alone.contents().intercepts[0], 2e-6);
    }
  }
}

TEST(Clr, PairThatNothingTellsApartDoesNotShiftThePairsAfterIt) {
  const auto base = random_problem({.rows = 60, .features = 4, .labels = 3}, 10);
  auto copied = base;  // labels 0, 0 again, 1, 2
  copied.y = {.cols = 4, .row_start = {0}, .column = {}};
  for (Index row = 0; row < base.rows(); ++row) {
    for (const LabelId label : base.y.row(row)) {
      if (label == 0) copied.y.column.push_back(0);
      copied.y.column.push_back(label + 1);
    }
    copied.y.end_row();
  }
  const auto expected = fit(base, ClrOptions{});
  const auto model = fit(copied, ClrOptions{});
  EXPECT_THAT(head_of(expected).first, ElementsAre(0, 0, 1));
  EXPECT_THAT(head_of(model).first, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(head_of(model).second, ElementsAre(2, 3, 2, 3, 3));
  const Index same_as[] = {0, 1, 0, 1, 2};  // pairs of the labels without the copy
  for (Index pair = 0; pair < 5; ++pair) {
    for (Index k = 0; k < 4; ++k) {
      EXPECT_EQ(weights_of(model)(k, 4 + pair), weights_of(expected)(k, 3 + same_as[pair]));
    }
  }
}

TEST(Clr, PairWhoseExamplesAllHaveTheSameLabelAlwaysVotesForIt) {
  // Where label 1 is, 0 is too; label 2 is never there.
  const auto data = data_of({{1, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 1, 0}, {1, 0, 0}});
  const auto model = fit(data, ClrOptions{});
  EXPECT_THAT(head_of(model).first, ElementsAre(0, 0, 1));
  for (Index pair = 0; pair < 3; ++pair) {
    for (Index k = 0; k < 3; ++k) EXPECT_EQ(weights_of(model)(k, 3 + pair), 0);
    EXPECT_GT(model.contents().intercepts[static_cast<std::size_t>(3 + pair)], 0);
  }
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(2));
  const auto scores = model.scores(data.x);
  for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
}

TEST(Clr, LabelsThatAreAllConstantOrAlikeStillMakeAModel) {
  for (const auto& labels : std::vector<std::vector<std::vector<int>>>{
           {{1, 0}, {1, 0}, {1, 0}}, {{0, 0}, {0, 0}}, {{1, 1}, {0, 0}, {1, 1}}, {{1, 0}}}) {
    const auto data = data_of(labels);
    const auto model = fit(data, ClrOptions{});
    const auto scores = model.scores(data.x);
    for (const double score : scores.values()) EXPECT_TRUE(std::isfinite(score));
  }
}

TEST(Clr, UnknownLabelsAreAsIfThoseExamplesWereNotThereForThePair) {
  auto data = random_problem({.rows = 60, .features = 4, .labels = 3}, 14);
  data.unknown = {.cols = 3, .row_start = {0}, .column = {}};
  for (Index row = 0; row < data.rows(); ++row) {
    const bool has = std::ranges::binary_search(data.y.row(row), 1);
    if (row % 5 == 2 && !has) data.unknown.column.push_back(1);
    data.unknown.end_row();
  }
  const auto model =
      fit(data, ClrOptions{.representation = RepresentationKind::none, .tolerance = 1e-9});
  std::vector<Index> known;
  for (Index row = 0; row < data.rows(); ++row) {
    if (data.unknown.row(row).empty()) known.push_back(row);
  }
  auto without = select_rows(data, known);
  without.unknown = {};
  const auto expected =
      fit(without, ClrOptions{.representation = RepresentationKind::none, .tolerance = 1e-9});
  for (const Index pair : {0, 2}) {  // those with label 1
    for (Index k = 0; k < 4; ++k) {
      EXPECT_NEAR(weights_of(model)(k, 3 + pair), weights_of(expected)(k, 3 + pair), 1e-6);
    }
  }
}

TEST(Clr, WekasRidgeIsHardlyAnyPenalty) {
  const auto data = random_problem({.rows = 120, .features = 2, .labels = 2}, 15);
  const auto weka = fit(data, ClrOptions{.weka_ridge = true, .tolerance = 1e-9});
  const auto none = fit(data, ClrOptions{.rho = 0, .tolerance = 1e-9});
  for (Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(weights_of(weka)(k, 2), weights_of(none)(k, 2), 1e-5);
  }
}

/// Stops when the share given is done.
class StopAt final : public Progress {
 public:
  explicit StopAt(double share) : share_(share) {}
  bool update(double share) override {
    EXPECT_GE(share, last_);
    last_ = share;
    return share < share_;
  }
  double last() const { return last_; }

 private:
  double share_;
  double last_ = 0;
};

TEST(Clr, TellsHowFarItIsAndStopsWhenAsked) {
  const auto data = random_problem({.rows = 50, .features = 4, .labels = 30}, 16);
  StopAt never(2);
  fit(data, ClrOptions{}, &never);
  EXPECT_DOUBLE_EQ(never.last(), 1);
  for (const double share : {0.0, 0.3}) {
    StopAt early(share);
    EXPECT_THROW(fit(data, ClrOptions{}, &early), InterruptedError);
  }
}

TEST(LabelPairs, UpdateTheirProgressOncePerLabel) {
  const auto data = random_problem({.rows = 20, .features = 2, .labels = 5}, 16);
  std::vector<double> shares;
  ProgressFunction progress([&](double share) {
    shares.push_back(share);
    return true;
  });
  const LabelPairs pairs(data, &progress);
  EXPECT_EQ(shares, (std::vector<double>{0, 0.2, 0.4, 3.0 / 5, 0.8}));
}

}  // namespace
}  // namespace mugrad
