// SPDX-License-Identifier: MIT
#include "model/head_checks.h"
#include "model/head_scores.h"

#include <cmath>

namespace mugrad {
namespace {

constexpr FieldOf<DistanceHead> kFields[] = {{"centre_start", &DistanceHead::centre_start},
                                             {"squared_length", &DistanceHead::squared_length},
                                             {"weight", &DistanceHead::weight},
                                             {"offset", &DistanceHead::offset},
                                             {"slope", &DistanceHead::slope},
                                             {"shift", &DistanceHead::shift}};

void check(const DistanceHead& head, const HeadShape& shape) {
  check_size("starts of centres", std::ssize(head.centre_start), shape.labels + 1);
  check_starts("centres", head.centre_start, shape.columns);
  check_size("lengths of centres", std::ssize(head.squared_length), shape.columns);
  check_size("weights of centres", std::ssize(head.weight), shape.columns);
  for (const auto* of_label : {&head.offset, &head.slope, &head.shift}) {
    check_size("numbers per label", std::ssize(*of_label), shape.labels);
  }
}

ScoreRange range_of(const DistanceHead&) { return {}; }

class DistanceScores final
    : public RowHeadScores<DistanceScores, HeadInput::linear_scores_and_length> {
 public:
  DistanceScores(const DistanceHead& head, const HeadShape&) : head_(head) {}

  template <class Real>
  void score_row(const HeadRow<Real>& row, const RowWork&, std::span<double> scores) const {
    for (std::size_t label = 0; label < scores.size(); ++label) {
      Real f = head_.offset[label];
      const auto end = as_size(head_.centre_start[label + 1]);
      for (auto c = as_size(head_.centre_start[label]); c < end; ++c) {
        f += head_.weight[c] * std::sqrt(squared_distance(row.squared_length, row.linear[c],
                                                          head_.squared_length[c]));
      }
      scores[label] = probability(-(head_.slope[label] * f + head_.shift[label]));
    }
  }

 private:
  const DistanceHead& head_;
};

}  // namespace

const HeadKind<DistanceHead>& DistanceHead::kind() {
  static constexpr HeadKind<DistanceHead> kKind{"distances", kFields, check, range_of,
                                                make_scores<DistanceScores>};
  return kKind;
}

}  // namespace mugrad
