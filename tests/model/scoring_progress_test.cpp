// SPDX-License-Identifier: MIT
// Scoring updates its progress often, and ends when that asks to stop: counted, not timed.
#include "support/random_problem.h"

#include <mugrad/core/error.h>
#include <mugrad/model/scorer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

namespace mugrad {
namespace {

using testing::random_weights;
using ::testing::ThrowsMessage;

Model model_of(Index features, Index columns, Head head, Index labels) {
  const auto count = static_cast<std::size_t>(features);
  ModelContents contents{.representation = {RepresentationKind::none, std::vector<double>(count, 0),
                                            std::vector<double>(count, 1)},
                         .weights = random_weights(features, columns, 1),
                         .intercepts = std::vector<double>(static_cast<std::size_t>(columns)),
                         .head = std::move(head),
                         .thresholds = std::vector<double>(static_cast<std::size_t>(labels), 0.5),
                         .relations = {.cols = labels}};
  for (Index t = 0; t < labels; ++t) contents.relations.end_row();
  return Model(std::move(contents));
}

/// How often `work` updates its progress, by shares that never fall.
int calls(const std::function<void(Progress*)>& work) {
  int count = 0;
  double last = 0;
  ProgressFunction progress([&](double share) {
    EXPECT_TRUE(share >= last && share <= 1) << share;
    last = share;
    return ++count > 0;
  });
  work(&progress);
  return count;
}

/// Asks to stop at the k-th call, and expects no other after it.
class Ending final : public Progress {
 public:
  explicit Ending(int calls) : left(calls) {}
  bool update(double) override {
    EXPECT_GT(left, 0) << "it went on after it was told to end";
    return --left > 0;
  }
  int left;
};

TEST(ScoringProgress, IsUpdatedForEveryBlockOfRowsAndPanelOfLabels) {
  const Model model = model_of(3, 640, IndependentHead{}, 640);
  const Matrix<double> x(1000, 3, 1);
  const auto scored = calls([&](Progress* c) { model.scores(x, {1}, c); });
  const auto predicted = calls([&](Progress* c) { model.predict(x, {1}, c); });
  EXPECT_GE(scored, 4 * 10);  // blocks of at most 256 rows, panels of at most 64 labels
  EXPECT_EQ(predicted, scored);
}

TEST(ScoringProgress, IsUpdatedForEveryRoundThatLabelsAreGuessed) {
  FeedbackHead head{.rounds = FeedbackHead::kMostRounds, .label_weights = Matrix<double>(2, 2)};
  const Model model = model_of(3, 4, head, 2);
  EXPECT_GE(calls([&](Progress* c) { model.scores(Matrix<double>(5, 3, 1), {1}, c); }),
            5 * FeedbackHead::kMostRounds);
}

TEST(ScoringProgress, IsUpdatedForEveryRowOfAHead) {
  const KernelHead head{.squared_length = std::vector<double>(4, 1),
                        .coefficients = Matrix<double>(4, 2),
                        .offset = {0, 0}};
  const Model model = model_of(3, 4, head, 2);
  EXPECT_GE(calls([&](Progress* c) { model.predict(Matrix<double>(500, 3, 1), {1}, c); }), 500);
}

TEST(ScoringProgress, IsUpdatedMoreOftenTheMoreEntriesRowsHave) {
  constexpr Index kFeatures = 1 << 16;
  const Model model = model_of(kFeatures, 1, IndependentHead{}, 1);
  CsrMatrix<double> x{.cols = kFeatures};
  for (int row = 0; row < 200; ++row) {
    for (std::int32_t k = 0; k < kFeatures; ++k) x.column.push_back(k);
    x.end_row();
  }
  x.value.assign(x.column.size(), 1e-3);
  // 2^22 entries at once are 64 rows.
  EXPECT_GE(calls([&](Progress* c) { model.scores(x, {1}, c); }), 4);
}

TEST(ScoringProgress, EndsTheWork) {
  const Model model = model_of(3, 640, IndependentHead{}, 640);
  const Matrix<double> x(5000, 3, 1);
  for (const int threads : {1, 4}) {
    for (const int call : {1, 2, 7}) {
      if (threads > 1 && call > 1) continue;  // the others may have done all by then
      Scorer scorer(model, {threads});
      Matrix<double> out(5000, 640);
      Ending ending{call};
      EXPECT_THROW(scorer.scores(x, 0, 5000, out, &ending), InterruptedError);
      EXPECT_EQ(ending.left, 0);
      Ending again{call};
      EXPECT_THROW(scorer.predict(x, 0, 5000, &again), InterruptedError);
      // And it can be used again.
      EXPECT_EQ(scorer.predict(x, 0, 5000), model.predict(x));
    }
  }
}

TEST(ScoringProgress, IsUpdatedByTheThreadThatAsks) {
  const Model model = model_of(3, 64, IndependentHead{}, 64);
  const auto asker = std::this_thread::get_id();
  ProgressFunction progress([&](double) {
    EXPECT_EQ(std::this_thread::get_id(), asker);
    return true;
  });
  model.scores(Matrix<double>(5000, 3, 1), {4}, &progress);
}

TEST(ScoringProgress, PassesOnWhatTheProgressThrows) {
  const Model model = model_of(3, 64, IndependentHead{}, 64);
  ProgressFunction failing([](double share) -> bool {
    if (share > 0) throw std::runtime_error("enough");
    return true;
  });
  EXPECT_THAT([&] { model.scores(Matrix<double>(5000, 3, 1), {1}, &failing); },
              ThrowsMessage<std::runtime_error>("enough"));
}

}  // namespace
}  // namespace mugrad
