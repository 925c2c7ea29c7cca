// SPDX-License-Identifier: MIT
#include "model/head_checks.h"
#include "model/head_scores.h"

namespace mugrad {
namespace {

constexpr FieldOf<PairHead> kFields[] = {
    {"vote", &PairHead::vote}, {"first", &PairHead::first}, {"second", &PairHead::second}};

void check(const PairHead& head, const HeadShape& shape) {
  check_size("columns of weights", shape.columns, shape.labels + std::ssize(head.first));
  check_size("second labels of pairs", std::ssize(head.second), std::ssize(head.first));
  for (std::size_t pair = 0; pair < head.first.size(); ++pair) {
    if (head.first[pair] == head.second[pair]) {
      refuse("pair {} of the model has label {} twice", pair + 1, head.first[pair]);
    }
  }
}

/// Shares of votes, even if a vote is a probability.
ScoreRange range_of(const PairHead&) { return {.are_probabilities = false}; }

class PairScores final : public RowHeadScores<PairScores> {
 public:
  PairScores(const PairHead& head, const HeadShape&) : head_(head) {}

  template <class Real>
  void score_row(const HeadRow<Real>& row, const RowWork&, std::span<double> scores) const {
    const std::size_t labels = scores.size();
    double virtual_votes = 0;
    for (std::size_t label = 0; label < labels; ++label) {
      const double relevant = vote(row.linear[label]);
      scores[label] += relevant;
      virtual_votes += 1 - relevant;
    }
    for (std::size_t pair = 0; pair < head_.first.size(); ++pair) {
      const double preferred = vote(row.linear[labels + pair]);
      scores[as_size(head_.first[pair])] += preferred;
      scores[as_size(head_.second[pair])] += 1 - preferred;
    }
    for (double& score : scores) {
      score = 0.5 + (score - virtual_votes) / (2 * static_cast<double>(labels));
    }
  }

 private:
  template <class Real>
  double vote(Real z) const {
    if (head_.vote == Vote::probability) return probability(z);
    return z >= 0 ? 1 : 0;
  }

  const PairHead& head_;
};

}  // namespace

const HeadKind<PairHead>& PairHead::kind() {
  static constexpr HeadKind<PairHead> kKind{"pairs", kFields, check, range_of,
                                            make_scores<PairScores>};
  return kKind;
}

}  // namespace mugrad
