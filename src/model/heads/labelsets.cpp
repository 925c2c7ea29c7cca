// SPDX-License-Identifier: MIT
#include "model/head_checks.h"
#include "model/head_scores.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr FieldOf<LabelsetHead> kFields[] = {{"score", &LabelsetHead::score},
                                             {"sets", &LabelsetHead::sets},
                                             {"classes", &LabelsetHead::classes},
                                             {"class_start", &LabelsetHead::class_start}};

void check_set(const LabelsetHead& head, Index set) {
  const Index begin = head.class_start[as_size(set)];
  const Index end = head.class_start[as_size(set) + 1];
  if (begin == end) refuse("labelset {} of the model has no classes", set + 1);
  const auto labels = head.sets.row(set);
  for (Index c = begin; c < end; ++c) {
    if (!std::ranges::includes(labels, head.classes.row(c))) {
      refuse("class {} of the model has labels that are not in its labelset", c + 1);
    }
  }
}

void check(const LabelsetHead& head, const HeadShape& shape) {
  check_size("classes", head.classes.rows(), shape.columns);
  check_size("starts of classes", std::ssize(head.class_start), head.sets.rows() + 1);
  check_starts("classes", head.class_start, shape.columns);
  for (Index set = 0; set < head.sets.rows(); ++set) check_set(head, set);
}

ScoreRange range_of(const LabelsetHead& head) {
  return {.are_probabilities = head.score == LabelsetScore::marginal};
}

class LabelsetScores final : public RowHeadScores<LabelsetScores> {
 public:
  LabelsetScores(const LabelsetHead& head, const HeadShape&) : head_(head) {
    for (const Index sets : column_counts(head.sets)) {
      share_.push_back(sets == 0 ? 0 : 1 / static_cast<double>(sets));
    }
  }

  template <class Real>
  void score_row(const HeadRow<Real>& row, const RowWork&, std::span<double> scores) const {
    for (Index set = 0; set < head_.sets.rows(); ++set) {
      const Index begin = head_.class_start[as_size(set)];
      const Index end = head_.class_start[as_size(set) + 1];
      const auto classes = row.linear.subspan(as_size(begin), as_size(end - begin));
      const auto likeliest = std::ranges::max_element(classes);
      const Real largest = *likeliest;
      const Index winner = begin + (likeliest - classes.begin());
      Real total = 0;
      for (Real& entry : classes) total += entry = std::exp(entry - largest);
      add_set<Real>(set, begin, winner, classes, static_cast<double>(1 / total), scores);
    }
    for (std::size_t label = 0; label < scores.size(); ++label) scores[label] *= share_[label];
  }

 private:
  /// `weights` are the class probabilities up to a common factor, that of the winner.
  template <class Real>
  void add_set(Index set, Index begin, Index winner, std::span<const Real> weights, double winning,
               std::span<double> scores) const {
    switch (head_.score) {
      case LabelsetScore::marginal:
        for (std::size_t c = 0; c < weights.size(); ++c) {
          for (const LabelId label : head_.classes.row(begin + as_index(c))) {
            scores[as_size(label)] += static_cast<double>(weights[c]) * winning;
          }
        }
        return;
      case LabelsetScore::votes:
        for (const LabelId label : head_.classes.row(winner)) {
          scores[as_size(label)] += 1;
        }
        return;
      case LabelsetScore::confidence:
        for (const LabelId label : head_.sets.row(set)) {
          scores[as_size(label)] += (1 - winning) / 2;
        }
        for (const LabelId label : head_.classes.row(winner)) {
          scores[as_size(label)] += winning;
        }
        return;
    }
  }

  const LabelsetHead& head_;
  std::vector<double> share_;  ///< 1 / the number of sets with the label
};

}  // namespace

const HeadKind<LabelsetHead>& LabelsetHead::kind() {
  static constexpr HeadKind<LabelsetHead> kKind{"labelsets", kFields, check, range_of,
                                                make_scores<LabelsetScores>};
  return kKind;
}

}  // namespace mugrad
