// SPDX-License-Identifier: MIT
#include "model/head_checks.h"
#include "model/head_scores.h"

#include <algorithm>

namespace mugrad {
namespace {

constexpr FieldOf<ChainHead> kFields[] = {
    {"vote", &ChainHead::vote}, {"order", &ChainHead::order}, {"history", &ChainHead::history}};

void check(const ChainHead& head, const HeadShape& shape) {
  const Index columns = shape.columns, labels = shape.labels;
  if (columns == 0 || columns % labels != 0) {
    refuse("the model has {} columns of weights, a multiple of its {} labels expected",
           shape.columns, shape.labels);
  }
  check_size("places in chains", std::ssize(head.order), columns);
  check_size("rows of history", head.history.rows(), columns);
  check_size("columns of history", head.history.cols(), labels);
  for (Index first = 0; first < columns; first += labels) {
    std::vector<LabelId> chain(head.order.begin() + first, head.order.begin() + first + labels);
    std::ranges::sort(chain);
    if (std::ranges::adjacent_find(chain) != chain.end()) {
      refuse("chain {} of the model has a label twice", first / labels + 1);
    }
  }
}

ScoreRange range_of(const ChainHead& head) {
  return {.are_probabilities = head.vote == Vote::probability};
}

class ChainScores final : public RowHeadScores<ChainScores> {
 public:
  ChainScores(const ChainHead& head, const HeadShape& shape)
      : head_(head), members_(shape.columns / shape.labels) {}

  template <class Real>
  void score_row(const HeadRow<Real>& row, const RowWork& work, std::span<double> scores) const {
    const auto labels = scores.size();
    auto& predicted = work.scratch.labels;
    for (std::size_t member = 0; member < as_size(members_); ++member) {
      predicted.clear();
      for (std::size_t place = 0; place < labels; ++place) {
        const auto label = as_size(head_.order[member * labels + place]);
        const auto column = member * labels + label;
        const auto gains = head_.history.row(as_index(column));
        Real linear = row.linear[column];
        for (const LabelId other : predicted) linear += gains[as_size(other)];
        const bool is_there = linear >= 0;
        if (is_there) predicted.push_back(static_cast<LabelId>(label));
        const double vote = is_there ? 1 : 0;
        scores[label] += head_.vote == Vote::label ? vote : probability(linear);
      }
    }
    for (double& score : scores) score /= static_cast<double>(members_);
  }

 private:
  const ChainHead& head_;
  Index members_;
};

}  // namespace

const HeadKind<ChainHead>& ChainHead::kind() {
  static constexpr HeadKind<ChainHead> kKind{"chains", kFields, check, range_of,
                                             make_scores<ChainScores>};
  return kKind;
}

}  // namespace mugrad
