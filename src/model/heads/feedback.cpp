// SPDX-License-Identifier: MIT
#include "model/head_checks.h"
#include "model/head_scores.h"

#include <algorithm>

namespace mugrad {
namespace {

constexpr double kThere = 0.5;

constexpr FieldOf<FeedbackHead> kFields[] = {{"rounds", &FeedbackHead::rounds},
                                             {"label_weights", &FeedbackHead::label_weights}};

void check(const FeedbackHead& head, const HeadShape& shape) {
  check_size("columns of weights", shape.columns, 2 * shape.labels);
  check_size("rows of label weights", head.label_weights.rows(), shape.labels);
  check_size("columns of label weights", head.label_weights.cols(), shape.labels);
  if (head.rounds < 0 || head.rounds > FeedbackHead::kMostRounds) {
    refuse("the model has {} feedback rounds, from 0 to {} expected", head.rounds,
           FeedbackHead::kMostRounds);
  }
}

ScoreRange range_of(const FeedbackHead&) {
  return {.middle = kThere, .is_limit = false, .are_probabilities = false};
}

class FeedbackScores final : public RowHeadScores<FeedbackScores> {
 public:
  FeedbackScores(const FeedbackHead& head, const HeadShape&) : head_(head) {}

  template <class Real>
  void score_row(const HeadRow<Real>& row, const RowWork& work, std::span<double> scores) const {
    const auto labels = scores.size();
    const auto take = [&](std::span<const Real> from) {
      std::ranges::transform(from, scores.begin(), [](Real x) { return static_cast<double>(x); });
    };
    auto& last = work.scratch.numbers;
    take(row.linear.first(labels));
    for (Index round = 0; round < head_.rounds; ++round) {
      work.check();
      last.assign(scores.begin(), scores.end());
      take(row.linear.last(labels));
      for (std::size_t j = 0; j < labels; ++j) {
        if (last[j] < kThere) continue;
        const auto gains = head_.label_weights.row(as_index(j));
        for (std::size_t i = 0; i < labels; ++i) scores[i] += gains[i];
      }
    }
  }

 private:
  const FeedbackHead& head_;
};

}  // namespace

const HeadKind<FeedbackHead>& FeedbackHead::kind() {
  static constexpr HeadKind<FeedbackHead> kKind{"feedback", kFields, check, range_of,
                                                make_scores<FeedbackScores>};
  return kKind;
}

}  // namespace mugrad
