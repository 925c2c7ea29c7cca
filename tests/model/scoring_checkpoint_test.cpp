// SPDX-License-Identifier: MIT
// Scoring asks its checkpoint often, and ends when that throws. Calls are counted, not timed.
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
  ModelContents contents{
      .scaling = {ScalingKind::none, std::vector<double>(count, 0), std::vector<double>(count, 1)},
      .weights = random_weights(features, columns, 1),
      .intercepts = std::vector<double>(static_cast<std::size_t>(columns)),
      .head = std::move(head),
      .thresholds = std::vector<double>(static_cast<std::size_t>(labels), 0.5),
      .relations = {.cols = labels}};
  for (Index t = 0; t < labels; ++t) contents.relations.end_row();
  return Model(std::move(contents));
}

/// How often `work` calls its checkpoint.
int calls(const std::function<void(const Checkpoint&)>& work) {
  int count = 0;
  work([&] { ++count; });
  return count;
}

/// Throws at the k-th call, and counts no more than that.
struct Ending {
  int left;

  Checkpoint checkpoint() {
    return [this] {
      ASSERT_GT(left, 0) << "it went on after it was told to end";
      if (--left == 0) throw InterruptedError("enough");
    };
  }
};

TEST(ScoringCheckpoint, IsCalledForEveryBlockOfRowsAndPanelOfLabels) {
  const Model model = model_of(3, 640, IndependentHead{}, 640);
  const Matrix<double> x(1000, 3, 1);
  const auto scored = calls([&](const Checkpoint& c) { model.scores(x, {1}, c); });
  const auto predicted = calls([&](const Checkpoint& c) { model.predict(x, {1}, c); });
  EXPECT_GE(scored, 4 * 10);  // blocks of at most 256 rows, panels of at most 64 labels
  EXPECT_EQ(predicted, scored);
}

TEST(ScoringCheckpoint, IsCalledForEveryRoundThatLabelsAreGuessed) {
  FeedbackHead head{.rounds = FeedbackHead::kMostRounds, .label_weights = Matrix<double>(2, 2)};
  const Model model = model_of(3, 4, head, 2);
  EXPECT_GE(calls([&](const Checkpoint& c) { model.scores(Matrix<double>(5, 3, 1), {1}, c); }),
            5 * FeedbackHead::kMostRounds);
}

TEST(ScoringCheckpoint, IsCalledForEveryRowOfAHead) {
  const KernelHead head{.squared_length = std::vector<double>(4, 1),
                        .coefficients = Matrix<double>(4, 2),
                        .offset = {0, 0}};
  const Model model = model_of(3, 4, head, 2);
  EXPECT_GE(calls([&](const Checkpoint& c) { model.predict(Matrix<double>(500, 3, 1), {1}, c); }),
            500);
}

TEST(ScoringCheckpoint, IsCalledMoreOftenTheMoreEntriesRowsHave) {
  constexpr Index kFeatures = 1 << 16;
  const Model model = model_of(kFeatures, 1, IndependentHead{}, 1);
  CsrMatrix<double> x{.cols = kFeatures};
  for (int row = 0; row < 200; ++row) {
    for (std::int32_t k = 0; k < kFeatures; ++k) x.column.push_back(k);
    x.end_row();
  }
  x.value.assign(x.column.size(), 1e-3);
  // 2^22 entries at once are 64 rows.
  EXPECT_GE(calls([&](const Checkpoint& c) { model.scores(x, {1}, c); }), 4);
}

TEST(ScoringCheckpoint, EndsTheWorkByWhatItThrows) {
  const Model model = model_of(3, 640, IndependentHead{}, 640);
  const Matrix<double> x(5000, 3, 1);
  for (const int threads : {1, 4}) {
    for (const int call : {1, 2, 7}) {
      if (threads > 1 && call > 1) continue;  // the others may have done all by then
      Scorer scorer(model, {threads});
      Matrix<double> out(5000, 640);
      Ending ending{call};
      EXPECT_THAT([&] { scorer.scores(x, 0, 5000, out, ending.checkpoint()); },
                  ThrowsMessage<InterruptedError>("enough"));
      EXPECT_EQ(ending.left, 0);
      Ending again{call};
      EXPECT_THAT([&] { scorer.predict(x, 0, 5000, again.checkpoint()); },
                  ThrowsMessage<InterruptedError>("enough"));
      // And it can be used again.
      EXPECT_EQ(scorer.predict(x, 0, 5000), model.predict(x));
    }
  }
}

TEST(ScoringCheckpoint, IsCalledByTheThreadThatAsks) {
  const Model model = model_of(3, 64, IndependentHead{}, 64);
  const auto asker = std::this_thread::get_id();
  model.scores(Matrix<double>(5000, 3, 1), {4},
               [&] { EXPECT_EQ(std::this_thread::get_id(), asker); });
}

}  // namespace
}  // namespace mugrad
