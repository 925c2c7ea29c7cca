// SPDX-License-Identifier: MIT
#include "support/label_rows.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/method/br.h>
#include <mugrad/method/lp.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const LabelsetHead& head_of(const Model& model) {
  return std::get<LabelsetHead>(model.contents().head);
}

TEST(Lp, HasOneSetOfAllLabelsAndAClassPerCombination) {
  auto data = testing::random_problem({.rows = 6, .features = 3, .labels = 3}, 2);
  data.y = testing::binary_rows({{1, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 0}, {0, 0, 1}, {1, 1, 0}});
  const auto model = fit(data, LpOptions{});
  const auto& head = head_of(model);
  EXPECT_EQ(head.score, LabelsetScore::marginal);
  EXPECT_EQ(head.sets.rows(), 1);
  EXPECT_THAT(head.sets.row(0), ElementsAre(0, 1, 2));
  ASSERT_EQ(head.classes.rows(), 3);
  EXPECT_THAT(head.classes.row(0), ElementsAre(0));
  EXPECT_THAT(head.classes.row(1), ElementsAre(0, 1));
  EXPECT_THAT(head.classes.row(2), ElementsAre(2));
  EXPECT_EQ(model.contents().report.solve->stop, "converged");
  EXPECT_GT(model.contents().report.solve->minimised, 0);
}

/// Two classes: of half the penalty, see SoftmaxOfTwoClassesIsALogisticRegressionOfHalfThePenalty.
TEST(Lp, OfOneLabelIsBrOfHalfTheStrength) {
  const auto data = testing::random_problem({.rows = 80, .features = 5, .labels = 1}, 3);
  const auto lp = fit(data, LpOptions{.rho = 0.06, .tolerance = 1e-5}).scores(data.x);
  const auto br = fit(data, BrOptions{.rho = 0.03, .tolerance = 1e-5}).scores(data.x);
  for (std::size_t k = 0; k < lp.values().size(); ++k) {
    EXPECT_NEAR(lp.values()[k], br.values()[k], 1e-4);
  }
}

TEST(Lp, LabelsThatGoTogetherHaveTheSameScoreAndThoseThatExcludeEachOtherSumToOne) {
  auto data = testing::random_problem({.rows = 70, .features = 4, .labels = 2}, 5);
  BinaryMatrix y{.cols = 4, .row_start = {0}, .column = {}};
  for (Index row = 0; row < data.rows(); ++row) {
    const auto labels = data.y.row(row);
    const bool first = std::ranges::binary_search(labels, 0);
    if (first) y.column.push_back(0);
    if (std::ranges::binary_search(labels, 1)) y.column.push_back(1);
    y.column.push_back(first ? 2 : 3);
    y.end_row();
  }
  data.y = y;
  const auto scores = fit(data, LpOptions{}).scores(data.x);
  for (Index row = 0; row < data.rows(); ++row) {
    EXPECT_NEAR(scores(row, 0), scores(row, 2), 1e-12);
    EXPECT_NEAR(scores(row, 2) + scores(row, 3), 1, 1e-12);
  }
}

TEST(Lp, PredictsTheLikeliestCombinationByConfidencesAndVotes) {
  const auto data = testing::random_problem({.rows = 90, .features = 5, .labels = 4}, 6);
  const auto confident = fit(data, LpOptions{.score = LabelsetScore::confidence});
  const auto voting = fit(data, LpOptions{.score = LabelsetScore::votes});
  EXPECT_EQ(confident.predict(data.x), voting.predict(data.x));
  const auto predicted = voting.predict(data.x);
  for (Index row = 0; row < data.rows(); ++row) {
    bool occurs = false;
    for (Index other = 0; other < data.rows(); ++other) {
      occurs = occurs || std::ranges::equal(predicted.row(row), data.y.row(other));
    }
    EXPECT_TRUE(occurs) << row;
  }
}

TEST(Lp, LabelsWithOneClassOnlyScoreAsOftenAsTheyOccur) {
  auto data = testing::random_problem({.rows = 8, .features = 3, .labels = 3}, 2);
  data.y = testing::binary_rows(
      {{1, 0, 1}, {1, 0, 0}, {1, 0, 1}, {1, 0, 0}, {1, 0, 0}, {1, 0, 1}, {1, 0, 0}, {1, 0, 1}});
  const auto model = fit(data, LpOptions{});
  EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(0, 1));
  ASSERT_EQ(model.contents().report.warnings.size(), 1U);
  EXPECT_THAT(model.contents().report.warnings.front(),
              HasSubstr("2 of 3 labels have only one class in the training data and score 0 or 1"));
  const auto scores = model.scores(data.x);
  for (Index row = 0; row < data.rows(); ++row) {
    EXPECT_NEAR(scores(row, 0), 1, 1e-15);
    EXPECT_EQ(scores(row, 1), 0);
    EXPECT_TRUE(scores(row, 2) > 0 && scores(row, 2) < 1);
  }
}

TEST(Lp, WhereAllExamplesHaveTheSameLabelsThoseArePredicted) {
  for (const Index rows : {1, 5}) {
    auto data = testing::random_problem({.rows = rows, .features = 2, .labels = 2}, 2);
    data.y =
        testing::binary_rows(std::vector<std::vector<int>>(static_cast<std::size_t>(rows), {0, 1}));
    const auto model = fit(data, LpOptions{});
    EXPECT_FALSE(model.contents().report.solve);  // there is one class
    const auto scores = model.scores(data.x);
    for (Index row = 0; row < rows; ++row) {
      EXPECT_EQ(scores(row, 0), 0);
      EXPECT_EQ(scores(row, 1), 1);
    }
  }
}

TEST(Lp, DoesWithoutFeaturesThatVaryAndWithExamplesThatRepeat) {
  auto data = testing::random_problem({.rows = 40, .features = 3, .labels = 3}, 8);
  for (Index row = 0; row < data.rows(); ++row) data.x.dense()(row, 1) = 4;
  std::vector<Index> twice;
  for (Index row = 0; row < data.rows(); ++row) twice.insert(twice.end(), {row, row});
  const auto once = fit(data, LpOptions{.tolerance = 1e-5}).scores(data.x);
  const auto doubled = fit(select_rows(data, twice), LpOptions{.tolerance = 1e-5}).scores(data.x);
  for (std::size_t k = 0; k < once.values().size(); ++k) {
    EXPECT_NEAR(once.values()[k], doubled.values()[k], 1e-4);
  }
  for (Index row = 0; row < data.rows(); ++row) {
    for (Index k = 0; k < 3; ++k) data.x.dense()(row, k) = 4;
  }
  const auto scores = fit(data, LpOptions{}).scores(data.x);
  for (const double score : scores.values()) {
    EXPECT_TRUE(std::isfinite(score));
  }
}

TEST(Lp, SparseFeaturesGiveTheModelThatDenseOnesDo) {
  auto data = testing::random_problem(
      {.rows = 200, .features = 9, .labels = 7, .feature_probability = 0.4}, 4);
  const auto dense = fit(data, LpOptions{.tolerance = 1e-5}).scores(data.x);
  data.x = testing::as_sparse(data.x);
  const auto sparse = fit(data, LpOptions{.tolerance = 1e-5}).scores(data.x);
  for (std::size_t k = 0; k < dense.values().size(); ++k) {
    EXPECT_NEAR(dense.values()[k], sparse.values()[k], 2e-3);
  }
}

TEST(Lp, SaysWhatMemoryItWouldNeedBeforeItIsOut) {
  constexpr Index kRows = 20000;
  CsrMatrix<double> x;
  x.cols = 1'000'000;
  Dataset data{.name = "wide"};
  data.y.cols = 15;
  for (Index row = 0; row < kRows; ++row) {
    x.end_row();
    for (LabelId label = 0; label < 15; ++label) {
      if ((row >> label) % 2 == 1) data.y.column.push_back(label);
    }
    data.y.end_row();
  }
  data.x = x;
  EXPECT_THAT([&] { fit(data, LpOptions{}); },
              ThrowsMessage<MemoryError>(HasSubstr(
                  "training on wide (20000 examples, 1000000 features, 15 labels) would take")));
}

}  // namespace
}  // namespace mugrad
