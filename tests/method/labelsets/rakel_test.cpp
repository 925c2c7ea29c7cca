// SPDX-License-Identifier: MIT
#include "support/label_rows.h"
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/method/br.h>
#include <mugrad/method/lp.h>
#include <mugrad/method/rakel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const LabelsetHead& head_of(const Model& model) {
  return std::get<LabelsetHead>(model.contents().head);
}

Dataset problem(Index labels, std::uint64_t seed = 3) {
  return testing::random_problem({.rows = 80, .features = 5, .labels = labels}, seed);
}

TEST(Rakel, DrawsTwoSetsPerLabelUnlessThereAreFewer) {
  const auto many = head_of(fit(problem(9), RakelOptions{}));
  EXPECT_EQ(many.sets.rows(), 18);
  EXPECT_EQ(many.sets.ones(), 18 * 3);
  const auto few = head_of(fit(problem(4), RakelOptions{}));
  EXPECT_EQ(few.sets.rows(), 4);
  const auto chosen = head_of(fit(problem(9), RakelOptions{.labels_per_set = 2, .sets = 5}));
  EXPECT_EQ(chosen.sets.rows(), 5);
  EXPECT_EQ(chosen.sets.ones(), 5 * 2);
}

TEST(Rakel, OfOneSetOfAllLabelsIsLp) {
  const auto data = problem(5);
  for (const auto score : {LabelsetScore::marginal, LabelsetScore::confidence}) {
    const auto rakel =
        fit(data, RakelOptions{.labels_per_set = 5, .disjoint = true, .score = score});
    const auto lp = fit(data, LpOptions{.score = score});
    EXPECT_EQ(rakel.contents().weights, lp.contents().weights);
    EXPECT_EQ(rakel.contents().intercepts, lp.contents().intercepts);
    EXPECT_EQ(rakel.contents().head, lp.contents().head);
  }
}

/// Of half the strength, see SoftmaxOfTwoClassesIsALogisticRegressionOfHalfThePenalty.
TEST(Rakel, OfDisjointSetsOfOneLabelIsBr) {
  const auto data = problem(6);
  const auto rakel =
      fit(data, RakelOptions{.labels_per_set = 1, .disjoint = true, .rho = 0.04, .tolerance = 1e-5})
          .scores(data.x);
  const auto br = fit(data, BrOptions{.rho = 0.02, .tolerance = 1e-5}).scores(data.x);
  for (std::size_t k = 0; k < br.values().size(); ++k) {
    EXPECT_NEAR(rakel.values()[k], br.values()[k], 1e-4);
  }
}

TEST(Rakel, VotesAreSharesOfTheSetsOfALabel) {
  const auto data = problem(7);
  const auto model = fit(data, RakelOptions{.score = LabelsetScore::votes});
  const auto sets = column_counts(head_of(model).sets);
  EXPECT_EQ(std::accumulate(sets.begin(), sets.end(), Index{0}), 14 * 3);
  const auto scores = model.scores(data.x);
  for (Index row = 0; row < data.rows(); ++row) {
    for (Index label = 0; label < 7; ++label) {
      const double votes =
          scores(row, label) * static_cast<double>(sets[static_cast<std::size_t>(label)]);
      EXPECT_NEAR(votes, std::round(votes), 1e-12);
    }
  }
}

TEST(Rakel, LabelsThatNeverOccurScoreZeroAndThoseThatAlwaysDoScoreOne) {
  auto data = problem(6);
  std::vector<std::vector<int>> rows;
  for (Index row = 0; row < data.rows(); ++row) {
    auto& labels = rows.emplace_back(6, 0);
    for (const LabelId label : data.y.row(row)) labels[static_cast<std::size_t>(label)] = 1;
    labels[2] = 0;
    labels[4] = 1;
  }
  data.y = testing::binary_rows(rows);
  for (const auto score : {LabelsetScore::votes, LabelsetScore::marginal}) {
    const auto model = fit(data, RakelOptions{.score = score, .cover = true});
    EXPECT_THAT(model.contents().report.constant_labels, ElementsAre(2, 4));
    const auto scores = model.scores(data.x);
    for (Index row = 0; row < data.rows(); ++row) {
      EXPECT_EQ(scores(row, 2), 0);
      EXPECT_NEAR(scores(row, 4), 1, 1e-12);
    }
  }
}

TEST(Rakel, SetsOfLabelsThatNeverChangeArePredictedAsTheyAre) {
  auto data = problem(4);
  data.y = testing::binary_rows(std::vector<std::vector<int>>(80, {1, 0, 0, 1}));
  const auto model = fit(data, RakelOptions{.labels_per_set = 2});
  EXPECT_FALSE(model.contents().report.solve);
  const auto scores = model.scores(data.x);
  EXPECT_THAT(scores.row(5), ElementsAre(1, 0, 0, 1));
}

TEST(Rakel, LabelsInNoSetAreNamedAndScoreZero) {
  const auto data = problem(8);
  const auto model = fit(data, RakelOptions{.sets = 2});
  ASSERT_EQ(model.contents().report.warnings.size(), 1U);
  EXPECT_THAT(model.contents().report.warnings.front(),
              HasSubstr("labels are in no labelset and are never predicted: '"));
  const auto sets = column_counts(head_of(model).sets);
  const auto scores = model.scores(data.x);
  for (Index label = 0; label < 8; ++label) {
    EXPECT_EQ(scores(0, label) == 0, sets[static_cast<std::size_t>(label)] == 0);
  }
  const auto covering = fit(data, RakelOptions{.sets = 3, .cover = true});
  EXPECT_TRUE(covering.contents().report.warnings.empty());
  for (const Index count : column_counts(head_of(covering).sets)) EXPECT_GE(count, 1);
}

TEST(Rakel, TheSeedDecidesOnTheSets) {
  const auto data = problem(9);
  const RakelOptions options{.seed = 5};
  EXPECT_EQ(fit(data, options).contents(), fit(data, options).contents());
  EXPECT_NE(head_of(fit(data, options)).sets, head_of(fit(data, RakelOptions{.seed = 6})).sets);
}

TEST(Rakel, NeitherThreadsNorHowSetsAreSharedOutChangeABit) {
  auto data = testing::random_problem(
      {.rows = 700, .features = 30, .labels = 12, .feature_probability = 0.3}, 3);
  for (const bool is_sparse : {false, true}) {
    if (is_sparse) data.x = testing::as_sparse(data.x);
    for (const Index size : {3, 9}) {
      RakelOptions options{.labels_per_set = size, .sets = 5, .threads = {1}};
      const auto one = fit(data, options);
      // Beyond five threads there are fewer sets than threads.
      for (const int threads : {2, 4, 7}) {
        options.threads = {threads};
        EXPECT_EQ(fit(data, options).contents(), one.contents()) << threads;
      }
    }
  }
}

class Stopper final : public Progress {
 public:
  explicit Stopper(int calls) : left_(calls) {}
  bool update(double share) override {
    EXPECT_TRUE(share >= 0 && share <= 1) << share;
    last_ = share;
    return --left_ > 0;
  }
  double last() const { return last_; }

 private:
  int left_;
  double last_ = 0;
};

TEST(Rakel, TellsHowFarItIsAndStopsWhenAsked) {
  const auto data = problem(9);
  for (const int threads : {1, 2}) {
    for (const int calls : {1, 2}) {
      Stopper stopper(calls);
      const RakelOptions options{.threads = {threads}};
      EXPECT_THROW(fit(data, options, &stopper), InterruptedError);
    }
    Stopper patient(1'000'000);
    fit(data, RakelOptions{.threads = {threads}}, &patient);
    EXPECT_EQ(patient.last(), 1);
  }
}

TEST(Rakel, RefusesSetsThatCannotBe) {
  const auto data = problem(4);
  const auto refused = [&](const RakelOptions& options, const char* why) {
    EXPECT_THAT([&] { fit(data, options); }, ThrowsMessage<UsageError>(HasSubstr(why)));
  };
  refused({.labels_per_set = 0}, "labels-per-set must be >= 1, got 0");
  refused({.sets = 5}, "there are 4 sets of 3 of 4 labels, got sets 5");
  refused({.sets = 5, .disjoint = true}, "got sets 5");
  refused({.labels_per_set = 1, .sets = 3, .cover = true},
          "3 sets of 1 cannot cover 4 labels; 4 can");
  refused({.labels_per_set = 4, .sets = 2}, "there are 1 sets of 4 of 4 labels, got sets 2");
}

TEST(Rakel, TakesAllLabelsTogetherWhereASetHasRoomForThem) {
  for (const Index labels : {1, 2, 4}) {
    const auto data = problem(labels);
    for (const bool cover : {false, true}) {
      const auto model = fit(data, RakelOptions{.labels_per_set = 4, .cover = cover});
      EXPECT_EQ(model.scores(data.x), fit(data, LpOptions{}).scores(data.x));
      EXPECT_THAT(model.contents().report.warnings,
                  ElementsAre(HasSubstr("sets of 4 contain all of them")));
      EXPECT_EQ(model.contents().options.at("disjoint"), "false");
    }
  }
}

TEST(Rakel, WantsEveryLabelToBeKnown) {
  auto data = problem(4);
  data.unknown.cols = 4;
  for (Index row = 0; row < data.rows(); ++row) {
    if (row == 1) data.unknown.column.push_back(2);
    data.unknown.end_row();
  }
  EXPECT_THAT([&] { fit(data, RakelOptions{}); },
              ThrowsMessage<InputError>(HasSubstr("rakel requires all labels to be known")));
  EXPECT_THAT([&] { fit(data, LpOptions{}); },
              ThrowsMessage<InputError>(HasSubstr("lp requires all labels to be known")));
}

TEST(Rakel, ModelsThatMemoryDoesNotSufficeForAreRefusedBeforeAnythingIsTrained) {
  // Each set has two classes, for which memory suffices; that of all sets together is too large.
  Dataset data{.name = "wide", .x = CsrMatrix<double>{.cols = 2'000'000}};
  data.y.cols = 2000;
  for (LabelId row = 0; row < 2; ++row) {
    data.x.sparse().column.push_back(row);
    data.x.sparse().value.push_back(1);
    data.x.sparse().end_row();
    for (LabelId label = 0; label < data.y.cols && row == 0; ++label) {
      data.y.column.push_back(label);
    }
    data.y.end_row();
  }
  EXPECT_THAT([&] { fit(data, RakelOptions{.sets = 200'000}); },
              ThrowsMessage<MemoryError>(HasSubstr("for the weights of combinations of labels")));
  EXPECT_THAT([&] { fit(data, RakelOptions{.sets = 1'000'001}); },
              ThrowsMessage<UsageError>(HasSubstr("sets must be in [0, 1000000]")));
}

}  // namespace
}  // namespace mugrad
